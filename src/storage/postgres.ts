// Kysely over pg: the engine for several replicas.
import { PostgresDialect } from 'kysely';
import { Client, type ClientConfig, Pool } from 'pg';
import { readPostgresAddress } from '../base/postgres-address.ts';
import { atMost } from '../base/stop-times.ts';
import { Hosts } from './postgres-hosts.ts';
import { type Executed, GuardedPool, longestCloseMs, type Reachability } from './postgres-pool.ts';

/** Hosts, ports and database, without user and password: for messages and logs. */
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
  /** For a connection: to be made, or to become free. */
  connectionTimeoutMillis: 2000,
  /** For a statement, measured here: it also ends the waiting for a server that does not answer at all. */
  query_timeout: 3500,
} satisfies ClientConfig;

/**
 * The limits at the server, of each transaction: 3 s for a statement, and 10 s without one, so that a replica that vanished
 * does not hold its locks. Sent with `begin` in one message. Not as parameters of the connection: poolers refuse those.
 * Nor as settings of the session: in transaction mode, a pooler gives the connection to others.
 */
const beginLimited = 'begin; set local statement_timeout = 3000; set local idle_in_transaction_session_timeout = 10000';
/** Whatever limits the role has. */
const beginUnlimited = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

interface PostgresOptions {
  /** The most connections at once. */
  size: number;
  reachability?: Reachability;
  /** Also called for connections that could not be made. */
  executed?: Executed | undefined;
  /** For a connection to become free; as long as for one to be made, where it is left out. */
  longestWaitMs?: number;
  /** For migrations, which wait for each other and may take long. */
  isUnlimited?: boolean;
}

export function openPostgres(
  url: string,
  { size, reachability, executed, longestWaitMs, isUnlimited = false }: PostgresOptions,
): PooledDialect {
  const { connectionTimeoutMillis } = limits;
  const hosts = new Hosts(url);
  /** Made for the host that is current by then. */
  class HostClient extends Client {
    constructor(options?: ClientConfig) {
      // Statements are sent when they are given, and not after the answers to those before.
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
  // An error event without a listener would end the process. The next query finds that the connection is broken.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const begin = isUnlimited ? beginUnlimited : beginLimited;
  return new PooledDialect(new GuardedPool(pool, { hosts, size, reachability, executed, begin }));
}

/** Kysely's, with its pool in reach. */
export class PooledDialect extends PostgresDialect {
  readonly pool: GuardedPool;

  constructor(pool: GuardedPool) {
    super({ pool });
    this.pool = pool;
  }
}

const reconnectMs = 500;
const probeIntervalMs = 10_000;

/** Calls back at each notice, and whenever some may have been missed. Reconnects by itself. */
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
    // A connection that was cut without notice looks like an idle one.
    const probe = setInterval(() => client?.query('select 1').catch(gone.resolve), probeIntervalMs);
    await gone.promise;
    clearInterval(probe);
  }

  const listening = (async () => {
    while (!stopped) {
      // The poll in revisions.ts finds what is missed meanwhile, and reports that the storage is away.
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
