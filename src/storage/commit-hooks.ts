// What has to happen at the very end of a transaction. Kysely has no hook for that.
import { Kysely, type Transaction, type TransactionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

type Tx = Transaction<Tables>;

type Act = (tx: Tx) => Promise<void>;

const actsBeforeCommit = new WeakMap<Tx, Act[]>();

/** Its transactions have that hook. */
export class HookedKysely extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute: typeof builder.execute = builder.execute.bind(builder);
    builder.execute = (change) =>
      execute(async (tx) => {
        const acts: Act[] = [];
        actsBeforeCommit.set(tx, acts);
        const result = await change(tx);
        for (const act of acts) await act(tx);
        return result;
      });
    return builder;
  }
}

/** Calls it after everything else that the transaction does, right before its commit. */
export function beforeCommit(tx: Tx, act: Act): void {
  const acts = actsBeforeCommit.get(tx);
  if (acts === undefined) throw new Error('not a transaction of openStorage');
  acts.push(act);
}
