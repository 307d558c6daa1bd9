// The client in a back end: which tokens it gets for its assertions, and when. The answers are scripted here.
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { type Assertion, createFrontdesk, FrontdeskError } from '../../client/src/index.ts';

interface Sent {
  path: string;
  token: string | null;
  body: string;
}

let sent: Sent[];
let issued: number;
/** Returns the service's answer; undefined for the usual one. */
let answer: (request: Sent) => Response | undefined;
const start = Date.parse('2026-11-16T08:00:00Z');
beforeEach(() => {
  setSystemTime(start);
  sent = [];
  issued = 0;
  answer = () => undefined;
});
afterEach(() => {
  setSystemTime();
});

const at = (seconds: number) => setSystemTime(start + seconds * 1000);
const pathsSent = () => sent.map(({ path }) => path);
const exchanges = () => pathsSent().filter((path) => path === '/auth/token').length;

function payroll(assertion: Assertion) {
  const send = async (url: string, init: RequestInit = {}) => {
    const request = {
      path: url.replace('http://localhost', ''),
      token: new Headers(init.headers).get('authorization'),
      body: String(init.body ?? ''),
    };
    sent.push(request);
    const scripted = answer(request);
    if (scripted !== undefined) return scripted;
    if (request.path !== '/auth/token') return Response.json([]);
    return Response.json({ access_token: `token-${++issued}`, token_type: 'Bearer', expires_in: 900 });
  };
  return createFrontdesk({ baseUrl: 'http://localhost', assertion, fetch: send as typeof fetch });
}

const refuse = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    {
      error: 'invalid_grant',
      error_description: 'Not accepted.',
      error_uri: `http://localhost/problems/${code}`,
      code,
    },
    { status, headers },
  );

const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => new Error('no error'),
    (caught: unknown) => caught,
  );
  return error instanceof FrontdeskError
    ? { code: error.code, status: error.status, retryAfter: error.retryAfter }
    : error;
};

test('simultaneous calls share one exchange, and later calls use its token', async () => {
  const client = payroll('an assertion');
  await Promise.all([client.lookup('position'), client.lookup('employee-level'), client.validate({})]);
  at(500);
  await client.lookup('position');
  expect(sent[0]).toEqual({
    path: '/auth/token',
    token: null,
    body: 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=an+assertion',
  });
  expect(exchanges()).toBe(1);
  expect(sent.slice(1).map(({ token }) => token)).toEqual(Array(4).fill('Bearer token-1'));
});

test('an assertion is not sent to the target of a redirect', async () => {
  let redirect: string | undefined;
  const send = async (_url: string, init?: RequestInit) => {
    redirect ??= init?.redirect;
    return Response.json({ access_token: 'x', expires_in: 900 });
  };
  const client = createFrontdesk({ baseUrl: 'http://localhost', assertion: 'x', fetch: send as typeof fetch });
  await client.request('/lookups');
  expect(redirect).toBe('error');
});

describe('a token is renewed', () => {
  test('before it expires, while the old one is still used; each time with a new assertion', async () => {
    let number = 0;
    const client = payroll(async () => `assertion-${++number}`);
    await client.lookup('position');
    at(601);
    await client.lookup('position');
    await client.lookup('position');
    expect(sent.map(({ token, body }) => token ?? body.replace(/.*=/, ''))).toEqual([
      'assertion-1',
      'Bearer token-1',
      'assertion-2',
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  test('before the request, when it has expired or is about to', async () => {
    const client = payroll('x');
    await client.lookup('position');
    at(896);
    await client.lookup('position');
    expect(pathsSent()).toEqual(['/auth/token', '/employee/position', '/auth/token', '/employee/position']);
    expect(sent.at(-1)?.token).toBe('Bearer token-2');
  });

  test('and if that fails, the old one is used until it expires, with a retry every 30 s', async () => {
    const client = payroll('x');
    await client.lookup('position');
    answer = ({ path }) =>
      path === '/auth/token' ? refuse(503, 'issuer-unavailable', { 'retry-after': '5' }) : undefined;
    const asked: number[] = [];
    for (const seconds of [601, 602, 630, 632, 700]) {
      at(seconds);
      await client.lookup('position');
      asked.push(exchanges());
    }
    expect(asked).toEqual([2, 2, 2, 3, 4]);
    at(900);
    expect(await failure(client.lookup('position'))).toEqual({
      code: 'issuer-unavailable',
      status: 503,
      retryAfter: 5,
    });
  });

  test('once when it is refused, and the request is repeated', async () => {
    const client = payroll('x');
    await client.lookup('position');
    const invalid = { type: 'http://localhost/problems/invalid-token', status: 401 };
    answer = ({ token }) => (token === 'Bearer token-1' ? Response.json(invalid, { status: 401 }) : undefined);
    await Promise.all([client.lookup('position'), client.lookup('employee-level')]);
    expect([exchanges(), sent.at(-1)?.token]).toEqual([2, 'Bearer token-2']);
    answer = ({ token }) => (token === null ? undefined : Response.json(invalid, { status: 401 }));
    expect(await failure(client.lookup('position'))).toMatchObject({ code: 'invalid-token', status: 401 });
    expect(exchanges()).toBe(3);
  });
});

describe('what goes wrong', () => {
  test.each<[string, () => Response, object]>([
    ['a refusal has our code', () => refuse(400, 'assertion-rejected'), { code: 'assertion-rejected', status: 400 }],
    ['an answer without a token is unexpected', () => Response.json({}), { code: 'unexpected-answer', status: 200 }],
    [
      'an answer from a proxy is unexpected',
      () => new Response('<html>', { status: 502 }),
      { code: 'unexpected-answer', status: 502 },
    ],
    [
      'an answer that breaks off counts as a network error',
      () => new Response('{"access'),
      { code: 'network', status: 0 },
    ],
  ])('%s', async (_, respond, expected) => {
    answer = respond;
    expect(await failure(payroll('x').lookup('position'))).toMatchObject(expected);
  });

  test('an error thrown by the assertion function is passed on as it is, and the next call runs the function again', async () => {
    const lost = new Error('no such file');
    let number = 0;
    const client = payroll(() => {
      if (++number === 1) throw lost;
      return 'x';
    });
    expect(await failure(client.lookup('position'))).toBe(lost);
    expect(await client.lookup('position')).toEqual([]);
  });
});
