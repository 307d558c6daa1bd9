// When SECRET_KEY changes, everything stored is sealed again under the new one. If the old one is lost, nothing that was
// sealed under it can be opened, so all keys are replaced.
import type { NotNull, Transaction } from 'kysely';
import { resealAuditKey } from '../../audit/audit-key.ts';
import { replaceAuditKey } from '../../audit/key-making.ts';
import { createStepper } from '../../base/stepper.ts';
import { pagesByKey } from '../../storage/pages.ts';
import { changeInTurn } from '../../storage/revisions.ts';
import type { Tables } from '../../storage/tables.ts';
import { waitForRenewals } from '../renewal/renewal.queries.ts';
import { type SealedColumn, sealedColumns, tokenSealer } from '../sessions/sealed-tokens.ts';
import { endSessionsIn, readSessionPages } from '../sessions/session.queries.ts';
import { type KeyStore, makeKey, record, storeKey } from './rotation.ts';
import { type KeyTable, keySealer, keyTables, WrongSecretKey } from './stored-keys.ts';

/**
 * Seals everything under the new secret, and returns the number of keys. Running replicas keep the keys that they have
 * opened until they are restarted with the new secret.
 */
export async function resealAll(options: KeyStore, newSecretKey: string): Promise<number> {
  const count = await resealKeys(options, newSecretKey);
  // Renewals in progress still seal new tokens under the old secret, so wait for them. Renewals that begin from now on are
  // refused.
  await waitForRenewals(options.db, options.now);
  for (const column of sealedColumns) await resealTokens(options, newSecretKey, column);
  return count;
}

const tokensOfStep = 200;

/** Works in steps, so that a sign-in waits for at most one step. */
async function resealTokens({ db, secretKey }: KeyStore, newSecretKey: string, column: SealedColumn): Promise<void> {
  const [from, to] = [await tokenSealer(secretKey, column), await tokenSealer(newSecretKey, column)];
  const tokens = db
    .selectFrom('session')
    .select(['sid', `${column} as sealed`])
    .where(column, 'is not', null)
    .$narrowType<{ sealed: NotNull }>();

  const reseal = async (tx: Transaction<Tables>, rows: readonly { sid: string; sealed: string }[]) => {
    for (const { sid, sealed } of rows) {
      const opened = await from.open(sealed);
      // A refresh token that cannot be decrypted stays stored, so that the session ends at its next renewal. A session
      // without any refresh token could still be renewed (see RENEW_NEEDS_PROVIDER).
      if (opened === undefined) continue;
      const change = { [column]: await to.seal(opened) };
      // Written only if unchanged, because a renewal may have stored a new token in the meantime.
      await tx.updateTable('session').set(change).where('sid', '=', sid).where(column, '=', sealed).execute();
    }
  };

  const runStep = createStepper();
  for await (const page of pagesByKey(tokens, tokensOfStep, { sid: '' })) {
    await runStep(() => db.transaction().execute((tx) => reseal(tx, page)));
  }
}

function resealKeys(options: KeyStore, newSecretKey: string): Promise<number> {
  return changeInTurn(options.db, 'keys', async (tx) => {
    let count = 0;
    for (const table of keyTables) count += await resealTable(tx, table, options, newSecretKey);
    if (!(await resealAuditKey(tx, options.secretKey, newSecretKey))) throw new WrongSecretKey();
    return count;
  });
}

async function resealTable(
  tx: Transaction<Tables>,
  table: KeyTable,
  options: KeyStore,
  newSecretKey: string,
): Promise<number> {
  const [from, to] = [await keySealer(options.secretKey, table), await keySealer(newSecretKey, table)];
  const keys = await tx.selectFrom(table).select(['kid', 'private_key']).where('private_key', '!=', '').execute();
  for (const { kid, private_key: sealed } of keys) {
    const opened = await from.open(sealed);
    // An earlier run resealed this key before it was interrupted.
    if (opened === undefined && (await to.open(sealed)) !== undefined) continue;
    if (opened === undefined) throw new WrongSecretKey();
    const change = { private_key: await to.seal(opened) };
    await tx.updateTable(table).set(change).where('kid', '=', kid).execute();
    record(tx, options, 'key-resealed', { table, kid });
  }
  return keys.length;
}

/** Replaces all keys, and returns the number of sessions it ended. It can be repeated after an interruption. */
export async function resetKeys(store: KeyStore): Promise<number> {
  const { db, secretKey, actor, now } = store;
  await changeInTurn(db, 'keys', async (tx) => {
    for (const table of keyTables) await replaceKeys(tx, { ...store, table });
    // The stored progress of forgetting people contains digests under the old audit key, so it is deleted. A repeated command
    // then starts from the beginning.
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
  await storeKey(tx, options, await makeKey({ ...options, alg: active.alg }), 'active');
}
