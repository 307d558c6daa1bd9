// A whole Frontdesk for a test: real ports, a real provider, its own database, and a log that can be read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from 'oidc-provider';
import { pino } from 'pino';
import { type Config, readConfig } from '../../src/config/config.ts';
import { makePrivateJwk, startDevelopmentProvider } from '../../src/dev/development-provider.ts';
import { type Service, startService } from '../../src/serve.ts';
import { Browser } from './browser.ts';
import { engine, makeDatabase, type TestDatabase } from './database.ts';
import { freePort } from './ports.ts';

export interface Frontdesk {
  url: string;
  issuer: string;
  config: Config;
  /** Every line logged so far, at all levels. */
  logged: string[];
  database: TestDatabase;
  folder: string;
  /** The environment for commands on the same database. */
  commandEnv: Record<string, string>;
  /** Moves the service's clock, as if time had passed. */
  advance(seconds: number): void;
  /** Makes the service's clock wrong by this much, without time passing. */
  missetClock(seconds: number): void;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Signs a sample person in with a bound sign-in, and returns the access token. */
  signIn(person?: string): Promise<string>;
  /** Signs a sample person in, and returns the cookies that give a real browser that session. */
  signInCookies(person: string): Promise<{ name: string; value: string; url: string }[]>;
  /** Runs the housekeeping that the service does every minute. */
  runHousekeeping(): Promise<void>;
  /** Restarts with the same database. */
  restart(changes?: Record<string, string>): Promise<Frontdesk>;
  stop(): Promise<void>;
}

/** The user agent of a browser that the list of sessions can name. */
const chrome = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
};

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'frontdesk-'));
}

/** Starts a Frontdesk. If `shared` is the database of another Frontdesk, the new one is a replica of that one. */
export async function startFrontdesk(
  env: Record<string, string> = {},
  folder = makeFolder(),
  shared?: TestDatabase,
): Promise<Frontdesk> {
  const port = freePort();
  const database = shared ?? (await makeDatabase(folder));
  const settings = {
    PORT: String(port),
    DATABASE_URL: database.url,
    // Tests sign in more often per minute from one address than people do.
    RATE_LIMIT_LOGIN: '0',
    ...(engine === 'postgres' && { SECRET_KEY: 'for tests on a server, which has no data folder' }),
    ...env,
  };
  const config = readConfig(settings);
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  let [lead, wrong] = [0, 0];
  // How far the clock was moved on purpose: by `advance`, or by a test that moves Date.now and with it the provider's clock.
  const moved = () => Date.now() + lead * 1000 - (performance.timeOrigin + performance.now());
  const service: Service = await startService(config, log, () => Date.now() + (lead + wrong) * 1000, moved);
  const url = `http://localhost:${config.port}`;

  return {
    url,
    issuer: service.issuer,
    config,
    logged,
    database,
    folder,
    commandEnv: {
      DATABASE_URL: database.url,
      ...(config.secretKey !== undefined && { SECRET_KEY: config.secretKey }),
    },
    advance(seconds) {
      lead += seconds;
    },
    missetClock(seconds) {
      wrong = seconds;
    },
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: 'manual' }),
    async signIn(person = 'E-1001') {
      const { response } = await new Browser(chrome).follow(`${url}/auth/login?login_hint=${person}`);
      const { accessToken } = (await response.json()) as { accessToken: string };
      return accessToken;
    },
    async signInCookies(person) {
      const browser = new Browser(chrome);
      await browser.follow(`${url}/auth/login?login_hint=${person}`);
      const cookies = [...browser.cookies.values()].filter(({ name }) => name === 'frontdesk_session');
      return cookies.map(({ name, value }) => ({ name, value, url }));
    },
    runHousekeeping: service.runHousekeeping,
    async restart(changes = {}) {
      await service.stop();
      return startFrontdesk({ ...settings, ...changes }, folder, database);
    },
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let rsaKey: ReturnType<typeof makePrivateJwk> | undefined;
/** Signs with RS256, as most providers do. By default, the development provider uses another algorithm. */
async function signWithRsa(): Promise<Configuration> {
  rsaKey ??= makePrivateJwk('RS256');
  return { jwks: { keys: [await rsaKey] }, clientDefaults: {} };
}

/** A Frontdesk with its own provider, whose client secret the test knows. */
export async function startWithProvider(overrides: Configuration = {}) {
  const port = freePort();
  const clientId = 'desk';
  const clientSecret = 's3cret & more';
  const redirectUris = [`http://localhost:${port}/auth/login/callback`];
  const provider = await startDevelopmentProvider({
    port: freePort(),
    portsToTry: 20,
    clientId,
    clientSecret,
    redirectUris,
    postLogoutUris: [`http://localhost:${port}/`],
    backchannelLogoutUri: `http://localhost:${port}/auth/backchannel-logout`,
    overrides: { ...(await signWithRsa()), ...overrides },
  });
  const env = {
    SECRET_KEY: 'shared by all replicas, long enough',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  };
  const desk = await startFrontdesk({ PORT: String(port), ...env });
  /** Starts another Frontdesk on the same database. */
  const startReplica = (changes: Record<string, string> = {}) =>
    startFrontdesk({ ...env, PUBLIC_URL: desk.url, ...changes }, desk.folder, desk.database);
  return { desk, provider, clientId, clientSecret, startReplica };
}

type SignInPlace = Pick<Frontdesk, 'url' | 'issuer'> & { config: Pick<Config, 'clientId'> };

/** Returns the address, with a code, to which the provider redirects a client that signs in without /auth/login. */
export async function codeFromProvider(at: SignInPlace, parameters: Record<string, string> = {}): Promise<URL> {
  const query = new URLSearchParams({
    client_id: at.config.clientId,
    response_type: 'code',
    scope: 'openid profile email phone',
    redirect_uri: `${at.url}/auth/login/callback`,
    login_hint: 'E-1003',
    ...parameters,
  });
  const { url } = await new Browser().follow(`${at.issuer}/auth?${query}`, ({ origin }) => origin === at.url);
  return url;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Settings for a Frontdesk whose clock is moved by hours: its tokens are valid for a day. */
export const lastsADay = {
  TOKEN_TTL_SECONDS: '86400',
  SESSION_IDLE_SECONDS: '86400',
  SESSION_MAX_SECONDS: '86400',
};
