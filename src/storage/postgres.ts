// Kysely over pg: the engine for several replicas.
import { PostgresDialect } from 'kysely';
import { Client, type ClientConfig, Pool } from 'pg';
import { readPostgresAddress } from '../base/postgres-address.ts';
import { atMost } from '../base/stop-times.ts';
import { Hosts } from './postgres-hosts.ts';
import { type Executed, GuardedPool, longestCloseMs, type Reachability } from './postgres-pool.ts';

/** Hosts, ports and database for messages and logs, without user and password. */
export function nameOfPostgres(address: string): string {
  const places = readPostgresAddress(address).urls.map((url) => {
    const { hostname, port, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? (hostname || 'localhost');
    return `${host}:${searchParams.get('port') ?? (port || '5432')}`;
  });
  return `postgres://${places.join(',')}${databaseOf(address)}`;
}

const databaseOf = (address: string) => new URL(readPostgresAddress(address).urls[0]).pathname;

const limits = {
  /** Time limit for making a connection, or for one to become free. */
  connectionTimeoutMillis: 2000,
  /** Time limit for a statement, measured here, so that it also applies if the server does not answer at all. */
  query_timeout: 3500,
} satisfies ClientConfig;

/**
 * Time limits enforced by the server for each transaction: 3 s for a statement, and 10 s between two statements, so that a
 * vanished replica does not hold its locks. They are sent in one message with `begin`. They are not connection parameters,
 * because poolers refuse those, and not session settings, because a pooler in transaction mode gives the connection to other
 * clients.
 */
const beginLimited = 'begin; set local statement_timeout = 3000; set local idle_in_transaction_session_timeout = 10000';
/** Overrides any limits set for the role. */
const beginUnlimited = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

interface PostgresOptions {
  /** Maximum number of connections. */
  size: number;
  reachability?: Reachability;
  /** Also called for connections that could not be made. */
  executed?: Executed | undefined;
  /** Called with the time that it took to get a connection, or to give up because none became free. */
  taken?: ((milliseconds: number) => void) | undefined;
  /** How long to wait for a connection to become free. The default is the time limit for making one. */
  longestWaitMs?: number;
  /** Turns off the time limits, because migrations wait for each other and may take long. */
  isUnlimited?: boolean;
}

export function openPostgres(
  url: string,
  { size, reachability, executed, taken, longestWaitMs, isUnlimited = false }: PostgresOptions,
): PooledDialect {
  const { connectionTimeoutMillis } = limits;
  const hosts = new Hosts(url);
  /** Connects to the host that is current when the client is created. */
  class HostClient extends Client {
    constructor(options?: ClientConfig) {
      // Statements are sent at once, without waiting for the answers to earlier ones.
      super({ ...options, connectionTimeoutMillis, ...hosts.current, pipeline: true });
    }
  }
  const pool = new Pool({
    ...(isUnlimited ? {} : limits),
    connectionTimeoutMillis: longestWaitMs ?? connectionTimeoutMillis,
    max: size,
    Client: HostClient,
    onConnect: (client) => hosts.expectWriter(client),
  });
  // Without a listener, an error event would end the process. The next query finds that the connection is broken.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const begin = isUnlimited ? beginUnlimited : beginLimited;
  return new PooledDialect(new GuardedPool(pool, { hosts, size, reachability, executed, taken, begin }));
}

/** Kysely's dialect, with access to its pool. */
export class PooledDialect extends PostgresDialect {
  readonly pool: GuardedPool;

  constructor(pool: GuardedPool) {
    super({ pool });
    this.pool = pool;
  }
}

const reconnectMs = 500;
const probeIntervalMs = 10_000;

/** Calls back on each notice, and whenever one may have been missed. Reconnects automatically. */
export function listenToPostgres(url: string, onNotice: () => void): () => Promise<void> {
  const hosts = new Hosts(url);
  let stopped = false;
  let client: Client | undefined;

  async function listenOnce(): Promise<void> {
    const gone = Promise.withResolvers<void>();
    client = new Client({ ...limits, ...hosts.current });
    client.on('error', () => gone.resolve());
    client.on('end', () => gone.resolve());
    client.on('notification', onNotice);
    await client.connect();
    await client.query('listen frontdesk');
    onNotice();
    // Without this probe, a connection that was cut without notice would only look idle.
    const probe = setInterval(() => client?.query('select 1').catch(gone.resolve), probeIntervalMs);
    await gone.promise;
    clearInterval(probe);
  }

  const listening = (async () => {
    while (!stopped) {
      // The poll in revisions.ts finds changes missed meanwhile, and reports that the storage is unavailable.
      const host = hosts.current;
      // A standby refuses to listen.
      await listenOnce().catch(() => hosts.passOver(host));
      void client?.end().catch(() => {});
      if (!stopped) await Bun.sleep(reconnectMs);
    }
  })();

  return async () => {
    stopped = true;
    await atMost(longestCloseMs, Promise.allSettled([client?.end()]));
    await atMost(longestCloseMs, listening);
  };
}
