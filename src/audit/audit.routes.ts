import { z } from 'zod';
import { RecentMap } from '../base/recent-map.ts';
import { type Principal, withAnyRole } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { invalidRequest } from '../http/parse.ts';
import { type Route, route } from '../http/route.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import { readAudit, type ShownRow, searchAudit } from './audit.queries.ts';
import { AuditQuery, AuditRow, endOfPeriod, startOfPeriod } from './audit.schema.ts';
import { type Caller, writeAudit } from './audit.ts';

/** Returns the known names, by employee ID. */
type NamesOf = (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface AuditRoutesOptions {
  publicUrl: string;
  db: Db;
  reads: Db;
  now: () => Date;
  readRoles: readonly string[];
  /** Passed in, like the functions below, because this folder must not depend on `auth` or `lookup`. */
  namesOf: NamesOf;
  /** Finds the employee IDs of people whose name matches, and stops at `most` of them. */
  findNamed: (db: Db, matches: (name: string) => boolean, most: number) => Promise<string[]>;
  /** Returns a function that tells whether a text has a word starting with each of these words. */
  hasWords: (words: string) => (text: string) => boolean;
  /** Yields the texts of the list changes that a row with this detail records. */
  changeTexts: (db: Db, detail: string) => AsyncIterable<string>;
}

/** Maximum number of people that a name may match. */
const mostPeople = 20;

export function auditRoutes(options: AuditRoutesOptions): Route[] {
  const { publicUrl, db, reads, now, readRoles, namesOf, findNamed, hasWords, changeTexts } = options;
  const recordReading = createRecordedReading(db, now);

  async function findPeople(name: string): Promise<string[]> {
    const found = await findNamed(reads, hasWords(name), mostPeople + 1);
    if (found.length > mostPeople) {
      const message = `matches more than ${mostPeople} people: give more of the name`;
      throw invalidRequest([{ field: 'name', message }]);
    }
    return [...new Set([...found, name])];
  }

  /** `older` is the `before` parameter of the page with older rows; undefined if there is none. */
  async function readPage(query: AuditQuery): Promise<{ rows: ShownRow[]; last?: number; older?: number }> {
    const { name, q, since, until, after, limit, ...rest } = query;
    const filter = {
      ...rest,
      after,
      limit,
      people: name === undefined ? undefined : await findPeople(name),
      since: since === undefined ? undefined : startOfPeriod(since),
      until: until === undefined ? undefined : endOfPeriod(until),
    };
    if (q === undefined) {
      const rows = await readAudit(reads, filter);
      const oldest = rows.length === limit ? rows[0] : undefined;
      return { rows, ...(after === undefined && oldest !== undefined && { older: Number(oldest.id) }) };
    }
    const { rows, last } = await searchAudit(reads, filter, {
      isFound: hasWords(q),
      namesOf: (found) => namesOf(reads, idsIn(found)),
      changesOf: (detail) => changeTexts(reads, detail),
    });
    if (last === undefined) return { rows };
    return after === undefined ? { rows, older: last } : { rows, last };
  }

  return [
    route({
      method: 'GET',
      path: '/admin/audit',
      operationId: 'listAuditRows',
      access: withAnyRole(readRoles),
      tag: 'Service',
      summary: 'Audit rows: sign-ins, refusals, logouts, changes to keys and lists',
      description:
        'The newest matching rows, oldest first; with `after`, the rows that follow it. A client that keeps following the ' +
        '`next` link sees every row once, in order. Reading the audit is audited, too. To see what changed in a list, read ' +
        'GET /admin/lookups/{list}/history. Anyone who may read the audit may read it for every list.',
      query: AuditQuery,
      answers: {
        200: {
          description: 'The rows',
          headers: {
            Link: 'The rows that follow (`rel="next"`), even if there are none yet; without `after`, older rows (`rel="prev"`) if there are any',
          },
          content: { 'application/json': z.array(AuditRow) },
        },
      },
      problems: ['storage-unavailable'],
      async handle({ query, principal, requestId, address }) {
        await recordReading(principal, { requestId, address });
        const { rows, last, older } = await readPage(query);
        const after = String(last ?? rows.at(-1)?.id ?? query.after ?? 0);
        const links = [linkTo(publicUrl, query, { after }, 'next')];
        if (older !== undefined) links.push(linkTo(publicUrl, query, { before: String(older) }, 'prev'));
        return Response.json(await withNames(reads, namesOf, rows), {
          headers: { ...noStore, Link: links.join(', ') },
        });
      },
    }),
  ];
}

async function withNames(db: Db, namesOf: NamesOf, rows: readonly ShownRow[]): Promise<AuditRow[]> {
  const names = await namesOf(db, idsIn(rows));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return rows.map((row) => ({ ...row, personName: nameOf(row.person), actorName: nameOf(row.actor) }));
}

const idsIn = (rows: readonly ShownRow[]) => [
  ...new Set(rows.flatMap(({ person, actor }) => [person, actor]).filter((id) => id !== null)),
];

/** The link to another page (RFC 8288), with the same filter. */
function linkTo(publicUrl: string, query: AuditQuery, place: Record<string, string>, rel: 'next' | 'prev'): string {
  const { after: _, before: __, limit, ...filter } = query;
  const parameters = new URLSearchParams({ ...place, limit: String(limit) });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) parameters.set(name, value);
  return `<${publicUrl}/admin/audit?${parameters}>; rel="${rel}"`;
}

const intervalMs = 600_000;

/**
 * Writes an audit row about reading the audit, at most once per session in ten minutes across all replicas. Rejects if that
 * fails, so that nothing is read.
 */
function createRecordedReading(db: Db, now: () => Date) {
  const recorded = new RecentMap<Date>(1000);

  return async ({ employeeId, sessionId }: Principal, caller: Caller): Promise<void> => {
    const at = now();
    const since = new Date(at.getTime() - intervalMs);
    if ((recorded.get(sessionId) ?? since) > since) return;
    await db.transaction().execute(async (tx) => {
      // Locked, so that if two replicas record the same session, the second one sees the first one's row.
      await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).execute();
      const filter = { type: 'audit-read', person: employeeId, since, limit: 1000 };
      if ((await readAudit(tx, filter)).some(({ session }) => session === sessionId)) return;
      const who = { person: employeeId, actor: employeeId, session: sessionId };
      writeAudit(tx, { type: 'audit-read', ...who, ...caller }, at);
    });
    recorded.set(sessionId, at);
  };
}
