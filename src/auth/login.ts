// Signing in, as named steps: begin (off to the provider) and finish (back from it with a code).

import { writeAudit } from '../audit/audit.ts';
import type { Config } from '../config/config.ts';
import { Problem } from '../http/problem.ts';
import type { Db } from '../storage/storage.ts';
import { describeError, type Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AccessTokens } from './access-token.ts';
import { type Caller, forgetCode, openSession, rememberCode } from './auth.queries.ts';
import type { CallbackQuery, LoginQuery, LoginResult } from './auth.schema.ts';
import type { BrowserSessions } from './browser-session.ts';
import { isOurState, type LoginAttempts } from './login-attempt.ts';
import { type Claims, type Identity, readIdentity } from './provider/claims.ts';
import type { ProviderConnection } from './provider/connection.ts';
import { wasNeverSent } from './provider/fetch.ts';
import type { IdentityProvider } from './provider/identity-provider.ts';
import { oauthCode } from './provider/oauth-code.ts';

type LoginConfig = Pick<
  Config,
  | 'redirectUris'
  | 'scopes'
  | 'requireBoundLogin'
  | 'tokenTtlSeconds'
  | 'employeeIdClaims'
  | 'roleClaims'
  | 'roleMap'
  | 'peopleIssuer'
>;

export interface LoginOptions {
  config: LoginConfig;
  db: Db;
  connection: ProviderConnection;
  attempts: LoginAttempts;
  browserSessions: BrowserSessions;
  accessTokens: AccessTokens;
  now: () => Date;
  telemetry: Telemetry | undefined;
  log: Log;
}

// The HTTP server takes 16 KiB of headers, cookies included: a longer token could be issued, and never be used.
const longestToken = 8 * 1024;

/** How the sign-in that a code belongs to was begun, and what that lets us check. */
interface LoginFlow {
  name: 'bound' | 'code-only';
  redirectUri: string;
  codeVerifier: string | undefined;
  nonce: string | undefined;
}

export type Login = ReturnType<typeof createLogin>;

/** Who came back from the provider, and with what. */
interface Arrival {
  identity: Identity;
  idToken: string;
}

/** The answer, and the cookie of a bound sign-in. */
interface FinishedLogin {
  result: LoginResult;
  cookie: string | undefined;
}

export function createLogin(options: LoginOptions) {
  const { config, db, connection, attempts, browserSessions, accessTokens, now, telemetry, log } = options;

  async function begin(
    query: LoginQuery,
    cookieHeader: string | null,
  ): Promise<{ location: string; cookies: string[] }> {
    const redirectUri = allowedRedirect(query.redirect_uri);
    const provider = await connection.ready();
    const attempt = attempts.start(redirectUri, now());
    const location = provider.authorizationUrl({
      redirect_uri: redirectUri,
      scope: config.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: sha256(attempt.codeVerifier, 'base64url'),
      code_challenge_method: 'S256',
      ...(query.login_hint !== undefined && { login_hint: query.login_hint }),
      ...(query.prompt !== undefined && { prompt: promptFor(query.prompt, provider) }),
    });
    return { location: location.href, cookies: await attempts.keep(attempt, cookieHeader, now()) };
  }

  async function finish(callback: CallbackQuery, cookieHeader: string | null, caller: Caller): Promise<FinishedLogin> {
    refuseProviderError(callback);
    const code = requireCode(callback);
    const flow = await chooseFlow(callback, cookieHeader);
    accessTokens.expectKey();
    const provider = await connection.ready();
    checkIssuerParameter(callback.iss, flow, provider);
    const arrival = await askProvider(code, flow, provider).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 502) connection.rediscover();
      throw error;
    });
    return openSessionAndIssueToken(arrival, config.peopleIssuer ?? provider.issuer, flow, caller);
  }

  /** A refusal is answered whether or not it could be written down. */
  async function recordRefusal({ code, reason, about }: Problem, state: string | null, caller: Caller): Promise<void> {
    telemetry?.signIn(isOurState(state ?? undefined) ? 'bound' : 'code-only', code);
    const detail = [code, reason, about?.subject && `subject ${about.subject}`].filter((part) => part).join(': ');
    const entry = { type: 'sign-in-refused', person: about?.person, detail, ...caller } as const;
    try {
      await db.transaction().execute((tx) => writeAudit(tx, entry, now()));
    } catch (error) {
      log.warn({ requestId: caller.requestId, ...describeError(error) }, 'refusal not audited');
    }
  }

  async function askProvider(code: string, flow: LoginFlow, provider: IdentityProvider): Promise<Arrival> {
    const tokens = await redeemOnce(code, flow, provider);
    const idToken = await provider.verifyIdToken(tokens.idToken, now());
    checkNonce(idToken, flow);
    const userinfo = await provider.fetchUserinfo(tokens.accessToken, idToken.sub);
    return { identity: identify(idToken, userinfo), idToken: tokens.idToken };
  }

  function allowedRedirect(wanted: string | undefined): string {
    if (wanted === undefined) return config.redirectUris[0];
    if (!config.redirectUris.includes(wanted)) throw new Problem('invalid-redirect');
    return wanted;
  }

  async function chooseFlow(callback: CallbackQuery, cookieHeader: string | null): Promise<LoginFlow> {
    if (isOurState(callback.state)) {
      const attempt = await attempts.find(callback.state, cookieHeader, now());
      if (attempt === undefined) throw new Problem('login-session-lost');
      return { ...attempt, name: 'bound' };
    }
    if (config.requireBoundLogin) throw new Problem('login-session-lost', { reason: 'REQUIRE_BOUND_LOGIN' });
    return {
      name: 'code-only',
      redirectUri: allowedRedirect(callback.redirect_uri),
      codeVerifier: callback.code_verifier,
      nonce: callback.nonce,
    };
  }

  /** A code works once: here, at every replica, and for calls in parallel. */
  async function redeemOnce(code: string, { redirectUri, codeVerifier }: LoginFlow, provider: IdentityProvider) {
    const codeHash = sha256(code, 'hex');
    const isNew = await rememberCode(db, codeHash, now());
    if (!isNew) throw new Problem('code-rejected', { reason: 'the code was used before' });
    try {
      return await provider.redeem({
        code,
        redirect_uri: redirectUri,
        ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
      });
    } catch (error) {
      if (error instanceof Problem && wasNeverSent(error)) await forgetCode(db, codeHash);
      throw error;
    }
  }

  function identify(idToken: Claims, userinfo: Claims): Identity {
    const result = readIdentity(idToken, userinfo, config);
    if ('refused' in result) throw new Problem('account-not-permitted', { reason: result.refused });
    return result.identity;
  }

  async function openSessionAndIssueToken(
    { identity, idToken }: Arrival,
    issuer: string,
    { name: way }: LoginFlow,
    caller: Caller,
  ): Promise<FinishedLogin> {
    const sid = crypto.randomUUID();
    // Whole seconds, as the token has them: the session lasts exactly as long.
    const openedAt = new Date(Math.floor(now().getTime() / 1000) * 1000);
    const expiresAt = new Date(openedAt.getTime() + config.tokenTtlSeconds * 1000);
    const { employeeId, roles } = identity;
    const accessToken = await accessTokens.issue({
      employeeId,
      sessionId: sid,
      roles,
      from: openedAt,
      until: expiresAt,
    });
    if (accessToken.length > longestToken) {
      throw new Problem('account-not-permitted', { reason: 'the roles do not fit in a token: narrow ROLE_CLAIMS' });
    }
    const browser = way === 'bound' ? await browserSessions.open(idToken) : undefined;
    const session = { sid, issuer, identity, openedAt, expiresAt, way, browser, caller };
    const isTheirs = await openSession(db, session, now());
    if (!isTheirs) {
      const about = { person: employeeId, subject: identity.subject };
      throw new Problem('account-not-permitted', { reason: 'the employee ID belongs to another account', about });
    }
    telemetry?.signIn(way, 'success');
    log.info({ requestId: caller.requestId, sid, way }, 'signed in');
    return { result: { accessToken, expirationInSeconds: config.tokenTtlSeconds }, cookie: browser?.cookie };
  }

  return { begin, finish, recordRefusal };
}

/** Keycloak, for one, ignores select_account and signs the same person in again; its login lets another one in. */
function promptFor(wanted: string, { prompts }: IdentityProvider): string {
  return wanted === 'select_account' && prompts?.includes(wanted) === false ? 'login' : wanted;
}

function refuseProviderError({ code, error }: CallbackQuery): void {
  if (error === undefined) return;
  if (code !== undefined) throw new Problem('invalid-callback');
  if (error === 'access_denied') throw new Problem('login-denied');
  throw new Problem('login-failed', { reason: `the provider said: ${oauthCode(error)}` });
}

function requireCode({ code }: CallbackQuery): string {
  if (code === undefined) throw new Problem('missing-code');
  return code;
}

/** RFC 9207: whose answer this is. A client that hands over the code alone has nothing to be checked. */
function checkIssuerParameter(iss: string | undefined, flow: LoginFlow, provider: IdentityProvider): void {
  const isMissing = iss === undefined && flow.name === 'bound' && provider.namesIssuer;
  if (isMissing || (iss !== undefined && iss !== provider.issuer)) throw new Problem('login-mismatch');
}

function checkNonce(idToken: Claims, { nonce }: LoginFlow): void {
  if (nonce !== undefined && idToken.nonce !== nonce) throw new Problem('login-mismatch');
}

function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return new Bun.CryptoHasher('sha256').update(text).digest(encoding);
}
