// Composition root: everything is made here, and every route is on this screen.
import packageJson from '../package.json';
import { clockToleranceSeconds, createAccessTokens } from './auth/access-token.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { createLogin } from './auth/login.ts';
import { createLoginAttempts } from './auth/login-attempt.ts';
import { createProviderConnection, type ProviderConnection } from './auth/provider-connection.ts';
import { createSealer } from './auth/secret.ts';
import { loadSessions } from './auth/sessions.ts';
import { loadSigningKeys } from './auth/signing-keys.ts';
import type { Config } from './config.ts';
import { createEdge, type Edge } from './http/edge.ts';
import { systemRoutes } from './http/system.routes.ts';
import type { Log } from './log.ts';
import { loadCatalog } from './lookup/catalog.ts';
import { defaultLists } from './lookup/default-lists.ts';
import { addMissingLists } from './lookup/lookup.queries.ts';
import { lookupRoutes } from './lookup/lookup.routes.ts';
import { isStorageAway, type Storage } from './storage/storage.ts';

interface AppOptions {
  config: Config;
  secretKey: string;
  storage: Storage;
  log: Log;
  now: () => Date;
}

export interface App {
  edge: Edge;
  connection: ProviderConnection;
}

export async function createApp({ config, secretKey, storage, log, now }: AppOptions): Promise<App> {
  const { publicUrl, redirectUris } = config;
  const { db } = storage;

  const keys = await loadSigningKeys({ db, secretKey, alg: config.tokenAlg, now });
  const sessions = await loadSessions({ db, now, toleranceSeconds: clockToleranceSeconds });
  const { tokenAudience: audience, clientId } = config;
  const accessTokens = createAccessTokens({ issuer: publicUrl, audience, clientId, keys, now });
  const attempts = createLoginAttempts(await createSealer(secretKey, 'login attempts'), publicUrl.startsWith('https:'));
  const connection = createProviderConnection(log);
  const login = createLogin({ config, db, connection, attempts, accessTokens, now, log });

  await addMissingLists(db, defaultLists, now());
  const catalog = await loadCatalog(db);

  const routes = [
    ...lookupRoutes({ catalog, readRoles: config.lookupReadRoles }),
    ...authRoutes({ publicUrl, db, login, attempts, sessions, keys }),
    ...systemRoutes({ publicUrl, redirectUris, describe: () => edge.describe(), checkReady: storage.ping }),
  ];
  const authenticator = { verify: accessTokens.verify, hasEnded: sessions.hasEnded };
  const { version } = packageJson;
  const edge: Edge = createEdge(routes, { publicUrl, version, authenticator, isStorageAway, log });
  return { edge, connection };
}
