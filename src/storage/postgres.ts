// Kysely over pg: the engine for several replicas.
import { type Dialect, PostgresDialect, type PostgresDialectConfig } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, types } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

// Numbers, as SQLite has them: none here grows beyond what a number holds.
types.setTypeParser(types.builtins.INT8, Number);

type PostgresPool = Exclude<PostgresDialectConfig['pool'], (...args: never[]) => unknown>;

/** Where it is, without who we are there: for messages and logs. */
export function nameOfPostgres(url: string): string {
  const { host, port, database } = parseIntoClientConfig(url);
  return `postgres://${host || 'localhost'}:${port ?? 5432}/${database ?? ''}`;
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

function clientConfig(url: string): ClientConfig {
  return { application_name: 'frontdesk', keepAlive: true, ...parseIntoClientConfig(url) };
}

/** The connection, or the server behind it, is not there. */
class ConnectionLost extends Error {
  readonly code: unknown;

  constructor(cause: unknown) {
    super('the connection to PostgreSQL is lost', { cause });
    this.name = 'ConnectionLost';
    this.code = (cause as { code?: unknown }).code;
  }
}

/** What the pools of one storage know together: whether the server is there. */
export class Reachability {
  #isAway = false;
  #nextTryAt = 0;

  /** Throws at once while it is away, but lets one try every half second. */
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
  /** For migrations, which wait for each other and take as long as they take. */
  isPatient?: boolean;
}

export function openPostgres(
  url: string,
  { size, reachability = new Reachability(), isPatient = false }: PostgresOptions,
): Dialect {
  const { connectionTimeoutMillis } = limits;
  const pool = new Pool({ ...(isPatient ? { connectionTimeoutMillis } : limits), ...clientConfig(url), max: size });
  ignoreLateErrors(pool);
  return new PostgresDialect({ pool: guard(pool, size, reachability) });
}

/** A connection that breaks while nobody waits for an answer: whoever uses it next finds out, or it is replaced. */
function ignoreLateErrors(pool: Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}

/** The pool as Kysely sees it. A connection that failed is not handed to the next one. */
function guard(pool: Pool, size: number, reachability: Reachability): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      reachability.expect();
      const isFull = pool.idleCount === 0 && pool.totalCount >= size;
      try {
        const client = await pool.connect();
        reachability.found();
        return guardClient(client, reachability);
      } catch (error) {
        // Nobody gave a connection back in time: that says nothing about the server.
        if (!isFull && !(error instanceof DatabaseError)) reachability.lost();
        throw error instanceof DatabaseError ? error : new ConnectionLost(error);
      }
    },
    async end() {
      await goodbye(pool.end());
    },
  };
}

/** A server that does not answer any more does not answer a goodbye either. */
async function goodbye(said: Promise<unknown> | undefined): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, 1000);
  await Promise.race([said?.catch(() => {}), waited.promise]);
  clearTimeout(timer);
}

function guardClient(client: PoolClient, reachability: Reachability) {
  let broken: Error | undefined;
  return {
    async query(text: string, values: unknown[]) {
      try {
        return await client.query(text, values);
      } catch (error) {
        if (error instanceof DatabaseError) throw error;
        broken = new ConnectionLost(error);
        reachability.lost();
        throw broken;
      }
    },
    release: () => client.release(broken),
    // Without cursors, which Kysely would need for streams of rows.
  } as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
}

const lookAfterMs = 10_000;

/** Calls back at each notice, and whenever some may have been missed. Comes back by itself after a fault. */
export function listenToPostgres(url: string, heard: () => void): () => Promise<void> {
  let stopped = false;
  let client: Client | undefined;

  async function listenOnce(): Promise<void> {
    const gone = Promise.withResolvers<void>();
    client = new Client({ ...limits, ...clientConfig(url) });
    client.on('error', () => gone.resolve());
    client.on('end', () => gone.resolve());
    client.on('notification', heard);
    await client.connect();
    await client.query('listen frontdesk');
    heard();
    // A connection cut somewhere on the way looks like one where nothing happens.
    const looking = setInterval(() => client?.query('select 1').catch(gone.resolve), lookAfterMs);
    await gone.promise;
    clearInterval(looking);
  }

  const listening = (async () => {
    while (!stopped) {
      // The poll in signals.ts finds what is missed meanwhile, and reports that the storage is away.
      await listenOnce().catch(() => {});
      void client?.end().catch(() => {});
      if (!stopped) await Bun.sleep(pauseMs);
    }
  })();

  return async () => {
    stopped = true;
    await goodbye(client?.end());
    await goodbye(listening);
  };
}

/**
 * Connection (08), resources such as a full disk or too many connections (53), shutting down or a time limit (57, 55P03),
 * deadlock (40), a server that only reads (25006), and refusals at the door (28, 3D): none is the question's fault.
 */
const awayCodes = /^(08|53|57|40|28|55P03|25006|3D000)/;
const refusalCodes = /^(28|3D)/;

export function isPostgresAway(error: unknown): boolean {
  if (error instanceof DatabaseError) return awayCodes.test(error.code ?? '');
  return error instanceof ConnectionLost;
}

/** Wrong user or password, or no such database: waiting does not help. */
export function isRefusedByPostgres(error: unknown): boolean {
  return error instanceof DatabaseError && refusalCodes.test(error.code ?? '');
}

/** The account may not do that. */
export function isForbiddenByPostgres(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '42501';
}

export function isPostgresUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505';
}
