// Composition root: creates the features and lists every route.
import { auditRoutes } from './audit/audit.routes.ts';
import { ensureAuditKey } from './audit/key-making.ts';
import { sealAudit, sealingMs } from './audit/proof/sealing.ts';
import { createRetention } from './audit/retention.ts';
import { createAuth } from './auth/auth.ts';
import { callerRoutes } from './auth/callers/caller.routes.ts';
import { keysRoutes } from './auth/keys/keys.routes.ts';
import { createKeysInUse } from './auth/keys/keys-in-use.ts';
import { WrongSecretKey } from './auth/keys/stored-keys.ts';
import { loginRoutes } from './auth/login/login.routes.ts';
import { findNamed, findNames, findRoles } from './auth/people/person.queries.ts';
import { personRoutes } from './auth/people/person.routes.ts';
import type { ProviderConnection } from './auth/provider/connection.ts';
import { renewalRoutes } from './auth/renewal/renewal.routes.ts';
import { deleteOld, eraseSealedTokens } from './auth/sessions/cleaning.ts';
import { logoutRoutes } from './auth/sessions/logout.routes.ts';
import { sessionRoutes } from './auth/sessions/session.routes.ts';
import { trialRoutes } from './auth/trial/trial.routes.ts';
import { version } from './base/executable.ts';
import { isOwnHost } from './base/loopback.ts';
import { oneAtATime } from './base/one-at-a-time.ts';
import { atMost } from './base/stop-times.ts';
import type { Config } from './config/config.ts';
import { hasAnyRole } from './http/access.ts';
import { createAccessLog } from './http/arrival.ts';
import { clientRoutes, consoleRoutes } from './http/console.routes.ts';
import { createCors } from './http/cors.ts';
import { createEdge, type Edge } from './http/edge.ts';
import { securityHeaders } from './http/headers.ts';
import { createLimiter } from './http/limits.ts';
import { describeRoutes } from './http/openapi.ts';
import { permissionsRoutes } from './http/permissions.routes.ts';
import type { Route } from './http/route.ts';
import { systemRoutes } from './http/system.routes.ts';
import { listChangesRoutes } from './lookup/changing/list-changes.routes.ts';
import { changeOf } from './lookup/changing/list-changes.ts';
import { lookupAdminRoutes } from './lookup/changing/lookup-admin.routes.ts';
import { createDocumentReader } from './lookup/documents/document-reader.ts';
import { lookupDocumentRoutes } from './lookup/documents/lookup-document.routes.ts';
import type { writeDocument as WriteDocument } from './lookup/documents/write-document.ts';
import { readChangeTexts } from './lookup/history/history.queries.ts';
import { listHistoryRoutes } from './lookup/history/list-history.routes.ts';
import { createLookups } from './lookup/lookups.ts';
import { listSearchRoutes } from './lookup/reading/list-search.routes.ts';
import { createListSummaries } from './lookup/reading/list-summaries.ts';
import { lookupRoutes } from './lookup/reading/lookup.routes.ts';
import { hasTerms, searchable, searchTerms } from './lookup/rules/search.ts';
import { createClockCheck } from './storage/clock-check.ts';
import { isStorageAway, isUnwritable } from './storage/errors.ts';
import { watchRevisions } from './storage/revisions.ts';
import type { Db, Storage } from './storage/storage.ts';
import { createLineWriter, describeError, type Log } from './telemetry/log.ts';
import type { MetricSources } from './telemetry/metrics.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

/** How long sealing may delay startup. If there are many unsealed rows, sealing continues in the background. */
const sealAtStartMs = 2000;

interface AppOptions {
  config: Config;
  secretKey: string;
  storage: Storage;
  log: Log;
  telemetry: Telemetry | undefined;
  /** Milliseconds since 1970: a number, so that no Date is created for each request. */
  clock: () => number;
  /** Difference between this clock and the machine's clock, in milliseconds. Only tests move this clock. */
  movedMs: () => number;
}

export interface App {
  edge: Edge;
  connection: ProviderConnection;
  sources: MetricSources;
  /** Ends the change streams, which do not end by themselves. */
  closeStreams(): void;
  /** Runs every minute: rotates keys and deletes what is no longer needed. */
  runHousekeeping(): Promise<void>;
  close(): Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, secretKey, storage, log, telemetry, clock, movedMs } = options;
  const now = () => new Date(clock());
  const { publicUrl, keepNeed } = config;
  const { db, reads } = storage;

  const logFailure = (act: () => Promise<void>) =>
    act().catch((error: unknown) => log.warn(describeError(error), 'housekeeping failed, trying again'));
  const auditKey = await ensureAuditKey(db, secretKey, now(), (before) => {
    // In development, a new database is normal, so nothing is logged about it.
    if (config.production || before.row > 0 || before.seal > 0)
      log.warn(
        { before },
        'an audit key was created, which is expected only when the service first starts on a new database',
      );
  });
  if (auditKey === 'sealed') throw new WrongSecretKey();
  const seal = oneAtATime(() => sealAudit({ db, key: auditKey, now, log }));
  const sealRest = () => sealAudit({ db, key: auditKey, now, ...(config.production && { log }) });
  // Seals the rows that a killed process left unsealed. If their seal also covered newer rows, they would be kept longer than
  // retention allows.
  await atMost(sealAtStartMs, logFailure(sealRest));
  const { database, auditRetentionDays: days } = config;
  const retention = createRetention({ storage, database, key: auditKey, days, now, log });
  const keysInUse = createKeysInUse({ config, secretKey, storage, now });
  await keysInUse.ensureActive();
  // Started before anything is loaded, so that no change during loading is missed.
  const revisions = await watchRevisions({ storage, log, now, staleLimitSeconds: config.staleLimitSeconds });
  // The keys are loaded and reloaded on a connection for reads, which never waits for writers.
  const keys = await keysInUse.load();
  const { isStale } = revisions;
  const auth = await createAuth({ config, secretKey, storage, keys, isStale, log, telemetry, clock });
  const { authenticator, connection, trials } = auth;
  const everyAnswer = securityHeaders(publicUrl);
  const { hasEnded } = authenticator;
  const roles = {
    readRoles: config.lookupReadRoles,
    adminRoles: config.lookupAdminRoles,
    planRoles: config.lookupPlanRoles,
    auditRoles: config.auditReadRoles,
  };
  const namesOf = findNames;
  const lookups = await createLookups({
    storage,
    roles,
    keepNeed,
    namesOf,
    everyAnswer,
    hasEnded,
    log,
    telemetry,
    clock,
  });
  const { catalog, rights, stream, listChanges, publishChanges: changed } = lookups;
  // The module is loaded when the first document is requested.
  const writeDocument = async (...given: Parameters<typeof WriteDocument>) =>
    (await import('./lookup/documents/write-document.ts')).writeDocument(...given);
  const summaries = createListSummaries({ catalog, rights, reads, namesOf, changed });
  const reader = createDocumentReader();
  /** Checked every minute, and on every readiness request while the database is read-only. */
  let isReadOnly = false;
  const tryToWrite = oneAtATime(async () => {
    isReadOnly = await storage.tryToWrite().then(() => false, isUnwritable);
  });
  const checkReady = async () => {
    keys.signing.active();
    await storage.ping();
    if (isReadOnly) await tryToWrite();
    if (isReadOnly) throw new Error('the database cannot be written');
  };

  const hasWords = (words: string) => {
    const terms = searchTerms(words);
    return (text: string) => hasTerms(searchable(text), terms);
  };
  const changeTexts = (from: Db, detail: string) => {
    const { list, version } = changeOf(detail);
    return readChangeTexts(from, list, version);
  };

  const routes: Route[] = [
    ...lookupRoutes({ catalog, rights, stream }),
    ...lookupAdminRoutes({ publicUrl, summaries, rights, listChanges, reads, changed, now, writeDocument }),
    ...listSearchRoutes({ catalog, rights }),
    ...listHistoryRoutes({ rights, reads, namesOf }),
    ...listChangesRoutes({ rights, listChanges, reads, changed, now }),
    ...lookupDocumentRoutes({ rights, listChanges, reader, changed, now }),
    ...auditRoutes({
      publicUrl,
      namesOf,
      findNamed,
      hasWords,
      changeTexts,
      db,
      reads,
      now,
      readRoles: config.auditReadRoles,
    }),
    ...permissionsRoutes({
      checks: {
        seeLists: rights.maySeeAny,
        createLists: rights.mayKeepAll,
        readAudit: (principal) => hasAnyRole(principal, config.auditReadRoles),
      },
      adminRoles: config.lookupAdminRoles,
      findRoles: async () => [...namedRoles(config), ...auth.rolesOfCallers(), ...(await findRoles(reads))],
    }),
    ...loginRoutes(auth),
    ...personRoutes({ publicUrl, reads }),
    ...trialRoutes({ publicUrl, connection, trials }),
    ...renewalRoutes(auth),
    ...sessionRoutes({ reads, logout: auth.logout, now }),
    ...logoutRoutes({ logout: auth.logout, publicUrl, corsOrigins: config.corsOrigins }),
    ...callerRoutes({ ...auth, introspectRoles: config.tokenIntrospectRoles, clock }),
    ...keysRoutes({ publicUrl, keys }),
    ...consoleRoutes(publicUrl),
    ...clientRoutes(publicUrl),
    ...systemRoutes({
      publicUrl,
      describe: () => describeRoutes(routes, { publicUrl, version }),
      checkReady,
    }),
  ];
  const edge = createEdge(routes, {
    publicUrl,
    // The development provider asks for no password, so only requests to this machine's own host names are accepted.
    isOwnHost: config.provider === undefined ? isOwnHost : undefined,
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
    logAccess: config.accessLog === 'stdout' ? createAccessLog(config.instance, createLineWriter(1)) : undefined,
    log,
    clock,
  });

  revisions.on('keys', keys.reload);
  revisions.on('sessions', auth.reloadSessions);
  revisions.on('callers', auth.reloadCallers);
  revisions.on('lists', lookups.reload);
  revisions.onTime(lookups.startNewDay);
  const isClockRight = createClockCheck({ db: reads, clock: () => clock() - movedMs(), log });
  /** Runs the work only if the clock is right, because with a wrong clock it would do lasting damage. */
  const ifClockIsRight = async (act: () => Promise<void>) => {
    if (await isClockRight()) await act();
  };
  /**
   * Takes minutes for a million sessions. Simultaneous runs would wait for each other, each holding a connection that
   * sign-ins need.
   */
  const eraseTokens = oneAtATime(() => ifClockIsRight(() => eraseSealedTokens(db, now())));
  const runHousekeeping = oneAtATime(() =>
    logFailure(async () => {
      await tryToWrite();
      await ifClockIsRight(keysInUse.advance);
      await auth.refusedSignIns.endMinute();
      await ifClockIsRight(auth.forgetExpiredSessions);
      await seal();
      // Not awaited, because it may take hours.
      void logFailure(() => ifClockIsRight(retention.run));
      await revisions.poll();
      // The following two run last, because they may process a million rows.
      await eraseTokens();
      await ifClockIsRight(() => deleteOld(db, now()));
    }),
  );
  const housekeeping = setInterval(runHousekeeping, 60_000);
  // Not part of housekeeping, which may take longer than a minute.
  const sealing = setInterval(() => logFailure(seal), sealingMs);
  // Runs more often than housekeeping, because an ID token is kept for half a minute after its session ends and must be gone
  // within a minute.
  const erasing = setInterval(() => logFailure(eraseTokens), 20_000);

  return {
    edge,
    connection,
    sources: {
      pools: storage.pools,
      lists: catalog.all,
      tokenChecks: auth.tokenChecks,
      upToDateAt: revisions.upToDateAt,
      openStreams: stream.size,
      isProviderKnown: connection.isKnown,
    },
    runHousekeeping,
    closeStreams: stream.closeAll,
    async close() {
      clearInterval(housekeeping);
      clearInterval(sealing);
      clearInterval(erasing);
      revisions.stop();
      connection.close();
      reader.close();
      await logFailure(auth.refusedSignIns.endMinute);
      const rest = [auth.revocations.finished(), auth.renewal.stop(), retention.stop(), logFailure(sealRest)];
      await atMost(1000, Promise.all(rest));
    },
  };
}

/** Roles named in the settings. In ROLE_MAP, an empty string means that the role is dropped. */
function namedRoles(config: Config): string[] {
  const { lookupReadRoles, lookupPlanRoles, lookupAdminRoles, auditReadRoles, tokenIntrospectRoles } = config;
  const settings = [lookupReadRoles, lookupPlanRoles, lookupAdminRoles, auditReadRoles, tokenIntrospectRoles];
  return [...settings.flat(), ...config.roleMap.values(), ...config.presetRoleMap.values()].filter(
    (role) => role !== '',
  );
}
