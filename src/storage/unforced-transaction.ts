// Transactions that do not wait for the disk, so that nobody waits behind them. Only for work that is repeated if a crash
// of the machine loses it.
import { sql, type Transaction } from 'kysely';
import { isPostgres } from './migrations/engine.ts';
import type { Db } from './storage.ts';
import type { Tables } from './tables.ts';

export function transactUnforced<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (isPostgres(db)) {
    return db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = off`.execute(tx);
      return change(tx);
    });
  }
  return db.connection().execute(async (own) => {
    await sql`pragma synchronous = normal`.execute(own);
    try {
      return await own.transaction().execute(change);
    } finally {
      await sql`pragma synchronous = full`.execute(own);
    }
  });
}
