// List changes, and sign-ins meanwhile.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Client } from 'pg';
import { engine } from '../support/database.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let token: string;
beforeAll(async () => {
  // The minimum.
  desk = await startFrontdesk({ DATABASE_POOL_SIZE: '3' });
  token = await desk.signIn('E-1001');
});
afterAll(() => desk.stop());

const readVersion = async () => {
  const response = await desk.get('/admin/lookups/employee-level', bearer(token));
  return ((await response.json()) as { version: number }).version;
};

const rename = (version: number, label: string) =>
  fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
    method: 'PATCH',
    headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` },
    body: JSON.stringify({ label }),
  });

if (engine === 'postgres') {
  test('people sign in and out while several changes of lists wait for each other', async () => {
    // Like another replica that is still changing a list.
    const other = new Client(desk.database.url);
    await other.connect();
    await other.query("begin; update revision set number = number where topic = 'lists'");
    const version = await readVersion();
    let answered = 0;
    const changes = Array.from({ length: 6 }, async (_, index) => {
      const { status } = await rename(version, `Change ${index}`);
      answered++;
      return status;
    });
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await desk.database.query(waiting)).length > 0);
    const mine = await desk.signIn('E-1003');
    expect((await desk.get('/auth/me', bearer(mine))).status).toBe(200);
    const logout = await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
    expect(logout.status).toBe(204);
    expect(answered).toBe(0);
    await other.query('rollback');
    await other.end();
    await Promise.all(changes);
    await until(async () => (await rename(await readVersion(), 'Chief')).status === 200);
  });
} else {
  test('people sign in while another process writes a large change', async () => {
    const unlock = await desk.database.lock();
    const signingIn = desk.signIn('E-1003');
    // Longer than writing 50,000 items takes.
    await Bun.sleep(1500);
    await unlock();
    expect((await desk.get('/auth/me', bearer(await signingIn))).status).toBe(200);
  });
}

test('a change of some fields leaves the others of an item as they are', async () => {
  const read = async () => {
    const response = await desk.get('/admin/lookups/employee-level', bearer(token));
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    return items.find(({ value }) => value === 'LEAD');
  };
  const details = {
    labels: { de: 'Leitung' },
    validFrom: '2020-01-01',
    codes: { payroll: 'L1' },
    tags: ['senior'],
    description: 'Leads others',
    sortOrder: 15,
  };
  const change = async (body: object) => {
    const response = await fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
      method: 'PATCH',
      headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${await readVersion()}"` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  };
  await change(details);
  await change({ label: 'Head' });
  expect(await read()).toMatchObject({ ...details, label: 'Head' });
  await change({ description: null, labels: { de: 'Kopf' } });
  expect(await read()).toMatchObject({ ...details, label: 'Head', description: null, labels: { de: 'Kopf' } });
});
