// New keys after the loss of SECRET_KEY: nothing that was sealed under it can be opened.
import type { Transaction } from 'kysely';
import { replaceAuditKey } from '../../audit/key-making.ts';
import type { Tables } from '../../storage/tables.ts';
import { endSessionsIn, readSessionPages } from '../sessions/session.queries.ts';
import { changeKeys, type KeyStore, record } from './key-changes.ts';
import { makeKey } from './rotation.ts';
import { type KeyTable, keyTables } from './stored-keys.ts';

/** Returns the number of sessions it ended. It can be repeated after an interruption. */
export async function resetKeys(store: KeyStore): Promise<number> {
  const { db, secretKey, actor, now } = store;
  await changeKeys(db, async (tx) => {
    for (const table of keyTables) await replaceKeys(tx, { ...store, table });
    // Their progress is proven under the old audit key, so repeating them starts from the beginning.
    await tx.deleteFrom('forgetting').execute();
    await replaceAuditKey(tx, secretKey, actor, now());
  });
  const audit = { type: 'session-ended', detail: 'command line', actor } as const;
  let count = 0;
  for await (const page of readSessionPages(db, now())) {
    await db.transaction().execute(async (tx) => {
      for (const { sid } of page) count += (await endSessionsIn(tx, { sid }, audit, now())).length;
    });
  }
  return count;
}

async function replaceKeys(tx: Transaction<Tables>, options: KeyStore & { table: KeyTable }): Promise<void> {
  const { table, now } = options;
  const keys = await tx.selectFrom(table).select(['kid', 'alg', 'state']).where('state', '!=', 'removed').execute();
  const change = { state: 'removed' as const, private_key: '', changed_at: now().toISOString() };
  await tx.updateTable(table).set(change).where('state', '!=', 'removed').execute();
  for (const { kid } of keys) record(tx, options, 'key-removed', { table, kid });
  const active = keys.find(({ state }) => state === 'active');
  if (active === undefined) return;
  const key = await makeKey({ ...options, alg: active.alg });
  await tx
    .insertInto(table)
    .values({ ...key, state: 'active' })
    .execute();
  record(tx, options, 'key-activated', { table, kid: key.kid });
}
