// Kysely over pg: the engine for several replicas.
import { type Dialect, PostgresDialect, type PostgresDialectConfig } from 'kysely';
import {
  Client,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryResult,
  TypeOverrides,
  types,
} from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { atMost } from '../config/stop-times.ts';
import { ConnectionLost } from './errors.ts';
import type { Executed } from './storage.ts';

type PostgresPool = Exclude<PostgresDialectConfig['pool'], (...args: never[]) => unknown>;

/** Host, port and database, without user and password: for messages and logs. */
export function nameOfPostgres(address: string): string {
  const { hostname, port, pathname, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? (hostname || 'localhost');
  return `postgres://${host}:${searchParams.get('port') ?? (port || '5432')}${pathname}`;
}

const limits = {
  /** For a connection: to be made, or to become free. */
  connectionTimeoutMillis: 2000,
  /** For a statement, at the server, and here for a server that does not answer at all. */
  statement_timeout: 3000,
  query_timeout: 3500,
  /** A replica that vanished in the middle of a transaction must not hold its locks. */
  idle_in_transaction_session_timeout: 10_000,
} satisfies ClientConfig;

/** Numbers of 64 bits as SQLite returns them, and not as text: none here is beyond what a number holds. */
const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, Number);

function clientConfig(url: string): ClientConfig {
  return { application_name: 'frontdesk', keepAlive: true, types: parsers, ...parseIntoClientConfig(url) };
}

/** Whether the server can be reached, shared by the pools of one storage. */
export class Reachability {
  #isAway = false;
  #nextTryAt = 0;

  /** Throws at once while it is away, but lets one caller try every half second. */
  expect(): void {
    if (!this.#isAway) return;
    const now = performance.now();
    if (now < this.#nextTryAt) throw new ConnectionLost(new Error('it was away a moment ago'));
    this.#nextTryAt = now + pauseMs;
  }

  found(): void {
    this.#isAway = false;
  }

  lost(): void {
    this.#isAway = true;
    this.#nextTryAt = performance.now() + pauseMs;
  }
}

const pauseMs = 500;

interface PostgresOptions {
  /** The most connections at once. */
  size: number;
  reachability?: Reachability;
  /** Also called for connections that could not be made. */
  executed?: Executed | undefined;
  /** For migrations, which wait for each other and may take long. */
  isUnlimited?: boolean;
}

export function openPostgres(
  url: string,
  { size, reachability = new Reachability(), executed, isUnlimited = false }: PostgresOptions,
): Dialect {
  const { connectionTimeoutMillis } = limits;
  const pool = new Pool({ ...(isUnlimited ? { connectionTimeoutMillis } : limits), ...clientConfig(url), max: size });
  ignoreLateErrors(pool);
  return new PostgresDialect({ pool: guard(pool, size, reachability, executed) });
}

/** An error event without a listener would end the process. The next query finds that the connection is broken. */
function ignoreLateErrors(pool: Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}

/** The pool as Kysely sees it. A connection that failed is not handed to the next one. */
function guard(pool: Pool, size: number, reachability: Reachability, executed?: Executed): PostgresPool {
  async function take(): Promise<PoolClient> {
    const start = performance.now();
    const isFull = pool.idleCount === 0 && pool.totalCount >= size;
    try {
      reachability.expect();
      const client = await pool.connect();
      reachability.found();
      return client;
    } catch (error) {
      executed?.('connect', performance.now() - start, true);
      if (error instanceof DatabaseError || error instanceof ConnectionLost) throw error;
      // Where all are in use, none became free in time: that says nothing about the server.
      if (!isFull) reachability.lost();
      throw new ConnectionLost(error);
    }
  }
  return {
    connect: async () => guardClient(await take(), take, size, reachability),
    async end() {
      await waitForClose(pool.end());
    },
  };
}

/** Closing is not waited for longer: a server that does not answer any more does not answer this either. */
async function waitForClose(closed = Promise.resolve()): Promise<void> {
  await atMost(
    1000,
    closed.catch(() => {}),
  );
}

function guardClient(first: PoolClient, take: () => Promise<PoolClient>, size: number, reachability: Reachability) {
  let client = first;
  /** The pool may hold so many closed connections. No retry once a statement has succeeded. */
  let retries = size;
  let broken: Error | undefined;

  async function query(text: string, values: unknown[]): Promise<QueryResult> {
    // A lost connection answers nothing any more, not even a rollback.
    if (broken !== undefined) throw broken;
    try {
      const result = await client.query(text, values);
      retries = 0;
      return result;
    } catch (error) {
      if (!isFatal(error)) throw error;
      const isTimeout = error instanceof Error && error.message === 'Query read timeout';
      if (isTimeout) reachability.lost();
      broken = error instanceof DatabaseError ? error : new ConnectionLost(error);
      if (isTimeout || retries-- === 0) throw broken;
    }
    // It was closed while it was idle in the pool. Nothing has been done on it yet, so another one can take its place.
    client.release(broken);
    client = await take();
    broken = undefined;
    return query(text, values);
  }

  return {
    async query(text: string, values: unknown[]) {
      const result = await query(text, values);
      // After a failed statement, PostgreSQL answers a commit with ROLLBACK and no error: nothing was committed.
      if (text === 'commit' && result.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
      return result;
    },
    release: () => client.release(broken),
    // Without cursors, which Kysely would need for streams of rows.
  } as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
}

/** Whether the connection is gone with it. */
function isFatal(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}

const probeIntervalMs = 10_000;

/** Calls back at each notice, and whenever some may have been missed. Reconnects by itself. */
export function listenToPostgres(url: string, onNotice: () => void): () => Promise<void> {
  let stopped = false;
  let client: Client | undefined;

  async function listenOnce(): Promise<void> {
    const gone = Promise.withResolvers<void>();
    client = new Client({ ...limits, ...clientConfig(url) });
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
      await listenOnce().catch(() => {});
      void client?.end().catch(() => {});
      if (!stopped) await Bun.sleep(pauseMs);
    }
  })();

  return async () => {
    stopped = true;
    await waitForClose(client?.end());
    await waitForClose(listening);
  };
}
