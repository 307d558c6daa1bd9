// The pages of all open sessions, where very many end at the same time.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readEndedByOlder, readSessionPages } from '../../src/auth/sessions/session.queries.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

/** How SQLite finds the sessions, for each of these statements that does. */
function plansOf({ config }: Frontdesk, statements: ReadonlySet<string>) {
  using database = new Database(config.database.engine === 'sqlite' ? config.database.file : '');
  return [...statements]
    .filter((text) => text.includes('from "session"'))
    .map((text) => database.query<{ detail: string }, []>(`explain query plan ${text}`).all());
}

test('each session is on one page, and no page sorts or passes over those of others', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const end = new Date(Date.now() + 3_600_000).toISOString();
  await desk.database.query(
    `insert into session (sid, person_id, roles, opened_at, expires_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
     select 'same-' || i, person_id, roles, opened_at, '${end}' from n, (select * from session limit 1) s`,
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

test('those that an older version ended are found without passing over the many that this one has just ended', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const now = new Date().toISOString();
  await desk.database.query(
    `insert into session (sid, person_id, roles, opened_at, expires_at, ended_at, ended_revision)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
     select 'own-' || i, person_id, roles, opened_at, expires_at, '${now}', i from n, (select * from session limit 1) s`,
  );
  await desk.database.query(
    `insert into session (sid, person_id, roles, opened_at, expires_at, ended_at)
     select 'older', person_id, roles, opened_at, expires_at, '${now}' from session limit 1`,
  );
  const statements = new Set<string>();
  const storage = await openStorage(desk.config.database, (text) => void statements.add(text));
  const found = (await Array.fromAsync(readEndedByOlder(storage.reads, new Date(Date.now() - 60_000)))).flat();
  await storage.close();
  const plans = plansOf(desk, statements);
  await desk.stop();
  expect(found.map(({ sid }) => sid)).toEqual(['older']);
  expect(plans.map(([first]) => first?.detail)).toEqual([
    expect.stringMatching(/^SEARCH session USING INDEX session_ended_by_older /),
  ]);
});
