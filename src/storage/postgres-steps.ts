// A short transaction on PostgreSQL: `begin` is sent with its first statement, `commit` with its last.
import type { QueryResult } from 'pg';
import type { Outcome, Steps } from './short-transaction.ts';

export interface Statement {
  text: string;
  values?: readonly unknown[];
}

interface Sender {
  /** Sends statements together. Throws the first of their errors. */
  send(statements: readonly Statement[]): Promise<QueryResult[]>;
}

/** Called after each statement. */
type Executed = (text: string, milliseconds: number, hasFailed: boolean) => void;

export class PostgresSteps implements Steps {
  readonly #sender: Sender;
  readonly #executed: Executed | undefined;
  #state: 'new' | 'begun' | 'over' = 'new';

  constructor(sender: Sender, executed: Executed | undefined) {
    this.#sender = sender;
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
    if (this.#state === 'begun') await this.#sender.send([{ text: 'rollback' }]).catch(() => {});
  }

  async #send<R>(statements: Statement[]): Promise<Outcome<R>> {
    const isFirst = this.#state === 'new';
    if (isFirst) statements.unshift({ text: 'begin' });
    this.#state = 'begun';
    const start = performance.now();
    let hasFailed = true;
    try {
      const results = await this.#sender.send(statements);
      hasFailed = false;
      if (statements.at(-1)?.text === 'commit') this.#state = 'over';
      const { rows = [], rowCount = 0 } = results[isFirst ? 1 : 0] ?? {};
      return { rows, written: rowCount ?? 0 };
    } finally {
      this.#executed?.(statements[isFirst ? 1 : 0]?.text ?? '', performance.now() - start, hasFailed);
    }
  }
}
