// What proves rows and seals: keyed digests, HMAC-SHA-256 (RFC 2104). Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';

export type AuditKey = Buffer;

/** A row without what proves it; `id` is of older versions, and says nothing. */
export type ProvenRow = Omit<Selectable<Tables['audit']>, 'id' | 'salt' | 'digest' | 'covered' | 'replaced'>;
export type Seal = Selectable<Tables['audit_seal']>;

/** As JSON, in which no two lists of values are the same text. */
const hmac = (key: AuditKey, ...values: readonly (string | number | null)[]) =>
  createHmac('sha256', key).update(JSON.stringify(values)).digest('hex');

/** With a random salt: once that is erased, nobody can find a value again by trying, not even with the key. */
export function digestOf(key: AuditKey, salt: string | null, covered: string | null, row: ProvenRow): string {
  const { seq, at, type, person, actor, session, address, request_id, detail } = row;
  return hmac(key, 'row', salt, covered, seq, at, type, person, actor, session, address, request_id, detail);
}

/** Of what a row speaks of and another table holds. */
export const coveredDigest = (key: AuditKey, salt: string, text: string) => hmac(key, 'covered', salt, text);

/** Over the digests of its rows, and the seal before it. */
export function sealHash(
  key: AuditKey,
  { number, first, last, at }: Omit<Seal, 'hash'>,
  previous: string | undefined,
  digests: readonly string[],
): string {
  return hmac(key, 'seal', number, first, last, at, previous ?? null, ...digests);
}

export function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
