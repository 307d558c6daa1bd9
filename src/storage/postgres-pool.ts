// PostgreSQL connections for Kysely. A connection that broke while idle is replaced. If the server is unreachable, callers fail
// at once.
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { atMost } from '../base/stop-times.ts';
import { ConnectionLost, isReadTimeout } from './errors.ts';
import type { Hosts } from './postgres-hosts.ts';
import type { Outcome, ShortTransactions, Steps } from './short-transaction.ts';

/** Called after each statement: its text, without its values. */
export type Executed = (text: string, milliseconds: number, hasFailed: boolean) => void;

const pauseMs = 500;
/** When a statement times out, the server still counts as reachable if it answered another statement within this time. */
const answeringMs = 1000;
export const longestCloseMs = 1000;

/** Tracks whether the server can be reached. The pools of one storage share it. */
export class Reachability {
  #isAway = false;
  #nextTryAt = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** Throws at once while the server is unreachable, but lets one caller try every half second. */
  expect(): void {
    if (!this.#isAway) return;
    const now = performance.now();
    if (now < this.#nextTryAt) throw new ConnectionLost(new Error('it could not be reached a moment ago'));
    this.#nextTryAt = now + pauseMs;
  }

  found(): void {
    this.#isAway = false;
  }

  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Called when a statement was not answered in time. */
  timedOut(): void {
    if (performance.now() - this.#answeredAt > answeringMs) this.lost();
  }

  lost(): void {
    this.#isAway = true;
    this.#nextTryAt = performance.now() + pauseMs;
  }
}

interface GuardedPoolOptions {
  hosts: Hosts;
  size: number;
  reachability?: Reachability | undefined;
  executed?: Executed | undefined;
  /** Called with the time that it took to get a connection, or to give up because none became free. */
  taken?: ((milliseconds: number) => void) | undefined;
  /** Sent to begin a transaction, instead of `begin`. */
  begin: string;
}

export class GuardedPool implements PostgresPool, ShortTransactions {
  readonly #pool: Pool;
  readonly options: GuardedPoolOptions;
  readonly reachability: Reachability;

  constructor(pool: Pool, options: GuardedPoolOptions) {
    this.#pool = pool;
    this.options = options;
    this.reachability = options.reachability ?? new Reachability();
  }

  /** The number of open connections, and of callers that wait for one. */
  get state(): { open: number; waiting: number } {
    return { open: this.#pool.totalCount, waiting: this.#pool.waitingCount };
  }

  async connect(): Promise<PostgresPoolClient> {
    return new GuardedClient(this, await this.take());
  }

  async transact<T>(work: (steps: Steps) => Promise<T>): Promise<T> {
    const client = new GuardedClient(this, await this.take());
    const steps = new PostgresSteps(client, this.options.executed);
    try {
      return await work(steps);
    } finally {
      await steps.end();
      client.release();
    }
  }

  async take(): Promise<PoolClient> {
    const { size, executed, taken } = this.options;
    const start = performance.now();
    const isFull = this.#pool.idleCount === 0 && this.#pool.totalCount >= size;
    try {
      this.reachability.expect();
      const client = isFull ? await this.#pool.connect() : await this.#connectToAny();
      this.reachability.found();
      taken?.(performance.now() - start);
      return client;
    } catch (error) {
      executed?.('connect', performance.now() - start, true);
      if (error instanceof DatabaseError || error instanceof ConnectionLost) throw error;
      // If the pool was full, the error only means that no connection became free in time. It says nothing about whether the
      // server is reachable.
      if (isFull) taken?.(performance.now() - start);
      else this.reachability.lost();
      throw new ConnectionLost(error);
    }
  }

  /** Tries each host once. */
  async #connectToAny(): Promise<PoolClient> {
    const { hosts } = this.options;
    for (let tries = 1; ; tries++) {
      const host = hosts.current;
      try {
        return await this.#pool.connect();
      } catch (error) {
        hosts.passOver(host);
        if (tries >= hosts.count) throw error;
      }
    }
  }

  /** Waits at most a second, because a server that has stopped answering does not confirm the end of a connection either. */
  async end(): Promise<void> {
    await atMost(longestCloseMs, Promise.allSettled([this.#pool.end()]));
  }
}

interface Statement {
  text: string;
  values?: readonly unknown[];
}

class GuardedClient implements PostgresPoolClient {
  readonly #pool: GuardedPool;
  /** Undefined after the connection broke and could not be replaced. */
  #client: PoolClient | undefined;
  /** Remaining retries: one for each connection in the pool, since all may be closed. 0 after a statement has succeeded. */
  #retries: number;
  #broken: Error | undefined;

  constructor(pool: GuardedPool, client: PoolClient) {
    this.#pool = pool;
    this.#client = client;
    this.#retries = pool.options.size;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('rows are not streamed: the dialect has no cursor');
    return this.#execute(text, [...values]);
  }

  async #execute<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    const [result] = await this.send([{ text, values }]);
    const { command = '', rowCount = 0, rows = [] } = result ?? {};
    return { command: writes.find((each) => each === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
  }

  /** Sends statements together. Throws the first of their errors. */
  async send(statements: readonly Statement[]): Promise<QueryResult[]> {
    const results = await this.#sendOrReplace(statements);
    // After a failed statement, PostgreSQL answers a commit with ROLLBACK and no error, although nothing was committed.
    const isRolledBack = statements.some(
      ({ text }, index) => text === 'commit' && results[index]?.command === 'ROLLBACK',
    );
    if (isRolledBack) throw new Error('the transaction was rolled back');
    return results;
  }

  async #sendOrReplace(statements: readonly Statement[]): Promise<QueryResult[]> {
    // A lost connection no longer answers, not even to a rollback.
    const client = this.#client;
    if (this.#broken !== undefined || client === undefined) throw this.#broken;
    const { begin } = this.#pool.options;
    try {
      const answers = statements.map(
        ({ text, values = [] }): Promise<QueryResult | QueryResult[]> =>
          client.query(text === 'begin' ? begin : text, [...values]),
      );
      const results = await allOf(answers);
      this.#retries = 0;
      this.#pool.reachability.answered();
      // Several statements in one message have several results.
      return results.flatMap((result) => (Array.isArray(result) ? result.slice(0, 1) : result));
    } catch (error) {
      if (!isFatal(error)) throw error;
      const isTimeout = isReadTimeout(error);
      if (isTimeout) this.#pool.reachability.timedOut();
      this.#broken = error instanceof DatabaseError ? error : new ConnectionLost(error);
      if (isTimeout || this.#retries-- === 0) throw this.#broken;
    }
    // The connection was closed while idle in the pool. Nothing has been done on it yet, so another one can replace it.
    this.release();
    this.#client = await this.#pool.take();
    this.#broken = undefined;
    return this.#sendOrReplace(statements);
  }

  release(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.release(this.#broken);
  }
}

/** A short transaction: `begin` is sent with its first statement, `commit` with its last. */
class PostgresSteps implements Steps {
  readonly #client: GuardedClient;
  readonly #executed: Executed | undefined;
  #state: 'new' | 'begun' | 'over' = 'new';

  constructor(client: GuardedClient, executed: Executed | undefined) {
    this.#client = client;
    this.#executed = executed;
  }

  run<R>(text: string, values: readonly unknown[]): Promise<Outcome<R>> {
    return this.#send([{ text, values }]);
  }

  finish<R>(text: string, values: readonly unknown[]): Promise<Outcome<R>> {
    return this.#send([{ text, values }, { text: 'commit' }]);
  }

  /** Rolls back if nothing was committed. */
  async end(): Promise<void> {
    // On a lost connection, there is nothing to roll back.
    if (this.#state === 'begun') await this.#client.send([{ text: 'rollback' }]).catch(() => {});
  }

  async #send<R>(statements: Statement[]): Promise<Outcome<R>> {
    const isFirst = this.#state === 'new';
    if (isFirst) statements.unshift({ text: 'begin' });
    this.#state = 'begun';
    const start = performance.now();
    let hasFailed = true;
    try {
      const results = await this.#client.send(statements);
      hasFailed = false;
      if (statements.at(-1)?.text === 'commit') this.#state = 'over';
      const { rows = [], rowCount = 0 } = results[isFirst ? 1 : 0] ?? {};
      return { rows, written: rowCount ?? 0 };
    } finally {
      this.#executed?.(statements[isFirst ? 1 : 0]?.text ?? '', performance.now() - start, hasFailed);
    }
  }
}

/** Waits for all answers even if one has failed, because the connection is in use until then. */
async function allOf<T>(answers: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(answers);
  return Promise.all(answers);
}

/** Any other command is reported as SELECT, because Kysely only needs to know whether a command wrote rows. */
const writes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** The error code of a server that has become read-only. Another server may have replaced it. */
const onlyReads = '25006';

/** Whether this error also means that the connection is lost. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === onlyReads;
}
