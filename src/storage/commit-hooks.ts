// Hooks for the very end of a transaction, and for after its commit. Kysely has neither.
import { Kysely, type KyselyConfig, type Transaction, type TransactionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

type Tx = Transaction<Tables>;

interface Hooks {
  readonly db: Kysely<Tables>;
  readonly before: ((tx: Tx) => Promise<void>)[];
  readonly after: (() => void)[];
}

const hooksOf = new WeakMap<Tx, Hooks>();

/**
 * A Kysely whose transactions have these hooks. An additional connection to the same tables gets the main instance as
 * `database`, and `databaseOf` then returns the main instance.
 */
export class HookedKysely extends Kysely<Tables> {
  readonly #database: Kysely<Tables>;

  constructor(config: KyselyConfig, database?: Kysely<Tables>) {
    super(config);
    this.#database = database ?? this;
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute: typeof builder.execute = builder.execute.bind(builder);
    builder.execute = async (change) => {
      const hooks: Hooks = { db: this.#database, before: [], after: [] };
      const result = await execute(async (tx) => {
        hooksOf.set(tx, hooks);
        const result = await change(tx);
        for (const act of hooks.before) await act(tx);
        return result;
      });
      for (const act of hooks.after) act();
      return result;
    };
    return builder;
  }
}

/** Calls `act` after everything else in the transaction, right before its commit. */
export function beforeCommit(tx: Tx, act: (tx: Tx) => Promise<void>): void {
  expectHooks(tx).before.push(act);
}

/** Calls `act` once the transaction is committed; never after a rollback. It must not throw. */
export function afterCommit(tx: Tx, act: () => void): void {
  expectHooks(tx).after.push(act);
}

/** The database on which a transaction was begun. */
export function databaseOf(tx: Tx): Kysely<Tables> {
  return expectHooks(tx).db;
}

function expectHooks(tx: Tx): Hooks {
  const hooks = hooksOf.get(tx);
  if (hooks === undefined) throw new Error('not a transaction of openStorage');
  return hooks;
}
