// Programs that may get access tokens: adding, removing and listing them.
import type { JWK } from 'jose';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { writeAudit } from '../../audit/audit.ts';
import { daySeconds, secondsBefore } from '../../base/time.ts';
import { changeInTurn } from '../../storage/revisions.ts';
import type { Db } from '../../storage/storage.ts';
import type { CallerTable, Tables } from '../../storage/tables.ts';
import { callerSubject } from '../provider/claims.ts';
import { PublicKeys } from './public-keys.ts';

/** How a caller proves its identity: with an issuer's tokens, or with assertions signed with its own key. */
export type Proof =
  | { readonly kind: 'own-key'; readonly keys: readonly JWK[] }
  | {
      readonly kind: 'issuer';
      readonly issuer: string;
      readonly subject: string;
      /** The address of the issuer's keys, or the keys themselves. If neither is given, discovery finds them. */
      readonly jwksUri?: string | undefined;
      readonly keys?: readonly JWK[] | undefined;
    };

export interface NewCaller {
  readonly name: string;
  readonly proof: Proof;
  /** The audience of the caller's assertions, if not PUBLIC_URL. */
  readonly audience?: string | undefined;
  readonly roles: readonly string[];
}

export interface RegisteredCaller extends NewCaller {
  /** Identifies this registration. A name that is registered again gets a new id. */
  readonly id: string;
  readonly addedAt: string;
}

/** Limited because every process keeps all callers in memory. */
const maxCallers = 1000;

/** Adds a caller, or returns why it cannot be added. */
export async function addCaller(
  db: Db,
  { name, proof, audience, roles }: NewCaller,
  actor: string,
  now: Date,
): Promise<'added' | 'name-taken' | 'subject-taken' | 'too-many'> {
  return changeInTurn(db, 'callers', async (tx) => {
    const present = await listCallers(tx);
    if (present.some((other) => other.name === name)) return 'name-taken';
    if (present.some((other) => isSameSubject(other.proof, proof))) return 'subject-taken';
    if (present.length >= maxCallers) return 'too-many';
    const row = {
      id: crypto.randomUUID(),
      name,
      ...columnsOf(proof),
      audience: audience ?? null,
      roles: JSON.stringify(roles),
      added_at: now.toISOString(),
      removed_at: null,
    };
    await tx.insertInto('caller').values(row).execute();
    const detail = `${describeProof(proof)}; roles: ${roles.join(', ') || 'none'}`;
    writeAudit(tx, { type: 'caller-added', person: callerSubject(name), actor, session: row.id, detail }, now);
    return 'added';
  });
}

/** Returns false if no caller has this name. */
export async function removeCaller(db: Db, name: string, actor: string, now: Date): Promise<boolean> {
  return changeInTurn(db, 'callers', async (tx) => {
    const removed = await tx
      .updateTable('caller')
      .set({ removed_at: now.toISOString() })
      .where('name', '=', name)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (removed === undefined) return false;
    writeAudit(tx, { type: 'caller-removed', person: callerSubject(name), actor, session: removed.id }, now);
    return true;
  });
}

export async function listCallers(db: Db): Promise<RegisteredCaller[]> {
  const rows = await db.selectFrom('caller').selectAll().where('removed_at', 'is', null).orderBy('name').execute();
  return rows.map(callerOf);
}

/** Returns the IDs of removed registrations whose last tokens may not have expired yet. */
export async function listRemovedIds(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('caller')
    .select('id')
    .where('removed_at', '>', secondsBefore(now, daySeconds).toISOString())
    .execute();
  return rows.map(({ id }) => id);
}

export async function isRegistered(tx: Transaction<Tables>, id: string): Promise<boolean> {
  const query = tx.selectFrom('caller').select('id').where('id', '=', id).where('removed_at', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Describes the proof in the audit and in `callers list`, without the keys. */
export function describeProof(proof: Proof): string {
  if (proof.kind === 'issuer') return `${proof.issuer} ${proof.subject}`;
  return proof.keys.length === 1 ? 'its own key' : `${proof.keys.length} keys of its own`;
}

function isSameSubject(one: Proof, other: Proof): boolean {
  return (
    one.kind === 'issuer' && other.kind === 'issuer' && one.issuer === other.issuer && one.subject === other.subject
  );
}

function columnsOf(proof: Proof): Pick<CallerTable, 'issuer' | 'subject' | 'jwks_uri' | 'keys'> {
  const keys = proof.keys === undefined ? null : JSON.stringify(proof.keys);
  if (proof.kind === 'own-key') return { issuer: null, subject: null, jwks_uri: null, keys };
  return { issuer: proof.issuer, subject: proof.subject, jwks_uri: proof.jwksUri ?? null, keys };
}

function callerOf(row: CallerTable): RegisteredCaller {
  return {
    id: row.id,
    name: row.name,
    proof: proofOf(row),
    audience: row.audience ?? undefined,
    roles: Roles.parse(JSON.parse(row.roles)),
    addedAt: row.added_at,
  };
}

const Roles = z.array(z.string());

function proofOf({ issuer, subject, jwks_uri, keys: stored }: CallerTable): Proof {
  const keys = stored === null ? undefined : PublicKeys.parse(JSON.parse(stored));
  if (issuer === null || subject === null) return { kind: 'own-key', keys: keys ?? [] };
  return { kind: 'issuer', issuer, subject, jwksUri: jwks_uri ?? undefined, keys };
}
