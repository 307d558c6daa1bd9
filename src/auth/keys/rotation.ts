// The life of a key: pending (published, not signing yet) → active → retiring (verifies only) → removed.
// Each step is a transaction that reads the keys again before writing, so several processes may try it at once.
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Transaction } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import { daySeconds, secondsBefore } from '../../base/time.ts';
import { tokenLifeSeconds } from '../../config/token-times.ts';
import type { TokenAlg } from '../../config/variables.ts';
import { changeInTurn } from '../../storage/revisions.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { type KeyTable, keySealer, keyTables, openActiveKey, WrongSecretKey } from './stored-keys.ts';

/** The database that holds the keys, and the secret that seals them. */
export interface KeyStore {
  db: Db;
  secretKey: string;
  /** Who changes the keys, as recorded in the audit. */
  actor: string;
  now: () => Date;
}

/** The keys of one table. */
interface KeysOfUse extends KeyStore {
  table: KeyTable;
}

export interface KeyOptions extends KeysOfUse {
  alg: TokenAlg;
}

/** How long other services may cache the published keys. */
export const publishedMaxAgeSeconds = 300;
/** How long a new key is published before it signs, so that every cache has it by then. */
export const pendingSeconds = 2 * publishedMaxAgeSeconds;
/** How long a retiring key still verifies. By then, the last token that it signed has expired. */
const retiringSeconds = tokenLifeSeconds.longest + publishedMaxAgeSeconds;

/** Called at startup. Makes an active key if there is none, and a pending key if a different algorithm is configured. */
export async function ensureActiveKey(options: KeyOptions): Promise<void> {
  if ((await findActive(options)) === undefined) await replaceActive(options, undefined);
  // Throws if SECRET_KEY is wrong. Otherwise the next kind of key could be created and sealed under the wrong secret.
  const active = await openActiveKey(options.db, options.table, options.secretKey);
  if (active.alg !== options.alg) await addPending(options);
}

/** Called every minute. Takes the rotation steps that are due. */
export async function advanceKeys(options: KeyOptions & { rotationDays: number }): Promise<void> {
  const { db, table, now, rotationDays } = options;
  const before = (seconds: number) => secondsBefore(now(), seconds).toISOString();
  const keys = await db.selectFrom(table).select(['kid', 'state', 'changed_at']).execute();
  const active = keys.find(({ state }) => state === 'active');
  const pending = keys.find(({ state }) => state === 'pending');
  if (pending !== undefined && pending.changed_at <= before(pendingSeconds)) {
    await activate(options, pending.kid);
  } else if (
    pending === undefined &&
    active !== undefined &&
    active.changed_at <= before(rotationDays * daySeconds - pendingSeconds)
  ) {
    await addPending(options);
  }
  for (const { kid, state, changed_at } of keys) {
    if (state === 'retiring' && changed_at <= before(retiringSeconds)) await remove(options, kid, ['retiring']);
  }
}

/**
 * Makes the next key, which signs after `pendingSeconds`, or at once if urgent. Returns false if a key is already pending,
 * or if another process has just replaced the active key.
 */
export async function rotateKeys(options: KeysOfUse, isUrgent: boolean): Promise<boolean> {
  const active = await openActiveKey(options.db, options.table, options.secretKey);
  const sameAlg = { ...options, alg: active.alg };
  return isUrgent ? replaceActive(sameAlg, active.kid) : addPending(sameAlg);
}

/**
 * Removes a key that can no longer be trusted. Everything it signed is refused from now on. Returns its table, or undefined
 * if there is no such key.
 */
export async function revokeKey(store: KeyStore, kid: string): Promise<KeyTable | undefined> {
  for (const table of keyTables) {
    const options = { ...store, table };
    const active = await findActive(options);
    // Throws if SECRET_KEY is wrong, because otherwise the new key would be sealed under it.
    if (active !== undefined) await openActiveKey(store.db, table, store.secretKey);
    if (active?.kid === kid) await replaceActive({ ...options, alg: active.alg }, kid);
    if (await remove(options, kid, ['pending', 'retiring'])) return table;
  }
  return undefined;
}

function findActive({ db, table }: KeysOfUse) {
  return db.selectFrom(table).select(['kid', 'alg']).where('state', '=', 'active').executeTakeFirst();
}

async function addPending(options: KeyOptions): Promise<boolean> {
  // Throws if SECRET_KEY is wrong, because otherwise the new key would be sealed under it.
  await openActiveKey(options.db, options.table, options.secretKey);
  const { table } = options;
  const key = await makeKey(options);
  return changeInTurn(options.db, 'keys', async (tx) => {
    const waiting = await tx.selectFrom(table).select('alg').where('state', '=', 'pending').executeTakeFirst();
    if (waiting?.alg === options.alg) return false;
    // A pending key for a different algorithm is no longer needed.
    await retire(tx, table, ['pending'], options.now());
    await storeKey(tx, options, key, 'pending');
    return true;
  });
}

/** Activates a new key, unless another process has replaced `seenKid` first. */
async function replaceActive(options: KeyOptions, seenKid: string | undefined): Promise<boolean> {
  const key = await makeKey(options);
  const { table } = options;
  const now = options.now();
  return changeInTurn(options.db, 'keys', async (tx) => {
    const active = await tx.selectFrom(table).select('kid').where('state', '=', 'active').executeTakeFirst();
    if (active?.kid !== seenKid) return false;
    await retire(tx, table, ['active', 'pending'], now);
    await storeKey(tx, options, key, 'active');
    return true;
  });
}

async function activate(options: KeysOfUse, kid: string): Promise<void> {
  const { db, table, secretKey } = options;
  const now = options.now();
  await changeInTurn(db, 'keys', async (tx) => {
    const query = tx.selectFrom(table).select('private_key').where('kid', '=', kid).where('state', '=', 'pending');
    const pending = await query.executeTakeFirst();
    if (pending === undefined) return;
    // The active key is retired only if the pending one can be opened and can therefore sign.
    if ((await (await keySealer(secretKey, table)).open(pending.private_key)) === undefined) throw new WrongSecretKey();
    await retire(tx, table, ['active'], now);
    const change = { state: 'active' as const, changed_at: now.toISOString() };
    await tx.updateTable(table).set(change).where('kid', '=', kid).execute();
    record(tx, options, 'key-activated', { table, kid });
  });
}

/** Also erases the private keys, because retiring keys only verify. */
async function retire(
  tx: Transaction<Tables>,
  table: KeyTable,
  states: ('active' | 'pending')[],
  now: Date,
): Promise<void> {
  const change = { state: 'retiring' as const, private_key: '', changed_at: now.toISOString() };
  await tx.updateTable(table).set(change).where('state', 'in', states).execute();
}

async function remove(options: KeysOfUse, kid: string, from: ('pending' | 'retiring')[]): Promise<boolean> {
  const { db, table } = options;
  return changeInTurn(db, 'keys', async (tx) => {
    const change = { state: 'removed' as const, private_key: '', changed_at: options.now().toISOString() };
    const update = tx.updateTable(table).set(change).where('kid', '=', kid).where('state', 'in', from);
    const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) record(tx, options, 'key-removed', { table, kid });
    return numUpdatedRows > 0n;
  });
}

export async function storeKey(
  tx: Transaction<Tables>,
  options: KeysOfUse,
  key: Awaited<ReturnType<typeof makeKey>>,
  state: 'pending' | 'active',
): Promise<void> {
  const { table } = options;
  await tx
    .insertInto(table)
    .values({ ...key, state })
    .execute();
  record(tx, options, state === 'active' ? 'key-activated' : 'key-made', { table, kid: key.kid });
}

export async function makeKey({ alg, table, secretKey, now }: KeyOptions) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const at = now().toISOString();
  return {
    kid,
    alg,
    public_key: JSON.stringify({ ...publicJwk, kid, alg, use: 'sig' }),
    private_key: await (await keySealer(secretKey, table)).seal(JSON.stringify(await exportJWK(privateKey))),
    created_at: at,
    changed_at: at,
  };
}

const uses = { signing_key: '', client_key: 'client key ' } satisfies Record<KeyTable, string>;

export function record(
  tx: Transaction<Tables>,
  { actor, now }: Pick<KeyStore, 'actor' | 'now'>,
  type: 'key-made' | 'key-activated' | 'key-removed' | 'key-resealed',
  { table, kid }: { table: KeyTable; kid: string },
): void {
  writeAudit(tx, { type, actor, detail: `${uses[table]}${kid}` }, now());
}
