// The storage is unavailable: requests that need it say so, and others still work.

import { beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isStorageAway } from '../../src/storage/errors.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { addOwnKeyCaller, makeSigner, ownClaims, requestToken } from '../support/callers.ts';
import { engine } from '../support/database.ts';
import { bearer, codeFromProvider, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { programPath } from '../support/programs.ts';
import { shared } from '../support/shared.ts';
import { withoutStall } from '../support/waiting.ts';

const desk = shared(startFrontdesk);
let token: string;
beforeAll(async () => {
  token = await desk.signIn();
});

describe('while the database is locked', () => {
  /** The number of simultaneous sign-ins. */
  const many = 10;
  let paths: string[];
  let mine: string;
  let assertion: string;
  let during: {
    signIns: Response[];
    issued: Response;
    logout: Response;
    list: Response;
    me: Response;
    ready: Response;
  };
  const logout = () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
  // Locked only once, for all tests together, because each request waits for three seconds.
  beforeAll(async () => {
    const signer = await makeSigner();
    await addOwnKeyCaller(desk, 'payroll', signer);
    assertion = await signer.sign(ownClaims('payroll', desk.url));
    mine = await desk.signIn();
    const codes = await Promise.all(Array.from({ length: many }, () => codeFromProvider(desk)));
    paths = codes.map(({ search }) => `/auth/login/callback${search}`);
    const unlock = await desk.database.lock();
    const waiting = [...paths.map((path) => desk.get(path)), requestToken(desk, assertion), logout()];
    const [list, me, ready] = await Promise.all([
      desk.get('/employee/position', bearer(token)),
      desk.get('/auth/me', bearer(token)),
      desk.get('/health/ready'),
    ]);
    const signIns = await Promise.all(waiting);
    const [issued, left] = signIns.splice(many);
    await unlock();
    if (issued === undefined || left === undefined) throw new Error('not answered');
    during = { signIns, issued, logout: left, list, me, ready };
  });

  test('requests that only read do not wait', () => {
    expect([during.list.status, during.me.status, during.ready.status]).toEqual([200, 200, 200]);
  });

  test('sign-ins that cannot be stored are all 503, and their codes still work when storage is back', async () => {
    for (const response of during.signIns) {
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      await expectProblem(response, 'storage-unavailable', 503);
    }
    const after = await Promise.all(paths.map((path) => desk.get(path)));
    expect(after.map(({ status }) => status)).toEqual(Array(many).fill(200));
  });

  test("a program's token that cannot be recorded is 503, and its assertion still works when storage is back", async () => {
    const { issued } = during;
    expect([issued.status, issued.headers.get('retry-after'), await issued.json()]).toEqual([
      503,
      '5',
      expect.objectContaining({ error: 'temporarily_unavailable', code: 'storage-unavailable' }),
    ]);
    expect((await requestToken(desk, assertion)).status).toBe(200);
  });

  test('a logout that cannot be stored is 503 and has no partial effect', async () => {
    await expectProblem(during.logout, 'storage-unavailable', 503);
    expect((await desk.get('/auth/me', bearer(mine))).status).toBe(200);
    expect((await logout()).status).toBe(204);
    await expectProblem(await desk.get('/auth/me', bearer(mine)), 'invalid-token', 401);
  });
});

test('requests wait for a short lock, even after a long one', async () => {
  const long = await desk.database.lock();
  expect((await desk.get('/auth/login/callback?code=any')).status).toBe(503);
  await long();
  await Bun.sleep(1100);
  const status = await withoutStall(1000, async () => {
    const path = `/auth/login/callback${(await codeFromProvider(desk)).search}`;
    const short = await desk.database.lock();
    const waiting = desk.get(path);
    await Bun.sleep(60);
    await short();
    return (await waiting).status;
  });
  expect(status).toBe(200);
});

/**
 * Makes writes fail: on SQLite with a file size limit, on PostgreSQL by making the database read-only, as managed services do
 * when the disk is full.
 */
async function limitWrites(isOn: boolean): Promise<void> {
  if (engine === 'sqlite') {
    const limit = `--fsize=${isOn ? 4096 : 'unlimited'}:`;
    Bun.spawnSync([programPath('prlimit'), '--pid', String(process.pid), limit]);
    return;
  }
  const name = new URL(desk.database.url).pathname.slice(1);
  const change = `alter database ${name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`;
  await desk.database.query(`begin read write; ${change}; commit`);
  await desk.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk' and datname = current_database()",
  );
}

test('the service is not ready while the database is read-only, and ready again afterwards', async () => {
  const statuses: number[] = [];
  const ask = async () => statuses.push((await desk.get('/health/ready')).status);
  await desk.runHousekeeping();
  await ask();
  await limitWrites(true);
  try {
    await desk.runHousekeeping();
    await ask();
  } finally {
    await limitWrites(false);
  }
  await ask();
  expect(statuses).toEqual([200, 503, 200]);
  expect(await desk.database.query("select code_hash from used_code where code_hash like 'trial %'")).toEqual([]);
});

test('a full disk is distinguished from a defect', async () => {
  const folder = makeFolder();
  const storage = await openStorage({ engine: 'sqlite', file: join(folder, 'full.db') });
  await sql`pragma max_page_count = 1`.execute(storage.db);
  const row = (index: number) => ({ name: `list-${index}`, title: 'x'.repeat(4000), version: 1, updated_at: '' });
  const fill = storage.db.transaction().execute(async (tx) => {
    for (let index = 0; index < 100; index++) await tx.insertInto('lookup_list').values(row(index)).execute();
  });
  const error = await fill.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  await storage.close();
  rmSync(folder, { recursive: true });
  expect((error as { code?: string }).code).toBe('SQLITE_FULL');
  expect(isStorageAway(error)).toBe(true);
});
