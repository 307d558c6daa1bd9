// Several replicas on one database: each learns what the others do.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { Browser } from '../support/browser.ts';
import { bearer, codeFromProvider, type Frontdesk, startWithProvider } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let one: Frontdesk;
let two: Frontdesk;
let token: string;
let provider: DevelopmentProvider;
beforeAll(async () => {
  const started = await startWithProvider();
  provider = started.provider;
  one = started.desk;
  two = await started.startReplica();
  token = await one.signIn();
});
afterAll(async () => {
  await two.stop();
  await one.stop();
  await provider.close();
});

const labelAt = async (desk: Frontdesk, list: string, value: string) => {
  const items = (await (await desk.get(`/employee/${list}`, bearer(token))).json()) as {
    value: string;
    label: string;
  }[];
  return items.find((item) => item.value === value)?.label;
};

const rename = (desk: Frontdesk, version: number, label: string) =>
  fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
    method: 'PATCH',
    headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` },
    body: JSON.stringify({ label }),
  });

test('a changed list is served by all replicas, and announced on the streams of the other replicas', async () => {
  const watching = await two.get('/lookups/changes', bearer(token));
  const reader = watching.body?.pipeThrough(new TextDecoderStream()).getReader();
  const changed = await rename(one, 1, 'Chief');
  expect(changed.status).toBe(200);
  await until(async () => (await labelAt(two, 'employee-level', 'LEAD')) === 'Chief');
  let told = '';
  while (!told.includes('"version":2')) told += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(told).toContain('data: {"list":"employee-level","version":2}');
  // If two replicas change the same version, one of them gets a conflict.
  const [first, second] = await Promise.all([rename(one, 2, 'A'), rename(two, 2, 'B')]);
  expect([first.status, second.status].sort()).toEqual([200, 412]);
});

test('a session that has ended at one replica has ended at all of them', async () => {
  const mine = await one.signIn('E-1003');
  expect((await two.get('/employee/position', bearer(mine))).status).toBe(200);
  await fetch(`${one.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });
  await until(async () => (await two.get('/employee/position', bearer(mine))).status === 401);
});

test('a logout takes effect at once on the replica that answered it, even if another replica has already ended the session', async () => {
  for (let round = 0; round < 5; round++) {
    const mine = await one.signIn('E-1003');
    expect((await two.get('/employee/position', bearer(mine))).status).toBe(200);
    for (const at of [one, two]) {
      expect((await fetch(`${at.url}/auth/logout`, { method: 'POST', headers: bearer(mine) })).status).toBe(204);
      expect((await at.get('/employee/position', bearer(mine))).status).toBe(401);
    }
  }
});

test('all replicas know a new key before it signs, and none knows a revoked key', async () => {
  const kids = async (desk: Frontdesk) => {
    const { keys } = (await (await desk.get('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid).sort();
  };
  const run = (...words: string[]) => runToEnd(words, one.commandEnv, one.folder);
  expect((await run('keys', 'rotate', '--now')).exitCode).toBe(0);
  await until(async () => (await kids(one)).length === 2 && Bun.deepEquals(await kids(one), await kids(two)));
  const fresh = await one.signIn('E-1002');
  expect((await two.get('/auth/me', bearer(fresh))).status).toBe(200);
  const kid = JSON.parse(Buffer.from(fresh.split('.')[0] ?? '', 'base64url').toString()).kid as string;
  expect((await run('keys', 'revoke', kid)).exitCode).toBe(0);
  await until(async () => (await two.get('/auth/me', bearer(fresh))).status === 401);
  await until(async () => (await one.get('/auth/me', bearer(fresh))).status === 401);
});

test('a code works only once across all replicas', async () => {
  const { search } = await codeFromProvider(one);
  const calls = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).get(`/auth/login/callback${search}`));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(19);
});

test('a bound sign-in can begin at one replica and end at another', async () => {
  const browser = new Browser();
  const isBack = ({ pathname }: URL) => pathname === '/auth/login/callback';
  const { url } = await browser.follow(`${one.url}/auth/login?login_hint=E-1003`, isBack);
  const response = await browser.request(two.url + url.pathname + url.search);
  expect(response.status).toBe(200);
  const { accessToken } = (await response.json()) as { accessToken: string };
  expect((await one.get('/auth/me', bearer(accessToken))).status).toBe(200);
  await expectProblem(await browser.request(one.url + url.pathname + url.search), 'login-session-lost', 400);
});
