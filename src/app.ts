// Composition root: everything is made here, and every route is on this screen.
import packageJson from '../package.json';
import { auditRoutes } from './audit/audit.routes.ts';
import { frontdesk } from './audit/audit.ts';
import { ensureAuditKey, provideAuditKey } from './audit/audit-key.ts';
import { createRecordedReading } from './audit/recorded-reading.ts';
import { sealAudit } from './audit/sealing.ts';
import { createAccessTokens } from './auth/access-token.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { createBrowserSessions } from './auth/browser-session.ts';
import { verifyAssertion } from './auth/callers/assertion.ts';
import { callerRoutes } from './auth/callers/caller.routes.ts';
import { createCallerTokens } from './auth/callers/caller-token.ts';
import { loadCallers } from './auth/callers/callers.ts';
import { createIntrospect } from './auth/callers/introspection.ts';
import { createIssuerKeys } from './auth/callers/issuer-keys.ts';
import { clientKeyKind, loadClientKeys } from './auth/keys/client-keys.ts';
import { keysRoutes } from './auth/keys/keys.routes.ts';
import { advanceKeys, ensureActiveKey } from './auth/keys/rotation.ts';
import { loadSigningKeys } from './auth/keys/signing-keys.ts';
import { WrongSecretKey } from './auth/keys/stored-keys.ts';
import { createLogin } from './auth/login/login.ts';
import { createLoginAttempts } from './auth/login/login-attempt.ts';
import { createRefusedSignIns } from './auth/login/refused-sign-ins.ts';
import { logoutRoutes } from './auth/logout.routes.ts';
import { createLogout } from './auth/logout.ts';
import { createOwnSessions } from './auth/own-sessions.ts';
import { createProviderConnection, type ProviderConnection } from './auth/provider/connection.ts';
import { createAskProvider } from './auth/provider/fetch.ts';
import { createRenewal } from './auth/renewal/renewal.ts';
import { createRevocations } from './auth/revocation.ts';
import { createSealedTokens } from './auth/sealed-tokens.ts';
import { deleteOld, eraseSealedTokens } from './auth/session.queries.ts';
import { sessionRoutes } from './auth/session.routes.ts';
import { loadSessions } from './auth/sessions.ts';
import { trialRoutes } from './auth/trial/trial.routes.ts';
import { createTrials } from './auth/trial/trial.ts';
import { usesOwnKey } from './config/client-assertion.ts';
import type { Config } from './config/config.ts';
import { atMost } from './config/stop-times.ts';
import type { Principal } from './http/access.ts';
import { clientRoutes } from './http/client.routes.ts';
import { consoleRoutes } from './http/console.routes.ts';
import { createCors } from './http/cors.ts';
import { createEdge, type Edge } from './http/edge.ts';
import { securityHeaders } from './http/headers.ts';
import { createLimiter } from './http/limits.ts';
import { describeRoutes } from './http/openapi.ts';
import type { Route } from './http/route.ts';
import { systemRoutes } from './http/system.routes.ts';
import { loadCatalog } from './lookup/catalog.ts';
import { createChangeStream } from './lookup/change-stream.ts';
import { addDefaultLists } from './lookup/default-lists.ts';
import { createDocumentReader } from './lookup/documents/document-reader.ts';
import { listChangesRoutes } from './lookup/list-changes.routes.ts';
import { createListChanges } from './lookup/list-changes.ts';
import { lookupRoutes } from './lookup/lookup.routes.ts';
import { lookupAdminRoutes } from './lookup/lookup-admin.routes.ts';
import { lookupDocumentRoutes } from './lookup/lookup-document.routes.ts';
import { isStorageAway } from './storage/errors.ts';
import { watchRevisions } from './storage/revisions.ts';
import { createSealer } from './storage/secret.ts';
import type { Storage } from './storage/storage.ts';
import { describeError, type Log } from './telemetry/log.ts';
import type { MetricSources } from './telemetry/metrics.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

/** Of one session: a page renews every few minutes, and several tabs and reloads at once. */
const renewLimit = { quota: 60, windowSeconds: 60 };

/** Of one caller: its token lasts for minutes, and each of its processes may want one. */
const callerLimit = { quota: 120, windowSeconds: 60 };

interface AppOptions {
  config: Config;
  secretKey: string;
  storage: Storage;
  log: Log;
  telemetry: Telemetry | undefined;
  /** In milliseconds since 1970: no Date is created for each request. */
  clock: () => number;
}

export interface App {
  edge: Edge;
  connection: ProviderConnection;
  /** What metrics are read from. */
  sources: MetricSources;
  /** Ends the change streams, which do not end by themselves. */
  closeStreams(): void;
  /** Done every minute: the keys' next steps, and deleting what is no longer needed. */
  runHousekeeping(): Promise<void>;
  close(): Promise<void>;
}

export async function createApp({ config, secretKey, storage, log, telemetry, clock }: AppOptions): Promise<App> {
  const now = () => new Date(clock());
  const { publicUrl, lookupAdminRoles: adminRoles, lookupPlanRoles: planRoles, keepNeed } = config;
  const { db, reads } = storage;

  const auditKey = await ensureAuditKey(db, secretKey, now());
  if (auditKey === 'sealed') throw new WrongSecretKey();
  provideAuditKey(db, async () => auditKey);
  const ownsClientKey = usesOwnKey(config.provider?.assertion);
  const ofKeys = { db, secretKey, actor: frontdesk, now };
  const signingKeyOptions = { ...ofKeys, table: 'signing_key', alg: config.tokenAlg } as const;
  const clientKeyOptions = { ...ofKeys, ...clientKeyKind };
  const keysInUse = ownsClientKey ? [signingKeyOptions, clientKeyOptions] : [signingKeyOptions];
  for (const options of keysInUse) await ensureActiveKey(options);
  // Before anything is loaded: a change that comes meanwhile is found afterwards.
  const revisions = await watchRevisions({ storage, log, now, staleLimitSeconds: config.staleLimitSeconds });
  // Changes by other processes are read through `reads`, which never waits for writers.
  const keys = await loadSigningKeys(reads, secretKey);
  const clientKeys = await loadClientKeys(reads, secretKey, ownsClientKey);
  const sessions = await loadSessions({ db, reads, now });
  const callers = await loadCallers(reads, now);
  // Ended sessions of people, and removed registrations of programs.
  const hasEnded = (sessionId: string) => sessions.hasEnded(sessionId) || callers.wasRemoved(sessionId);
  const { tokenAudience: audience, clientId } = config;
  const accessTokens = createAccessTokens({ issuer: publicUrl, audience, clientId, keys, clock });
  const isHttps = publicUrl.startsWith('https:');
  const attempts = createLoginAttempts(await createSealer(secretKey, 'login attempts'), isHttps, 'login');
  const trialAttempts = createLoginAttempts(await createSealer(secretKey, 'trial attempts'), isHttps, 'trial');
  const browserSessions = createBrowserSessions(isHttps);
  const sealedTokens = await createSealedTokens(secretKey);
  const connection = createProviderConnection({ log, telemetry, now, ownKey: clientKeys.active });
  const revocations = createRevocations({ config, connection, sealedTokens, log });
  const ofSessions = { config, connection, browserSessions, sealedTokens, now };
  const signingIn = { ...ofSessions, db, accessTokens, telemetry, log };
  const refusedSignIns = createRefusedSignIns({ db, now, log });
  const login = createLogin({ ...signingIn, attempts, refusedSignIns });
  const trials = createTrials({ ...signingIn, reads, attempts: trialAttempts, revocations });
  const renewal = createRenewal({
    ...signingIn,
    secretKey,
    reads,
    sessions,
    revocations,
    limiter: createLimiter('renew', config.apiLimit.quota === 0 ? config.apiLimit : renewLimit, clock),
  });
  const logout = createLogout({ ...ofSessions, reads, sessions, revocations });
  const issuerKeys = createIssuerKeys({ ask: createAskProvider(telemetry), now, allowHttp: config.allowHttpIssuers });
  const callerTokens = createCallerTokens({
    db,
    accessTokens,
    verify: (assertion) => verifyAssertion(assertion, { callers, issuerKeys, publicUrl, now }),
    limiter: createLimiter('caller', config.apiLimit.quota === 0 ? config.apiLimit : callerLimit, clock),
    tokenTtlSeconds: config.tokenTtlSeconds,
    telemetry,
    now,
  });

  const listChanges = createListChanges(storage);
  const reader = createDocumentReader();
  await addDefaultLists(listChanges, db, now());
  const everyAnswer = securityHeaders(publicUrl);
  const catalog = await loadCatalog(reads, now, everyAnswer);
  const mayStay = ({ sessionId, expiresAt }: Principal) => !hasEnded(sessionId) && clock() < expiresAt * 1000;
  const stream = await createChangeStream({ db: reads, mayStay, ...catalog });
  const listsChanged = async () => {
    for (const { list, version, updatedAt } of await catalog.reload()) {
      log.info({ list, version }, 'list changed');
      telemetry?.listTakenUp((clock() - Date.parse(updatedAt)) / 1000);
    }
    await stream.publish();
  };

  // The change is committed already: what fails here is found again at the next poll.
  const publishListChanges = () =>
    listsChanged().catch((error: unknown) => log.warn(describeError(error), 'a changed list is not served yet'));

  const checkReady = async () => {
    keys.active();
    await storage.ping();
  };
  const { findVerified, verify } = accessTokens;
  const authenticator = { findVerified, verify, hasEnded, isStale: revisions.isStale };
  const recordReading = createRecordedReading({ db, now });
  const routes: Route[] = [
    ...lookupRoutes({ catalog, stream, readRoles: config.lookupReadRoles }),
    ...lookupAdminRoutes({
      publicUrl,
      adminRoles,
      planRoles,
      keepNeed,
      listChanges,
      reads,
      changed: publishListChanges,
      now,
    }),
    ...listChangesRoutes({ adminRoles, keepNeed, listChanges, reads, changed: publishListChanges, now }),
    ...lookupDocumentRoutes({ adminRoles, planRoles, keepNeed, listChanges, reader, changed: publishListChanges, now }),
    ...auditRoutes({ publicUrl, reads, readRoles: config.auditReadRoles, recordReading }),
    ...authRoutes({ publicUrl, reads, login, attempts, trials }),
    ...trialRoutes({ publicUrl, connection, trials }),
    ...sessionRoutes({ renewal, ownSessions: createOwnSessions({ reads, logout, now }) }),
    ...logoutRoutes(logout),
    ...callerRoutes({
      callerTokens,
      introspect: createIntrospect(authenticator, clock),
      introspectRoles: config.tokenIntrospectRoles,
    }),
    ...keysRoutes({ publicUrl, keys, clientKeys }),
    ...consoleRoutes(publicUrl),
    ...clientRoutes(publicUrl),
    ...systemRoutes({
      publicUrl,
      describe: () => describeRoutes(routes, { publicUrl, version: packageJson.version }),
      checkReady,
    }),
  ];
  const edge = createEdge(routes, {
    publicUrl,
    everyAnswer,
    authenticator,
    isStorageAway,
    limits: {
      login: createLimiter('login', config.loginLimit, clock),
      api: createLimiter('api', config.apiLimit, clock),
    },
    cors: createCors(config.corsOrigins),
    trustedProxies: config.trustedProxies,
    telemetry,
    log,
    clock,
  });

  revisions.on('keys', async () => {
    await keys.reload().finally(clientKeys.reload);
  });
  revisions.on('sessions', sessions.reload);
  revisions.on('callers', async () => {
    await callers.reload();
    issuerKeys.retain(callers.all().map(({ proof }) => proof));
  });
  revisions.on('lists', listsChanged);
  revisions.onPoll(async () => stream.publish(await catalog.rebuildForNewDay()));
  const logFailure = (act: () => Promise<void>) =>
    act().catch((error: unknown) => log.warn(describeError(error), 'housekeeping failed, trying again'));
  const runHousekeeping = () =>
    logFailure(async () => {
      for (const options of keysInUse) await advanceKeys({ ...options, rotationDays: config.keyRotationDays });
      await deleteOld(db, now());
      await eraseSealedTokens(db, now());
      await refusedSignIns.endMinute();
      await sealAudit({ db, key: auditKey, now, log });
      await revisions.poll();
    });
  const housekeeping = setInterval(runHousekeeping, 60_000);
  // More often: an ID token is kept for half a minute after its session's end, and never for a whole one.
  const erasing = setInterval(() => logFailure(() => eraseSealedTokens(db, now())), 20_000);

  return {
    edge,
    connection,
    sources: {
      lists: catalog.all,
      tokenChecks: accessTokens.checks,
      upToDateAt: revisions.upToDateAt,
      openStreams: stream.size,
      isProviderKnown: connection.isKnown,
    },
    runHousekeeping,
    closeStreams: stream.closeAll,
    async close() {
      clearInterval(housekeeping);
      clearInterval(erasing);
      revisions.stop();
      connection.close();
      reader.close();
      await logFailure(refusedSignIns.endMinute);
      await atMost(1000, revocations.finished());
    },
  };
}
