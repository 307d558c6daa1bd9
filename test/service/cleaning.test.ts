// Housekeeping with more rows than one step processes.
import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { deleteOld, eraseSealedTokens } from '../../src/auth/sessions/cleaning.ts';
import { openStorage, transactUnforced } from '../../src/storage/storage.ts';
import { Browser } from '../support/browser.ts';
import { engine } from '../support/database.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { until } from '../support/waiting.ts';

test('everything that has expired is deleted or erased, however much it is, and nothing else', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1050)';
  const copy = (name: string, expires: string, idToken: string) =>
    desk.database.query(
      `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at, id_token)
       ${numbers} select '${name}-' || i, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, '${expires}', ${idToken} from n, (select * from session limit 1) s`,
    );
  await copy('old', day(-2), 'null');
  await copy('over', day(-0.5), "'sealed'");
  await copy('open', day(0.5), "'sealed'");
  await desk.database.query(`insert into used_code ${numbers} select 'code-' || i, '${day(-2)}' from n`);
  await desk.runHousekeeping();
  const count = async (condition: string) =>
    Number((await desk.database.query(`select count(*) as n from session where ${condition}`))[0]?.n);
  const counts = [
    await count("sid like 'old-%'"),
    await count("sid like 'over-%'"),
    await count("sid like 'over-%' and id_token is not null"),
    await count("sid like 'open-%' and id_token is not null"),
    Number((await desk.database.query("select count(*) as n from used_code where code_hash like 'code-%'"))[0]?.n),
  ];
  await desk.stop();
  expect(counts).toEqual([0, 1050, 0, 1050, 0]);
});

test('with a clock that is wrong by days, nothing is deleted, erased, forgotten or rotated, and that is logged once', async () => {
  const desk = await startFrontdesk();
  const browser = new Browser();
  await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const renew = async () =>
    (await browser.request(`${desk.url}/auth/renew`, { method: 'POST', headers: { origin: desk.url } })).status;
  const ended = await desk.signIn('E-1002');
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(ended) });
  const about = (text: string) => desk.logged.filter((line) => line.includes(text)).length;
  desk.missetClock(120 * 86_400);
  await desk.runHousekeeping();
  await desk.runHousekeeping();
  const meanwhile = [await renew(), about('the clock is wrong'), about('the clock is right')];
  const keys = await desk.database.query('select state from signing_key');
  desk.missetClock(0);
  await desk.runHousekeeping();
  const afterwards = [await renew(), about('the clock is wrong'), about('the clock is right')];
  const reused = await desk.get('/auth/me', bearer(ended));
  await desk.stop();
  expect([meanwhile, afterwards]).toEqual([
    [401, 1, 0],
    [200, 1, 1],
  ]);
  expect(keys).toEqual([{ state: 'active' }]);
  expect(reused.status).toBe(401);
});

test('each session with two sealed tokens is read once, and one search finds a thousand', async () => {
  const desk = await startFrontdesk();
  await desk.signIn();
  const over = new Date(Date.now() - 3_600_000).toISOString();
  await desk.database.query(
    `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at, id_token, refresh_token)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 1050)
     select 'over-' || i, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, '${over}', 'sealed', 'sealed' from n, (select * from session limit 1) s`,
  );
  let [steps, searches] = [0, 0];
  const storage = await openStorage(desk.config.database, (text) => {
    if (text.startsWith('update session')) steps++;
    if (text.startsWith('select') && text.includes('from "session"')) searches++;
  });
  await eraseSealedTokens(storage.db, new Date());
  await storage.close();
  const left = await desk.database.query(
    "select count(*) as n from session where sid like 'over-%' and (id_token is not null or refresh_token is not null)",
  );
  await desk.stop();
  // Two searches find these sessions, and a third one finds no more.
  expect([Number(left[0]?.n), steps, searches]).toEqual([0, 21, 3]);
});

if (engine === 'postgres') {
  test('deleted rows are not scanned again, even while an open transaction may still see them', async () => {
    const desk = await startFrontdesk();
    await desk.signIn();
    // Prevents new statistics during the test, because they could make PostgreSQL choose a different index.
    await desk.database.query('alter table session set (autovacuum_enabled = false)');
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, -'000Z'.length);
    await desk.database.query(
      `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 4050)
       select 'old-' || i, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, '${old}' || (100 + i % 900) || 'Z'
       from n, (select * from session limit 1) s`,
    );
    // A long transaction, such as that of a backup. Until it ends, deleted rows stay on disk.
    const reader = new Client(desk.database.url);
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from session');
    const [row] = await desk.database.query('select current_database() as name');
    for (const choice of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) {
      await desk.database.query(`alter database ${row?.name} set ${choice} = off`);
    }
    const storage = await openStorage(desk.config.database);
    await deleteOld(storage.db, new Date());
    await storage.close();
    const count = "select count(*)::int as n from session where sid like 'old-%'";
    const { rows: seen } = await reader.query(count);
    const left = await desk.database.query(count);
    await reader.end();
    const read = async (column: string) => {
      const query = `select ${column}::int as n from pg_stat_user_indexes where indexrelname = 'session_expiry'`;
      return Number((await desk.database.query(query))[0]?.n);
    };
    await until(async () => (await read('idx_scan')) >= 5);
    const passed = await read('idx_tup_read');
    await desk.stop();
    expect([seen, left]).toEqual([[{ n: 4050 }], [{ n: 0 }]]);
    expect(passed).toBeGreaterThanOrEqual(4050);
    expect(passed).toBeLessThan(5000);
  });
}

test('a step does not wait for the disk, but later transactions do, even if the step failed', async () => {
  const desk = await startFrontdesk();
  if (engine === 'postgres') {
    // Commits on the tests' server do not wait for the disk, so this database gets the usual setting.
    const [row] = await desk.database.query('select current_database() as name');
    await desk.database.query(`alter database ${row?.name} set synchronous_commit = on`);
  }
  const storage = await openStorage(desk.config.database);
  const setting = sql.raw(engine === 'postgres' ? 'show synchronous_commit' : 'pragma synchronous');
  const read = async (db: typeof storage.db) => Object.values((await setting.execute(db)).rows[0] ?? {})[0];
  const before = await read(storage.db);
  const meanwhile = await transactUnforced(storage.db, read);
  const failed = await transactUnforced(storage.db, async (tx) => {
    await tx.deleteFrom('session').execute();
    throw new Error('failed');
  }).catch((error: Error) => error.message);
  const after = await read(storage.db);
  await storage.close();
  await desk.stop();
  const [forced, unforced] = engine === 'postgres' ? ['on', 'off'] : [2, 1];
  expect([before, meanwhile, failed, after]).toEqual([forced, unforced, 'failed', forced]);
});
