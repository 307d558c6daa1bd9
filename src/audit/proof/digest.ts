// The proof of rows and seals: keyed digests, HMAC-SHA-256 (RFC 2104).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Tables } from '../../storage/tables.ts';

export type AuditKey = Buffer;

/** A row without the columns that prove it. */
export type ProvenRow = Omit<Selectable<Tables['audit']>, 'salt' | 'digest' | 'covered' | 'replaced'>;
export type Seal = Selectable<Tables['audit_seal']>;

/** The values are encoded as JSON, so that different values are never the same text. */
const hmac = (key: AuditKey, ...values: readonly (string | number | null)[]) =>
  createHmac('sha256', key).update(JSON.stringify(values)).digest('hex');

/** The salt is random, so once it is erased, nobody can guess a value and check the guess, not even with the key. */
export function digestOf(
  key: AuditKey,
  salt: string,
  covered: string | null,
  row: ProvenRow,
  replaced: string | null = null,
): string {
  const { seq, at, type, person, actor, session, address, request_id, detail } = row;
  const before = replaced === null ? ['row'] : ['changed row', replaced];
  return hmac(key, ...before, salt, covered, seq, at, type, person, actor, session, address, request_id, detail);
}

/** A digest that a row had earlier. */
export interface Replaced {
  digest: string;
  /** The name of the step that replaced it while a person was being forgotten. */
  by: string;
}

/** The earlier digests of a row, in order. The first is the one that was sealed. */
export const replacedIn = (replaced: string | null): Replaced[] =>
  replaced === null ? [] : (JSON.parse(replaced) as Replaced[]);

/** A hash over the new digests of the rows that a step has changed. They are added in the order of the row numbers. */
export function startStepHash(key: AuditKey, step: string) {
  const hash = createHmac('sha256', key).update(JSON.stringify(['step', step]));
  return {
    add: (seq: number, digest: string) => void hash.update(JSON.stringify([seq, digest])),
    finish: () => hash.digest('hex'),
  };
}

/** The digest of text that is stored in another table and proven by a row. */
export const coveredDigest = (key: AuditKey, salt: string, text: string) => hmac(key, 'covered', salt, text);

/** The digest of a row in the table `forgetting`, which stores how far forgetting a person has progressed. */
export const progressDigest = (key: AuditKey, values: readonly (string | number | null)[]) =>
  hmac(key, 'forgetting', ...values);

/** A hash over the digests of the seal's rows and the previous seal. */
export function sealHash(
  key: AuditKey,
  { number, first, last, at }: Omit<Seal, 'hash'>,
  previous: string | undefined,
  digests: readonly string[],
): string {
  return hmac(key, 'seal', number, first, last, at, previous ?? null, ...digests);
}

/** Whether the row is still as Frontdesk wrote it. */
export function isAsWritten(
  key: AuditKey,
  { salt, digest, covered, replaced, ...row }: Selectable<Tables['audit']>,
): boolean {
  return isSame(digest, digestOf(key, salt, covered, row, replaced));
}

/** `one` may be null if the database's owner has dropped the constraint that forbids null. */
export function isSame(one: string | null, other: string): boolean {
  return one !== null && one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Thrown if the audit was tampered with. The message says where. */
export class NotAsWritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotAsWritten';
  }
}
