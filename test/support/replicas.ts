// Several Frontdesk processes on one database, with one real provider, as an operator runs them.
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'oidc-provider';
import { startDevelopmentProvider } from '../../src/dev/development-provider.ts';
import { Browser } from './browser.ts';
import { bearer, codeFromProvider, makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { spawnFrontdesk, untilReady } from './process.ts';
import { longestWaitMs, untilWorks } from './waiting.ts';

export interface Replica {
  url: string;
  pid(): number;
  isRunning(): boolean;
  start(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Stops the replica with SIGTERM, as an operator would. */
  stop(): Promise<void>;
  log(): string;
}

export interface Cluster extends AsyncDisposable {
  replicas: Replica[];
  /** Adds a replica that will be started with this command. Does not start it yet. */
  add(command?: readonly string[]): Replica;
  publicUrl: string;
  issuer: string;
  token: string;
  folder: string;
  /** Gets a code from the provider; returns the path that redeems it. */
  callback(person?: string): Promise<string>;
  signIn(at?: Replica, person?: string): Promise<string>;
  /** Begins a sign-in at one replica and ends it at another. Returns the access token, and the cookie that renews the session. */
  signInBound(from: Replica, to: Replica): Promise<{ token: string; cookie: string }>;
  stopProvider(): Promise<void>;
  startProvider(): Promise<void>;
  /** Starts replicas that are not running: Bun kills them when a test times out, but later tests may share them. */
  startMissing(): Promise<void>;
  stop(): Promise<void>;
}

interface ClusterOptions {
  count: number;
  /** One address for all replicas, or one for each. */
  databaseUrls: string[];
  publicUrl?: string;
  env?: Record<string, string>;
  /** Changes to the provider's own configuration. */
  overrides?: Configuration;
  /** Shell commands to run before each replica, such as ulimit. */
  limits?: string;
  /** The command that starts each replica; by default the executable, if there is one. */
  command?: readonly string[];
}

export const secretKey = 'shared by all replicas, long enough';

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    count,
    databaseUrls,
    publicUrl = `http://localhost:${freePort()}`,
    env = {},
    overrides = {},
    limits,
    command,
  } = options;
  const folder = makeFolder();
  const providerOptions = {
    port: freePort(),
    portsToTry: 1,
    clientId: 'desk',
    clientSecret: 'the secret of this client',
    redirectUris: [`${publicUrl}/auth/login/callback`],
    postLogoutUris: [`${publicUrl}/`],
    backchannelLogoutUri: `${publicUrl}/auth/backchannel-logout`,
    overrides,
  };
  let provider = await startDevelopmentProvider(providerOptions);
  const { issuer } = provider;

  const replicas: Replica[] = [];
  const add = (words?: readonly string[]) => {
    const index = replicas.length;
    const replica = makeReplica(folder, index, limits, words, {
      NODE_ENV: 'production',
      PUBLIC_URL: publicUrl,
      SECRET_KEY: secretKey,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: providerOptions.clientId,
      OIDC_CLIENT_SECRET: providerOptions.clientSecret,
      DATABASE_URL: databaseUrls[index % databaseUrls.length] ?? '',
      RATE_LIMIT_LOGIN: '0',
      RATE_LIMIT_API: '0',
      ...env,
    });
    replicas.push(replica);
    return replica;
  };
  const callback = async (login_hint = 'E-1001') => {
    const at = { url: publicUrl, issuer, config: { clientId: providerOptions.clientId } };
    return `/auth/login/callback${(await codeFromProvider(at, { login_hint })).search}`;
  };
  const signIn = async (at = replicas[0], person?: string) => {
    const response = await fetch(`${at?.url}${await callback(person)}`);
    if (response.status !== 200) throw new Error(`sign-in: ${response.status}`);
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  const signInBound = async (from: Replica, to: Replica) => {
    const browser = new Browser();
    const isBack = ({ pathname }: URL) => pathname === '/auth/login/callback';
    const { url } = await browser.follow(`${from.url}/auth/login?login_hint=E-1003`, isBack);
    const response = await browser.request(to.url + url.pathname + url.search);
    if (response.status !== 200) throw new Error(`sign-in: ${response.status}`);
    const { accessToken: token } = (await response.json()) as { accessToken: string };
    const kept = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
    return { token, cookie: `frontdesk_session=${kept?.value}` };
  };
  async function stop(): Promise<void> {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
  async function startAll(): Promise<string> {
    for (let made = 0; made < count; made++) add(command);
    await Promise.all(replicas.map((replica) => replica.start()));
    return signIn();
  }
  const token = await startAll().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    replicas,
    add,
    publicUrl,
    issuer,
    folder,
    signInBound,
    token,
    callback,
    signIn,
    stopProvider: () => provider.close(),
    async startProvider() {
      provider = await startDevelopmentProvider(providerOptions);
    },
    async startMissing() {
      await Promise.all(replicas.filter((replica) => !replica.isRunning()).map((replica) => replica.start()));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The exit code for temporary failures: sysexits.h, EX_TEMPFAIL. */
const tryAgain = 75;

function makeReplica(
  folder: string,
  index: number,
  limits: string | undefined,
  command: readonly string[] | undefined,
  env: Record<string, string>,
): Replica {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const logFile = join(folder, `replica-${index}.log`);
  let child: Bun.Subprocess | undefined;
  return {
    url,
    pid: () => child?.pid ?? 0,
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    async start() {
      do {
        const log = openSync(logFile, 'a');
        child = spawnFrontdesk([], { ...env, PORT: String(port) }, folder, log, {
          limits,
          ...(command !== undefined && { command }),
        });
        closeSync(log);
        await Promise.race([untilReady(url), child.exited]);
        // Restarts it as a supervisor would, because the database was not available at that moment.
      } while (child.exitCode === tryAgain);
      // The log is deleted with its folder after a failed test, so it is printed here.
      if (child.exitCode !== null)
        throw new Error(`${url} did not come up:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
    },
    async kill() {
      child?.kill('SIGKILL');
      await child?.exited;
    },
    async stop() {
      child?.kill('SIGTERM');
      await child?.exited;
    },
    log: () => readFileSync(logFile, 'utf8'),
  };
}

/** Starts a replica, and returns the seconds until it serves. */
export async function secondsToStart(replica: Replica): Promise<number> {
  const start = performance.now();
  await replica.start();
  return (performance.now() - start) / 1000;
}

/** Renames one item repeatedly, and remembers which changes were acknowledged. */
export class Writer {
  readonly acknowledged = new Map<number, string>();
  /** The status of the last answer. */
  status = 0;
  #version = 1;
  #count = 0;
  readonly #list: string;
  readonly #value: string;
  readonly #init: BunFetchRequestInit;

  constructor(list: string, value: string, init: BunFetchRequestInit = {}) {
    this.#list = list;
    this.#value = value;
    this.#init = init;
  }

  /** Returns true if the change was acknowledged. After a conflict or a lost connection, it reads the current version. */
  async write(url: string, token: string): Promise<boolean> {
    const label = `Change ${++this.#count}`;
    const address = `${url}/admin/lookups/${this.#list}`;
    const headers = { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${this.#version}"` };
    const change = {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ label }),
      signal: AbortSignal.timeout(longestWaitMs),
    };
    const response = await fetch(`${address}/items/${this.#value}`, { ...this.#init, ...change });
    this.status = response.status;
    if (response.status === 200) {
      this.#version = ((await response.json()) as { version: number }).version;
      this.acknowledged.set(this.#version, label);
      return true;
    }
    await this.look(url, token);
    return false;
  }

  async look(url: string, token: string): Promise<void> {
    const response = await fetch(`${url}/admin/lookups/${this.#list}`, { ...this.#init, headers: bearer(token) });
    if (response.status === 200) this.#version = ((await response.json()) as { version: number }).version;
  }

  /** How many acknowledged changes are missing or different in the history. */
  async countLost(url: string, token: string): Promise<number> {
    const found = new Map<number, string>();
    for (let before: number | undefined; before !== 1; ) {
      const query = before === undefined ? '' : `&before=${before}`;
      const address = `${url}/admin/lookups/${this.#list}/history?limit=500${query}`;
      let entries: { version: number; changes: { after: { label?: string } }[] }[] = [];
      // A proxy may still send a new connection to a dead server.
      await untilWorks(async () => {
        const response = await fetch(address, { headers: bearer(token) });
        if (response.ok) entries = (await response.json()) as typeof entries;
        return response.ok;
      });
      for (const { version, changes } of entries) found.set(version, changes[0]?.after.label ?? '');
      before = entries.at(-1)?.version ?? 1;
    }
    return [...this.acknowledged].filter(([version, label]) => found.get(version) !== label).length;
  }
}
