// Open sessions are read page by page, even if very many of them expire at the same time. Ended sessions are read without
// reading open ones. `audit verify` finds out whether a list with a history is missing, without reading all changes.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readEndedSessions, readEndedSince, readSessionPages } from '../../src/auth/sessions/session.queries.ts';
import { findListFault } from '../../src/lookup/history/list-check.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

/** Returns SQLite's query plans of those statements that search this table. */
function plansOf({ config }: Frontdesk, statements: ReadonlySet<string>, table = 'session') {
  using database = new Database(config.database.engine === 'sqlite' ? config.database.file : '');
  return [...statements]
    .filter((text) => text.includes(`from "${table}"`))
    .map((text) => database.query<{ detail: string }, []>(`explain query plan ${text}`).all());
}

test('each session is on one page, and no page sorts or reads the sessions of other pages', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const end = new Date(Date.now() + 3_600_000).toISOString();
  await desk.database.query(
    `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
     select 'same-' || i, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, '${end}' from n, (select * from session limit 1) s`,
  );
  const statements = new Set<string>();
  const storage = await openStorage(desk.config.database, (text) => void statements.add(text));
  const pages = await Array.fromAsync(readSessionPages(storage.reads, new Date()));
  await storage.close();
  const sids = pages.flat().map(({ sid }) => sid);
  expect([pages.length, sids.length, new Set(sids).size]).toEqual([3, 2501, 2501]);

  const plans = plansOf(desk, statements);
  await desk.stop();
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    const details = plan.map(({ detail }) => detail);
    expect(details[0]).toStartWith('SEARCH session USING INDEX session_expiry (');
    expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]);
  }
  expect(plans[1]?.[0]?.detail).toContain('(expires_at,sid)<(?,?)');
});

test('ended sessions are found without reading open ones, and those since a revision without reading earlier ones', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const add = (name: string, count: number, end: string, revision: string) =>
    desk.database.query(
      `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at, ended_at, ended_revision)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       select '${name}-' || i, person_id, roles, authentication, opened_at, last_seen_at, '${later}', expires_at, ${end}, ${revision}
       from n, (select * from session limit 1) s`,
    );
  await add('open', 5000, 'null', 'null');
  await add('ended', 2500, 'opened_at', 'i');
  const statements = new Set<string>();
  const storage = await openStorage(desk.config.database, (text) => void statements.add(text));
  const all = (await Array.fromAsync(readEndedSessions(storage.reads, new Date()))).flat();
  const newest = (await Array.fromAsync(readEndedSince(storage.reads, 2490))).flat();
  await storage.close();
  const plans = plansOf(desk, statements);
  await desk.stop();
  expect([all.length, newest.map(({ sid }) => sid).sort()]).toEqual([
    2500,
    Array.from({ length: 10 }, (_, index) => `ended-${2491 + index}`).sort(),
  ]);
  expect(plans.map((plan) => plan.map(({ detail }) => detail))).toEqual([
    [expect.stringMatching(/^SEARCH session USING INDEX session_ended /)],
    [expect.stringMatching(/^SEARCH session USING INDEX session_ended_revision /)],
  ]);
});

test('lists are compared with their history without a statement that reads all changes', async () => {
  const desk = await startFrontdesk();
  const statements = new Set<string>();
  const storage = await openStorage(desk.config.database, (text) => void statements.add(text));
  const fault = await findListFault(storage.reads);
  await storage.close();
  const plans = plansOf(desk, statements, 'lookup_change');
  await desk.stop();
  expect(fault).toBeUndefined();
  expect(plans.length).toBeGreaterThan(3);
  expect(plans.flat().filter(({ detail }) => detail.startsWith('SCAN'))).toEqual([]);
});
