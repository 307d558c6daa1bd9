// What HTTP requires beyond routes: bodies and their size, connections, hosts, methods, HEAD, headers of every answer.
import { beforeAll, describe, expect, test } from 'bun:test';
import { problemTable } from '../../src/http/problem-table.ts';
import { bearer, codeFromProvider, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { answersIn, sendEndlessly, sendRaw } from '../support/raw-http.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const origin = 'https://app.example.com';
const kibibytes = (count: number) => 'x'.repeat(count * 1024);

const desk = shared(() => startFrontdesk({ CORS_ORIGINS: origin, TOKEN_INTROSPECT_ROLES: 'LOOKUP_ADMIN' }));
let token: string;
let admin: string;
beforeAll(async () => {
  token = await desk.signIn('E-1003');
  admin = await desk.signIn('E-1001');
});

/** A body that is sent in chunks, without its length. */
const chunked = (text: string) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < text.length; at += 65_536) {
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 65_536)));
      }
      controller.close();
    },
  });

describe('a body', () => {
  const framings: [string, (text: string) => string | ReadableStream][] = [
    ['with its length', (text) => text],
    ['in chunks', chunked],
  ];
  const post = (path: string, body: string | ReadableStream, headers = {}, method = 'POST') =>
    fetch(desk.url + path, { method, headers, body });

  test.each(framings)(
    'of more than 256 KiB, %s, is refused with a problem document like any other',
    async (_, bodyOf) => {
      const headers = { origin, 'content-type': 'application/json', ...bearer(admin) };
      for (const size of [257, 1024, 3000]) {
        const response = await post('/lookups/validate', bodyOf(`"${kibibytes(size)}"`), headers);
        expect(response.headers.get('access-control-allow-origin')).toBe(origin);
        expect(response.headers.get('date')).toEndWith('GMT');
        await expectProblem(response, 'body-too-large', 413);
      }
      expect(problemTable['body-too-large'].detail).toContain('256 KiB');
    },
  );

  test.each(framings)('of 256 KiB, %s, is accepted, but one byte more is refused', async (_, bodyOf) => {
    const headers = { 'content-type': 'application/json', ...bearer(token) };
    const send = async (size: number) =>
      (await post('/lookups/validate', bodyOf(JSON.stringify({ position: 'x'.repeat(size - 15) })), headers)).status;
    expect([await send(256 * 1024), await send(256 * 1024 + 1)]).toEqual([200, 413]);
  });

  test.each(framings)(
    'that is a document of 4 MiB, %s, is accepted, but one byte more is refused',
    async (_, bodyOf) => {
      const headers = { 'content-type': 'application/json', ...bearer(admin) };
      const send = async (size: number) =>
        (await post('/admin/lookups/plan', bodyOf(`{"lists":{}}${' '.repeat(size - 12)}`), headers)).status;
      expect([await send(4 * 1024 * 1024), await send(4 * 1024 * 1024 + 1)]).toEqual([200, 413]);
      expect(problemTable['body-too-large'].detail).toContain('4 MiB');
    },
  );

  test('that is a slow document: each person may send four at the same time, whatever others send', async () => {
    const ends: (() => void)[] = [];
    const slow = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"lists":'));
          ends.push(() => {
            controller.enqueue(new TextEncoder().encode('{}}'));
            controller.close();
          });
        },
      });
    const send = (token: string, body: string | ReadableStream) =>
      post('/admin/lookups/plan', body, { 'content-type': 'application/json', ...bearer(token) });
    const other = await desk.signIn('E-1006');
    const sending = Array.from({ length: 4 }, () => send(admin, slow()));
    await until(async () => (await send(admin, '{"lists":{}}')).status === 503);
    await expectProblem(await send(admin, '{"lists":{}}'), 'documents-busy', 503);
    expect((await send(other, '{"lists":{}}')).status).not.toBe(503);
    for (const end of ends) end();
    expect((await Promise.all(sending)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send(admin, '{"lists":{}}')).status).toBe(200);
  });

  test('too large is refused on every route with a body, as the contract says', async () => {
    const { paths } = (await (await desk.get('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { requestBody?: { content: object }; responses: object }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        requestBody === undefined ? [] : [{ path, method, types: Object.keys(requestBody.content), responses }],
      ),
    );
    expect(operations.length).toBeGreaterThan(8);
    for (const { path, method, types, responses } of operations) {
      expect([path, Object.keys(responses).includes('413')]).toEqual([path, true]);
      const address = path.replace('{list}', 'position').replace('{value}', 'ACCOUNTANT');
      for (const type of types) {
        const headers = { ...bearer(admin), 'content-type': type, 'if-match': '"1"' };
        const body = kibibytes(types.includes('text/csv') ? 4097 : 300);
        const answers = [
          await post(address, body, headers, method.toUpperCase()),
          await post(address, chunked(body), headers, method.toUpperCase()),
        ];
        expect([address, ...answers.map(({ status }) => status)]).toEqual([address, 413, 413]);
      }
    }
  });

  const length = 'Content-Length: 10737418240';
  const chunks = 'Transfer-Encoding: chunked';
  const json = 'Content-Type: application/json';
  const chunk = `10000\r\n${kibibytes(64)}\r\n`;
  test.each([
    ['on a route that reads it, with its length', 'POST /lookups/validate', `${json}\r\n${length}`, kibibytes(64), 413],
    ['on a route that reads it, in chunks', 'POST /lookups/validate', `${json}\r\n${chunks}`, chunk, 413],
    ['on a route that expects none, with its length', 'GET /employee/position', length, kibibytes(64), 200],
    ['on a route that expects none, in chunks', 'GET /employee/position', chunks, chunk, 200],
    ['on no route, in chunks', 'POST /nothing', chunks, chunk, 404],
  ])('that is endless is not received completely: %s', async (_, target, fields, part, status) => {
    const head = `${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${fields}\r\n\r\n`;
    const { sent, text } = await sendEndlessly(desk.url, head, part, 200 * 1024 * 1024);
    // A client that is still sending may find its connection reset before it has read the answer.
    const answers = answersIn(text).map((answer) => `${answer.status} ${answer.headers.get('connection')}`);
    expect([[], [`${status} close`]]).toContainEqual(answers);
    // The client could send only what fits into the socket buffers, and the little that the service reads and drops.
    expect(sent).toBeLessThan(60 * 1024 * 1024);
  });
});

describe('a request in chunks gets one answer, regardless of what follows its last chunk', () => {
  const head = (target: string) =>
    `${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const body = '2\r\n{}\r\n0\r\n';

  test.each([
    ['POST /lookups/validate', 200],
    ['GET /employee/position', 200],
    ['GET /auth/me', 200],
    ['POST /nothing', 404],
  ])('%s', async (target, answer) => {
    const statuses = async (text: string, rest?: string) =>
      answersIn(await sendRaw(desk.url, text, rest)).map(({ status }) => status);
    expect(await statuses(`${head(target)}${body}\r\n`)).toEqual([answer]);
    // Trailers in the same packet as the body are refused by the HTTP server; later ones are never read.
    expect(await statuses(`${head(target)}${body}X-Trailer: a\r\n\r\n`)).toEqual([400]);
    expect(await statuses(`${head(target)}${body}`, 'X-Trailer: a\r\n\r\n')).toEqual([answer]);
  });

  test('a request refused for its trailers has no effect', async () => {
    const create = (name: string, end: string) => {
      const text = JSON.stringify({ list: name, title: 'A list' });
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n${end}`;
      return sendRaw(desk.url, head('POST /admin/lookups').replace(token, admin) + chunk);
    };
    expect(answersIn(await create('with-trailers', 'X-Trailer: a\r\n\r\n')).map(({ status }) => status)).toEqual([400]);
    expect(answersIn(await create('without-trailers', '\r\n')).map(({ status }) => status)).toEqual([201]);
    const there = async (list: string) => (await desk.get(`/employee/${list}`, bearer(token))).status;
    expect([await there('with-trailers'), await there('without-trailers')]).toEqual([404, 200]);
  });
});

describe('HEAD', () => {
  test.each([
    '/employee/position',
    '/lookups',
    '/auth/me',
    '/admin/lookups',
    '/admin/lookups/position',
    '/health/live',
    '/openapi.json',
    '/docs',
    '/',
    '/problems/not-found',
    '/.well-known/jwks.json',
    '/auth/avatars/AB',
    '/nothing',
  ])('answers %s with the status and headers of GET', async (path) => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(desk.url + path, { method, headers: { ...bearer(admin), 'accept-encoding': 'identity' } }),
      ),
    );
    const told = ({ status, headers }: Response = new Response()) => {
      const varying = ['date', 'x-request-id', 'ratelimit'];
      return { status, ...Object.fromEntries([...headers].filter(([name]) => !varying.includes(name))) };
    };
    expect(Number(get?.headers.get('content-length'))).toBeGreaterThan(0);
    expect(told(head)).toEqual(told(get));
    expect(await head?.text()).toBe('');
  });

  test('opens no stream of changes', async () => {
    const open = () => fetch(`${desk.url}/lookups/changes`, { method: 'HEAD', headers: bearer(token) });
    for (let count = 0; count < 12; count++) {
      const { status, headers } = await open();
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(headers.get('content-length')).toBeNull();
    }
  });
});

describe('two Host headers', () => {
  test.each(['/employee/position', '/auth/me', '/nothing', '/docs'])('are refused at %s', async (path) => {
    const request = (hosts: string) =>
      `GET ${path} HTTP/1.1\r\n${hosts}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    for (const hosts of ['Host: a.example\r\nHost: b.example\r\n', 'Host: a.example\r\nhost: a.example\r\n']) {
      const text = await sendRaw(desk.url, request(hosts));
      expect(answersIn(text).map(({ status }) => status)).toEqual([400]);
      expect(text).toContain('{"field":"Host","message":"must be given once"}');
    }
    const status = path === '/nothing' ? 404 : 200;
    expect(answersIn(await sendRaw(desk.url, request('Host: localhost\r\n')))[0]?.status).toBe(status);
  });
});

describe('a path is matched exactly as it is written', () => {
  const get = async (target: string) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    return answersIn(await sendRaw(desk.url, head))[0]?.status;
  };

  test.each(['/docs/../docs', '/./docs', '/docs\\icon.svg', '/docs#top', '/%64ocs', '/docs/', '//docs', '/DOCS'])(
    '%s is 404',
    async (target) => expect(await get(target)).toBe(404),
  );

  test.each(['/docs', '/docs?', '/docs?a=b', '/docs?a#b', 'http://elsewhere.example/docs'])(
    '%s is /docs',
    async (target) => expect(await get(target)).toBe(200),
  );

  test('a parameter is decoded', async () => {
    const targets = ['/employee/posi%74ion', '/employee/position%2F', '/employee/%ZZ', '/employee/%00', '/employee/'];
    expect(await Promise.all(targets.map(get))).toEqual([200, 404, 404, 404, 404]);
  });
});

describe('Allow names the methods of the address itself', () => {
  test.each([
    ['DELETE', '/admin/lookups/plan', 'POST'],
    ['GET', '/admin/lookups/plan', 'POST'],
    ['HEAD', '/admin/lookups/apply', 'POST'],
    ['DELETE', '/admin/lookups', 'GET, HEAD, POST'],
    ['POST', '/employee/position', 'GET, HEAD'],
    ['PUT', '/auth/logout', 'POST, GET'],
    ['HEAD', '/auth/login/callback', 'GET'],
    ['GET', '/admin/lookups/position/items/ACCOUNTANT', 'PATCH'],
  ])('%s %s: %s', async (method, path, allow) => {
    const response = await fetch(desk.url + path, { method, headers: bearer(admin) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    const preflight = await fetch(desk.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, allow]);
  });
});

describe("the HTTP server's own answers are as docs/api.md says", () => {
  const get = (headers: string) => `GET /health/live HTTP/1.1\r\n${headers}\r\n`;
  const host = 'Host: localhost\r\n';
  test.each([
    ['a method that no standard names', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined],
    ['a method not in capitals', 'get / HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined],
    ['no Host', get(''), 400],
    ['a malformed header', get(`${host}a b: c\r\n`), 400],
    ['another transfer encoding', get(`${host}Transfer-Encoding: gzip\r\n`), 400],
    ['both a length and chunks', get(`${host}Transfer-Encoding: chunked\r\nContent-Length: 0\r\n`), 400],
    ['two lengths', get(`${host}Content-Length: 1\r\nContent-Length: 2\r\n`), 400],
    ['the address *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['another version', 'GET / HTTP/3.0\r\nHost: localhost\r\n\r\n', 505],
    ['long headers', get(`${host}X: ${'x'.repeat(17_000)}\r\n`), 431],
    ['many headers', get(host + 'X: x\r\n'.repeat(201)), 431],
  ])('%s', async (_, request, status) => {
    const text = await sendRaw(desk.url, request);
    expect(answersIn(text)[0]?.status).toBe(status);
    if (status !== undefined) expect(text).toEndWith('\r\nConnection: close\r\n\r\n');
  });
});

describe('every answer restricts what browsers do with it, and every page restricts them further', () => {
  const onPages = {
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  const names = ['x-content-type-options', 'strict-transport-security', ...Object.keys(onPages)];
  const told = ({ headers }: Response) => Object.fromEntries(names.map((name) => [name, headers.get(name)]));
  const nothing = Object.fromEntries(Object.keys(onPages).map((name) => [name, null]));
  function expected({ headers }: Response, transport: string | null) {
    const isPage = headers.get('content-type')?.startsWith('text/html') === true;
    return {
      'x-content-type-options': 'nosniff',
      'strict-transport-security': transport,
      ...(isPage ? onPages : nothing),
    };
  }

  test.each([
    ['http', null],
    ['https', 'max-age=31536000'],
  ])('under %s', async (scheme, transport) => {
    const port = freePort();
    const publicUrl = `${scheme}://localhost:${port}`;
    const here = await startFrontdesk({ PORT: String(port), PUBLIC_URL: publicUrl });
    try {
      const { search } = await codeFromProvider({ ...here, url: publicUrl });
      const { accessToken } = (await (await here.get(`/auth/login/callback${search}`)).json()) as {
        accessToken: string;
      };
      const signedIn = bearer(accessToken);
      const paths = Object.keys(((await (await here.get('/openapi.json')).json()) as { paths: object }).paths).map(
        (path) => path.replace('{list}', 'position').replace(/\{\w+\}/, 'x'),
      );
      const pages = ['/', '/docs', '/docs/docs.js', '/docs/icon.svg', '/nothing', '/problems/not-found'];
      for (const path of [...paths, ...pages]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const response = await fetch(here.url + path, { method, headers: signedIn, redirect: 'manual' });
          await response.body?.cancel();
          expect([method, path, told(response)]).toEqual([method, path, expected(response, transport)]);
        }
      }
    } finally {
      await here.stop();
    }
  });

  test('a list is restricted too, and so is an unchanged one', async () => {
    const list = await desk.get('/employee/position', bearer(token));
    const again = await desk.get('/employee/position', { ...bearer(token), 'if-none-match': '*' });
    expect([list.status, again.status]).toEqual([200, 304]);
    for (const answer of [list, again]) expect(told(answer)).toEqual(expected(answer, null));
  });

  test.each([
    ['/', "style-src 'self'; img-src 'self' https: http:;"],
    ['/docs', "style-src 'self'; img-src 'self' data:;"],
    ['/problems/not-found', "style-src 'self'; img-src 'self';"],
  ])('the page at %s may show and run only our own content', async (path, part) => {
    const policy = (await desk.get(path)).headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; script-src 'self';");
    expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
  });
});
