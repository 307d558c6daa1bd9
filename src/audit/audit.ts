// Who signed in, who was refused, what was ended and changed: rows that are only ever added.
import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';

export const auditTypes = [
  'sign-in',
  'sign-in-refused',
  'logout',
  'session-ended',
  'key-made',
  'key-activated',
  'key-removed',
  'key-resealed',
  'person-moved',
  'caller-added',
  'caller-removed',
  'token-issued',
  'list-changed',
] as const;

/** Where a request came from. */
export interface Caller {
  requestId: string | undefined;
  address: string | undefined;
}

export interface AuditEntry extends Partial<Caller> {
  type: (typeof auditTypes)[number];
  /** Employee ID, or `caller:` and the name of a program. */
  person?: string | undefined;
  session?: string | undefined;
  /** In our own words or codes. */
  detail?: string | undefined;
}

/** In the transaction that does what the entry says, where there is one. */
export async function writeAudit(db: Kysely<Tables>, entry: AuditEntry, now: Date): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      // Sorts by time, so that rows of one moment keep their order.
      id: Bun.randomUUIDv7('hex', now),
      at: now.toISOString(),
      type: entry.type,
      person: entry.person ?? null,
      session: entry.session ?? null,
      address: entry.address ?? null,
      request_id: entry.requestId ?? null,
      detail: entry.detail ?? null,
    })
    .execute();
}

export interface AuditFilter {
  since?: string | undefined;
  type?: string | undefined;
  person?: string | undefined;
  limit: number;
}

/** The newest that match, oldest first. */
export async function readAudit(db: Kysely<Tables>, { since, type, person, limit }: AuditFilter) {
  let query = db.selectFrom('audit').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (type !== undefined) query = query.where('type', '=', type);
  if (person !== undefined) query = query.where('person', '=', person);
  return (await query.execute()).reverse();
}
