// The storage can be away: what needs it says so, what does not goes on.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { bearer, codeFromProvider, type Frontdesk, startFrontdesk } from './support/frontdesk.ts';
import { expectProblem } from './support/problem.ts';

let desk: Frontdesk;
let token: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  token = await desk.signIn();
});
afterAll(() => desk.stop());

/** Another process that holds the database's write lock, as a stuck backup would. */
function lockDatabase(): () => void {
  const other = new Database(desk.databaseFile);
  other.run('begin immediate');
  return () => {
    other.run('rollback');
    other.close();
  };
}

test('a sign-in that cannot be stored is 503, and its code still works when storage is back', async () => {
  const { search } = await codeFromProvider(desk);
  const unlock = lockDatabase();
  const during = await desk.get(`/auth/login/callback${search}`);
  const list = await desk.get('/employee/position', bearer(token));
  unlock();
  expect(during.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectProblem(during, 'storage-unavailable', 503);
  expect(list.status).toBe(200);
  expect((await desk.get(`/auth/login/callback${search}`)).status).toBe(200);
});

test('a logout that cannot be stored is 503 and not forgotten half-way', async () => {
  const mine = await desk.signIn();
  const logout = () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
  const unlock = lockDatabase();
  const during = await logout();
  unlock();
  await expectProblem(during, 'storage-unavailable', 503);
  expect((await desk.get('/auth/me', bearer(mine))).status).toBe(200);
  expect((await logout()).status).toBe(204);
  await expectProblem(await desk.get('/auth/me', bearer(mine)), 'invalid-token', 401);
});
