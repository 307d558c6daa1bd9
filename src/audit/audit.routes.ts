import { z } from 'zod';
import { RecentMap } from '../base/recent-map.ts';
import { type Principal, withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import { readAudit, type ShownRow } from './audit.queries.ts';
import { AuditQuery, AuditRow } from './audit.schema.ts';
import { type Caller, writeAudit } from './audit.ts';

/** Returns the names of the people who are known, by employee ID. */
type NamesOf = (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface AuditRoutesOptions {
  publicUrl: string;
  db: Db;
  reads: Db;
  now: () => Date;
  readRoles: readonly string[];
  /** Passed in, because this folder does not depend on the code for people. */
  namesOf: NamesOf;
}

export function auditRoutes({ publicUrl, db, reads, now, readRoles, namesOf }: AuditRoutesOptions): Route[] {
  const recordReading = createRecordedReading(db, now);
  return [
    route({
      method: 'GET',
      path: '/admin/audit',
      operationId: 'listAuditRows',
      access: withAnyRole(readRoles),
      tag: 'Service',
      summary: 'Audit rows: sign-ins, refusals, logouts, changes of keys and lists',
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

/** Returns the end of the day for a date, and otherwise the time itself. */
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

const intervalMs = 600_000;

/**
 * Writes an audit row about reading the audit: once per session in ten minutes, across all replicas. Rejects if that fails,
 * so that nothing is read.
 */
function createRecordedReading(db: Db, now: () => Date) {
  const recorded = new RecentMap<Date>(1000);

  return async ({ employeeId, sessionId }: Principal, caller: Caller): Promise<void> => {
    const at = now();
    const since = new Date(at.getTime() - intervalMs);
    if ((recorded.get(sessionId) ?? since) > since) return;
    await db.transaction().execute(async (tx) => {
      // With this lock, if two replicas record the same session, the second sees the row of the first.
      await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).execute();
      const filter = { type: 'audit-read', person: employeeId, since, limit: 1000 };
      if ((await readAudit(tx, filter)).some(({ session }) => session === sessionId)) return;
      const who = { person: employeeId, actor: employeeId, session: sessionId };
      writeAudit(tx, { type: 'audit-read', ...who, ...caller }, at);
    });
    recorded.set(sessionId, at);
  };
}
