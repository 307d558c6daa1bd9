// Creates and connects the parts for sign-in, sessions, renewal and programs' tokens.
import type { Config } from '../config/config.ts';
import { createLimiter } from '../http/limits.ts';
import { createSealer, deriveKeyPair } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { verifyAssertion } from './callers/assertion.ts';
import { createCallerTokens } from './callers/caller-token.ts';
import { loadCallers } from './callers/callers.ts';
import { createIssuerKeys } from './callers/issuer-keys.ts';
import type { LoadedKeys } from './keys/keys-in-use.ts';
import { createLogin } from './login/login.ts';
import { createLoginAttempts } from './login/login-attempt.ts';
import { createRefusedSignIns } from './login/refused-sign-ins.ts';
import { createProviderConnection } from './provider/connection.ts';
import { createAskProvider } from './provider/fetch.ts';
import { createRenewal } from './renewal/renewal.ts';
import { createAccessTokens } from './sessions/access-token.ts';
import { createBrowserSessions } from './sessions/cookies.ts';
import { createLogout } from './sessions/logout.ts';
import { createRevocations } from './sessions/revocation.ts';
import { createSealedTokens } from './sessions/sealed-tokens.ts';
import { loadSessions } from './sessions/sessions.ts';
import { createTrials } from './trial/trial.ts';

/** Limit per session. A page renews every few minutes, possibly from several tabs and after reloads. */
const renewLimit = { quota: 60, windowSeconds: 60 };

/** Limit per caller. A token lasts for minutes, and each process of the caller may request one. */
const callerLimit = { quota: 120, windowSeconds: 60 };

interface AuthOptions {
  config: Config;
  secretKey: string;
  storage: Storage;
  keys: LoadedKeys;
  /** Whether this process may have missed the end of a session. */
  isStale: () => boolean;
  log: Log;
  telemetry: Telemetry | undefined;
  clock: () => number;
}

export async function createAuth(options: AuthOptions) {
  const { config, secretKey, keys, isStale, log, telemetry, clock } = options;
  const { db, reads } = options.storage;
  const { publicUrl, tokenAudience: audience, clientId, apiLimit } = config;
  const now = () => new Date(clock());
  const limiterOf = (name: string, limit: typeof renewLimit) =>
    createLimiter(name, apiLimit.quota === 0 ? apiLimit : limit, clock);

  const sessions = await loadSessions({ db, reads, now });
  const callers = await loadCallers(reads, now);
  // The ID belongs to a person's session, which may have ended, or to a program's registration, which may have been removed.
  const hasEnded = (sessionId: string) => sessions.hasEnded(sessionId) || callers.wasRemoved(sessionId);
  const accessTokens = createAccessTokens({ issuer: publicUrl, audience, clientId, keys: keys.signing, clock });
  const { findVerified, verify } = accessTokens;
  const authenticator = { findVerified, verify, hasEnded, isStale };

  const isHttps = publicUrl.startsWith('https:');
  const attempts = createLoginAttempts(await createSealer(secretKey, 'login attempts'), isHttps, 'login');
  const trialAttempts = createLoginAttempts(await createSealer(secretKey, 'trial attempts'), isHttps, 'trial');
  const browserSessions = createBrowserSessions(isHttps);
  const sealedTokens = await createSealedTokens(secretKey);
  // Derived from SECRET_KEY, so that all processes have the same key: one process may begin a sign-in, and another finish it.
  const proofKey = config.provider?.usesDpop ? await deriveKeyPair(secretKey, 'DPoP proofs') : undefined;
  const connection = createProviderConnection({ log, telemetry, now, ownKey: keys.client.active, proofKey });
  const revocations = createRevocations({ config, connection, sealedTokens, log });
  const ofSessions = { config, connection, browserSessions, sealedTokens, now };
  const signingIn = { ...ofSessions, db, accessTokens, telemetry, log };
  const refusedSignIns = createRefusedSignIns({ db, now, log });
  const logout = createLogout({ ...ofSessions, reads, sessions, revocations });
  const issuerKeys = createIssuerKeys({ ask: createAskProvider(telemetry), now, allowHttp: config.allowHttpIssuers });

  return {
    authenticator,
    tokenChecks: accessTokens.checks,
    connection,
    attempts,
    login: createLogin({ ...signingIn, reads, sessions, attempts, refusedSignIns }),
    trials: createTrials({ ...signingIn, reads, attempts: trialAttempts, revocations }),
    renewal: createRenewal({
      ...signingIn,
      secretKey,
      reads,
      sessions,
      revocations,
      limiter: limiterOf('renew', renewLimit),
    }),
    logout,
    callerTokens: createCallerTokens({
      db,
      accessTokens,
      verify: (assertion) => verifyAssertion(assertion, { callers, issuerKeys, publicUrl, now }),
      limiter: limiterOf('caller', callerLimit),
      tokenTtlSeconds: config.tokenTtlSeconds,
      telemetry,
      now,
    }),
    refusedSignIns,
    revocations,
    reloadSessions: sessions.reload,
    forgetExpiredSessions: sessions.forgetExpired,
    rolesOfCallers: () => callers.all().flatMap(({ roles }) => roles),
    async reloadCallers(): Promise<void> {
      await callers.reload();
      issuerKeys.retain(callers.all().map(({ proof }) => proof));
    },
  };
}
