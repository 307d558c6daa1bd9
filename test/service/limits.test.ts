// Rate limits, and requests from other origins.
import { afterEach, describe, expect, test } from 'bun:test';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
afterEach(() => desk.stop());

describe('sign-ins are limited by address', () => {
  test('with the number that is left in every answer, until the minute is over', async () => {
    desk = await startFrontdesk({ RATE_LIMIT_LOGIN: '3/1m' });
    const answers = [
      await desk.get('/auth/login'),
      await desk.get('/auth/login/callback?code=x'),
      await desk.get('/auth/login'),
      await desk.get('/auth/login/callback?code=y'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([302, 400, 302, 429]);
    for (const [index, answer] of answers.entries()) {
      expect(answer.headers.get('ratelimit-policy')).toBe('"login";q=3;w=60');
      expect(answer.headers.get('ratelimit')).toStartWith(`"login";r=${Math.max(0, 2 - index)};t=`);
    }
    const refused = answers[3] as Response;
    expect(refused.headers.get('ratelimit')).toMatch(/^"login";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    await expectProblem(refused, 'rate-limited', 429);
    desk.advance(60);
    expect((await desk.get('/auth/login')).status).toBe(302);
  });

  test('regardless of the address that the client claims', async () => {
    desk = await startFrontdesk({ RATE_LIMIT_LOGIN: '1/1m' });
    const from = (address: string) =>
      desk.get('/auth/login', { 'x-forwarded-for': address, forwarded: `for=${address}` });
    expect([(await from('1.1.1.1')).status, (await from('2.2.2.2')).status]).toEqual([302, 429]);
  });

  test('behind a proxy, by the address that the proxy saw, not by an address that the client claimed', async () => {
    desk = await startFrontdesk({ RATE_LIMIT_LOGIN: '1/1m', TRUST_PROXY: '1' });
    const from = async (forwarded: string) => (await desk.get('/auth/login', { 'x-forwarded-for': forwarded })).status;
    expect([await from('1.1.1.1'), await from('2.2.2.2'), await from('2.2.2.2')]).toEqual([302, 302, 429]);
    expect([await from('9.9.9.9, 1.1.1.1'), await from('8.8.8.8, 1.1.1.1')]).toEqual([429, 429]);
  });

  test('unless the limit is 0', async () => {
    desk = await startFrontdesk({ RATE_LIMIT_LOGIN: '0' });
    const answers = await Promise.all(Array.from({ length: 70 }, () => desk.get('/auth/login')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(answers[0]?.headers.has('ratelimit')).toBe(false);
  });
});

test('calls are limited by person, across all sessions and routes, and other people are not affected', async () => {
  desk = await startFrontdesk({ RATE_LIMIT_API: '4/1m' });
  const [mine, again, theirs] = [await desk.signIn('E-1001'), await desk.signIn('E-1001'), await desk.signIn('E-1002')];
  const ask = (path: string, token: string) => desk.get(path, bearer(token));
  const answers = [
    await ask('/auth/me', mine),
    await ask('/employee/position', mine),
    await ask('/employee/employee-level', again),
    await ask('/auth/me', again),
    await ask('/employee/position', again),
    await ask('/auth/me', mine),
    await ask('/employee/position', theirs),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429, 200]);
  expect(answers[0]?.headers.get('ratelimit')).toBe('"api";r=3;t=60');
  for (const refused of answers.slice(4, 6)) {
    expect(refused.headers.get('ratelimit-policy')).toBe('"api";q=4;w=60');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectProblem(refused, 'rate-limited', 429);
  }
});

test('a person may have at most ten change streams in all sessions: one more is refused, and the open ones stay', async () => {
  desk = await startFrontdesk();
  const [mine, again, theirs] = [await desk.signIn('E-1003'), await desk.signIn('E-1003'), await desk.signIn('E-1001')];
  const open = async (token: string) => {
    const controller = new AbortController();
    const { signal } = controller;
    return { response: await fetch(`${desk.url}/lookups/changes`, { headers: bearer(token), signal }), controller };
  };
  const streams = await Promise.all(Array.from({ length: 14 }, (_, index) => open(index % 2 === 0 ? mine : again)));
  const refused = streams.filter(({ response }) => response.status !== 200);
  const others = streams.filter(({ response }) => response.status === 200);
  expect([others.length, refused.length, (await open(theirs)).response.status]).toEqual([10, 4, 200]);
  for (const { response } of refused) {
    expect(response.headers.get('retry-after')).toBe('60');
    await expectProblem(response, 'rate-limited', 429);
  }

  const change = await fetch(`${desk.url}/admin/lookups/position/items/ACCOUNTANT`, {
    method: 'PATCH',
    headers: { ...bearer(theirs), 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ label: 'Changed' }),
  });
  expect(change.status).toBe(200);
  for (const { response } of others) {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('event: change')) {
      const { done, value } = await reader.read();
      if (done) throw new Error('a stream was closed');
      text += new TextDecoder().decode(value);
    }
  }

  // Closing a stream makes room for another.
  others[0]?.controller.abort();
  await until(async () => (await open(mine)).response.status === 200);
});

test("requests with a stolen token cannot prevent its owner's logout", async () => {
  desk = await startFrontdesk({ RATE_LIMIT_API: '1/1m' });
  const token = await desk.signIn();
  const statuses = [await desk.get('/auth/me', bearer(token)), await desk.get('/auth/me', bearer(token))];
  const logout = await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) });
  expect([...statuses, logout].map(({ status }) => status)).toEqual([200, 429, 204]);
});

test('back-channel logouts and GET /auth/logout are limited by address, too', async () => {
  desk = await startFrontdesk({ RATE_LIMIT_API: '3/1m', RATE_LIMIT_LOGIN: '2/1m' });
  const tell = async () => (await fetch(`${desk.url}/auth/backchannel-logout`, { method: 'POST' })).status;
  expect([await tell(), await tell(), await tell(), await tell()]).toEqual([400, 400, 400, 429]);
  const leave = async () => (await desk.get('/auth/logout')).status;
  expect([await leave(), await leave(), await leave()]).toEqual([302, 302, 429]);
});

describe('other origins', () => {
  const app = 'https://app.example.com';
  const start = async (origins = app) => {
    desk = await startFrontdesk({ CORS_ORIGINS: origins });
    return desk.signIn();
  };
  const allowOf = ({ headers }: Response) => headers.get('access-control-allow-origin');

  test("a listed one may read lists, a person's details and problems, and sees the ETag, when to try again, and how to sign in", async () => {
    const token = await start(`${app},http://localhost:5173`);
    for (const origin of [app, 'http://localhost:5173']) {
      for (const path of ['/employee/position', '/auth/me', '/nothing']) {
        const response = await desk.get(path, { ...bearer(token), origin });
        expect([path, allowOf(response)]).toEqual([path, origin]);
        expect(response.headers.get('access-control-allow-credentials')).toBe('true');
        const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
        expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Retry-After', 'WWW-Authenticate']));
        expect(response.headers.get('vary')).toContain('Origin');
      }
    }
    expect(allowOf(await desk.get('/employee/position', { origin: app }))).toBe(app);
  });

  test('any other origin may not, however similar it is', async () => {
    const token = await start();
    for (const origin of [
      'https://app.example.com.evil.example',
      'https://evil.example',
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://APP.example.com',
      'null',
      '*',
    ]) {
      for (const path of ['/employee/position', '/auth/me']) {
        expect([origin, allowOf(await desk.get(path, { ...bearer(token), origin }))]).toEqual([origin, null]);
      }
      const preflight = await fetch(`${desk.url}/auth/me`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
      expect([origin, preflight.status, allowOf(preflight)]).toEqual([origin, 405, null]);
    }
  });

  test('a preflight from a listed origin is answered for existing routes', async () => {
    await start();
    const ask = (path: string) =>
      fetch(desk.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: app,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
    const response = await ask('/employee/position');
    expect([response.status, allowOf(response)]).toEqual([204, app]);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect((await ask('/auth/logout')).headers.get('access-control-allow-methods')).toBe('POST, GET');
    expect((await ask('/nothing')).status).toBe(404);
  });

  test('no origin is allowed by default, and no CORS header is sent', async () => {
    desk = await startFrontdesk();
    const response = await desk.get('/auth/me', { origin: app });
    expect([allowOf(response), response.headers.get('vary')]).toEqual([null, null]);
  });
});
