// The storage can be away: what needs it says so, what does not goes on.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isStorageAway } from '../../src/storage/errors.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { addOwnKeyCaller, makeSigner, ownClaims, requestToken } from '../support/callers.ts';
import { bearer, codeFromProvider, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';

let desk: Frontdesk;
let token: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  token = await desk.signIn();
});
afterAll(() => desk.stop());

test('a sign-in that cannot be stored is 503, and its code still works when storage is back', async () => {
  const { search } = await codeFromProvider(desk);
  const unlock = await desk.database.lock();
  const during = await desk.get(`/auth/login/callback${search}`);
  const list = await desk.get('/employee/position', bearer(token));
  await unlock();
  expect(during.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectProblem(during, 'storage-unavailable', 503);
  expect(list.status).toBe(200);
  expect((await desk.get(`/auth/login/callback${search}`)).status).toBe(200);
});

test("a program's token that cannot be recorded is 503, and its assertion still works when storage is back", async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'payroll', signer);
  const assertion = await signer.sign(ownClaims('payroll', desk.url));
  const unlock = await desk.database.lock();
  const during = await requestToken(desk, assertion);
  await unlock();
  expect([during.status, during.headers.get('retry-after'), await during.json()]).toEqual([
    503,
    '5',
    expect.objectContaining({ error: 'temporarily_unavailable', code: 'storage-unavailable' }),
  ]);
  expect((await requestToken(desk, assertion)).status).toBe(200);
});

test('many who wait for a locked database are all answered, and who only reads does not wait', async () => {
  const codes = await Promise.all(Array.from({ length: 25 }, () => codeFromProvider(desk)));
  const unlock = await desk.database.lock();
  const waiting = codes.map(({ search }) => desk.get(`/auth/login/callback${search}`));
  const [me, ready] = await Promise.all([desk.get('/auth/me', bearer(token)), desk.get('/health/ready')]);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  await unlock();
  expect([me.status, ready.status]).toEqual([200, 200]);
  expect(new Set(statuses)).toEqual(new Set([503]));
  const after = await Promise.all(codes.map(({ search }) => desk.get(`/auth/login/callback${search}`)));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a short lock is waited for, also after a long one', async () => {
  const long = await desk.database.lock();
  expect((await desk.get('/auth/login/callback?code=any')).status).toBe(503);
  await long();
  await Bun.sleep(1100);
  const short = await desk.database.lock();
  const waiting = desk.get(`/auth/login/callback${(await codeFromProvider(desk)).search}`);
  await Bun.sleep(60);
  await short();
  expect((await waiting).status).toBe(200);
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

test('a logout that cannot be stored is 503 and has no partial effect', async () => {
  const mine = await desk.signIn();
  const logout = () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
  const unlock = await desk.database.lock();
  const during = await logout();
  await unlock();
  await expectProblem(during, 'storage-unavailable', 503);
  expect((await desk.get('/auth/me', bearer(mine))).status).toBe(200);
  expect((await logout()).status).toBe(204);
  await expectProblem(await desk.get('/auth/me', bearer(mine)), 'invalid-token', 401);
});
