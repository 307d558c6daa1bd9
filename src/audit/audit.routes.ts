import { z } from 'zod';
import { withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { readAudit, type ShownRow } from './audit.queries.ts';
import { AuditQuery, AuditRow } from './audit.schema.ts';
import type { RecordReading } from './recorded-reading.ts';

/** The names of the people among these IDs who are known. */
type NamesOf = (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface AuditRoutesOptions {
  publicUrl: string;
  reads: Db;
  readRoles: readonly string[];
  recordReading: RecordReading;
  /** Looks up names: this folder does not know the people. */
  namesOf: NamesOf;
}

export function auditRoutes({ publicUrl, reads, readRoles, recordReading, namesOf }: AuditRoutesOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/audit',
      operationId: 'listAuditRows',
      access: withAnyRole(readRoles),
      tag: 'Service',
      summary: 'What happened: sign-ins, refusals, logouts, keys, lists',
      description:
        'The newest matching rows, oldest first; with `after`, the rows that follow. A client that keeps following the link ' +
        'to the next rows sees every row once, in order. Reading is audited, too.',
      query: AuditQuery,
      answers: {
        200: {
          description: 'The rows',
          headers: { Link: 'The rows that follow (`rel="next"`), even if there are none yet' },
          content: { 'application/json': z.array(AuditRow) },
        },
      },
      problems: ['storage-unavailable'],
      async handle({ query, principal, requestId, address }) {
        await recordReading(principal, { requestId, address });
        const rows = await readAudit(reads, {
          ...query,
          since: query.since === undefined ? undefined : new Date(query.since),
          until: query.until === undefined ? undefined : endOf(query.until),
        });
        return Response.json(await withNames(reads, namesOf, rows), {
          headers: { ...noStore, Link: nextLink(publicUrl, query, rows) },
        });
      },
    }),
  ];
}

async function withNames(db: Db, namesOf: NamesOf, rows: readonly ShownRow[]): Promise<AuditRow[]> {
  const ids = new Set(rows.flatMap(({ person, actor }) => [person, actor]).filter((id) => id !== null));
  const names = await namesOf(db, [...ids]);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return rows.map((row) => ({ ...row, personName: nameOf(row.person), actorName: nameOf(row.actor) }));
}

/** For a date, the end of that day. */
function endOf(given: string): Date {
  const isDate = !given.includes('T');
  return new Date(new Date(given).getTime() + (isDate ? 86_400_000 : 0));
}

/** The link to the next page (RFC 8288), with the same filter. */
function nextLink(publicUrl: string, query: AuditQuery, rows: readonly ShownRow[]): string {
  const { since, until, type, person, limit, after = 0 } = query;
  const parameters = new URLSearchParams({ after: rows.at(-1)?.id ?? String(after), limit: String(limit) });
  for (const [name, value] of Object.entries({ since, until, type, person })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return `<${publicUrl}/admin/audit?${parameters}>; rel="next"`;
}
