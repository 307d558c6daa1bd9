// The OpenAPI document against what the service really answers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { problemTable } from '../src/http/problem-table.ts';
import { Browser } from './support/browser.ts';
import { bearer, codeFromProvider, type Frontdesk, startFrontdesk } from './support/frontdesk.ts';

interface Operation {
  security: unknown[];
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<string, { content?: Record<string, { schema: object; examples?: object }>; headers?: object }>;
}
interface Contract {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

let desk: Frontdesk;
let contract: Contract;
let token: string;
let admin: string;
let ajv: Ajv2020;

beforeAll(async () => {
  desk = await startFrontdesk();
  contract = (await (await desk.get('/openapi.json')).json()) as Contract;
  token = await desk.signIn('E-1003');
  admin = await desk.signIn('E-1001');
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
});
afterAll(() => desk.stop());

const send = (method: string, path: string, body: unknown, as = admin, version?: string) =>
  fetch(desk.url + path, {
    method,
    headers: {
      ...bearer(as),
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    },
    body: JSON.stringify(body),
  });

/** Asserts that this answer is one the document tells of, body and type included. */
async function expectAsDocumented(path: string, method: string, response: Response): Promise<void> {
  const documented = contract.paths[path]?.[method]?.responses[String(response.status)];
  expect([path, method, response.status, documented !== undefined]).toEqual([path, method, response.status, true]);
  const type = response.headers.get('content-type')?.split(';')[0];
  const body = await response.text();
  if (body === '') return expect(documented?.content).toBeUndefined();
  const schema = documented?.content?.[type ?? '']?.schema;
  expect([path, type, schema !== undefined]).toEqual([path, type, true]);
  const pointer = ['paths', path, method, 'responses', String(response.status), 'content', type ?? '', 'schema']
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/');
  const validate = ajv.compile({ $ref: `contract#/${pointer}` });
  const value: unknown = type?.endsWith('json') ? JSON.parse(body) : body;
  expect([path, validate(value), validate.errors ?? []]).toEqual([path, true, []]);
}

test('it is OpenAPI 3.1 with the six endpoints of the interface', () => {
  expect(contract.openapi).toStartWith('3.1');
  expect(Object.keys(contract.paths)).toEqual(
    expect.arrayContaining([
      '/employee/position',
      '/employee/overtime-eligibility',
      '/employee/employment-type',
      '/employee/employee-level',
      '/auth/login/callback',
      '/auth/me',
    ]),
  );
  const code = contract.paths['/auth/login/callback']?.get?.parameters?.find(({ name }) => name === 'code');
  expect(code).toMatchObject({ in: 'query' });
});

test('these operations need a token, and no others are open by mistake', () => {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      isOpen: security.length === 0,
    })),
  );
  const names = (isOpen: boolean) => operations.filter((each) => each.isOpen === isOpen).map(({ name }) => name);
  expect(names(false).sort()).toEqual([
    'GET /admin/audit',
    'GET /admin/lookups',
    'GET /admin/lookups/{list}',
    'GET /admin/lookups/{list}/history',
    'GET /auth/me',
    'GET /employee/employee-level',
    'GET /employee/employment-type',
    'GET /employee/overtime-eligibility',
    'GET /employee/position',
    'GET /employee/{list}',
    'GET /lookups',
    'GET /lookups/changes',
    'PATCH /admin/lookups/{list}/items/{value}',
    'POST /admin/lookups',
    'POST /admin/lookups/apply',
    'POST /admin/lookups/plan',
    'POST /admin/lookups/{list}/items',
    'POST /admin/lookups/{list}/items/{value}/restore',
    'POST /admin/lookups/{list}/items/{value}/retire',
    'POST /admin/lookups/{list}/undo',
    'POST /auth/logout',
    'POST /lookups/validate',
    'PUT /admin/lookups/{list}/order',
  ]);
  expect(names(true).sort()).toEqual([
    'GET /.well-known/jwks.json',
    'GET /.well-known/oauth-authorization-server',
    'GET /auth/avatars/{initials}',
    'GET /auth/login',
    'GET /auth/login/callback',
    'GET /auth/logout',
    'GET /health/live',
    'GET /health/ready',
    'GET /openapi.json',
    'GET /problems/{code}',
    'POST /auth/backchannel-logout',
  ]);
});

describe('real answers are as documented', () => {
  const requests: [string, string, () => Promise<Response>][] = [
    ...['position', 'overtime-eligibility', 'employment-type', 'employee-level'].map(
      (list): [string, string, () => Promise<Response>] => [
        `/employee/${list}`,
        'get',
        () => desk.get(`/employee/${list}`, bearer(token)),
      ],
    ),
    ['/employee/{list}', 'get', () => desk.get('/employee/unknown', bearer(token))],
    ['/employee/position', 'get', () => desk.get('/employee/position', { ...bearer(token), 'if-none-match': '*' })],
    ['/employee/position', 'get', () => desk.get('/employee/position')],
    ['/employee/position', 'get', () => desk.get('/employee/position?access_token=x', bearer(token))],
    ['/auth/me', 'get', () => desk.get('/auth/me', bearer(token))],
    ['/auth/me', 'get', async () => desk.get('/auth/me', bearer(await desk.signIn('E-1004')))],
    ['/auth/me', 'get', () => desk.get('/auth/me', bearer('wrong'))],
    ['/auth/login', 'get', () => desk.get('/auth/login')],
    ['/auth/login', 'get', () => desk.get('/auth/login?redirect_uri=x')],
    ['/auth/login', 'get', () => desk.get('/auth/login', { 'sec-fetch-dest': 'image' })],
    ['/auth/login', 'get', () => desk.get('/auth/login', { purpose: 'prefetch' })],
    [
      '/auth/login/callback',
      'get',
      async () => (await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`)).response,
    ],
    ['/auth/login/callback', 'get', async () => fetch((await codeFromProvider(desk)).href)],
    ['/auth/login/callback', 'get', () => desk.get('/auth/login/callback')],
    ['/auth/login/callback', 'get', () => desk.get('/auth/login/callback?error=access_denied')],
    ['/auth/login/callback', 'get', () => desk.get('/auth/login/callback?code=x', { purpose: 'prefetch' })],
    ['/auth/logout', 'post', () => fetch(`${desk.url}/auth/logout`, { method: 'POST' })],
    [
      '/auth/logout',
      'post',
      async () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(await desk.signIn()) }),
    ],
    ['/auth/logout', 'get', () => desk.get('/auth/logout')],
    ['/auth/logout', 'get', () => desk.get('/auth/logout?post_logout_redirect_uri=x')],
    ['/auth/backchannel-logout', 'post', () => fetch(`${desk.url}/auth/backchannel-logout`, { method: 'POST' })],
    ['/auth/avatars/{initials}', 'get', () => desk.get('/auth/avatars/AP')],
    ['/auth/avatars/{initials}', 'get', () => desk.get('/auth/avatars/%3Cscript%3E')],
    ['/.well-known/jwks.json', 'get', () => desk.get('/.well-known/jwks.json')],
    ['/.well-known/oauth-authorization-server', 'get', () => desk.get('/.well-known/oauth-authorization-server')],
    ['/lookups', 'get', () => desk.get('/lookups', bearer(token))],
    ['/lookups', 'get', () => desk.get('/lookups', { ...bearer(token), 'if-none-match': '*' })],
    ['/lookups/validate', 'post', () => send('POST', '/lookups/validate', { position: ['ACCOUNTANT', 'X'] }, token)],
    ['/lookups/validate', 'post', () => send('POST', '/lookups/validate', [], token)],
    ['/employee/position', 'get', () => desk.get('/employee/position?asOf=2027-13-01', bearer(token))],
    ['/admin/lookups', 'get', () => desk.get('/admin/lookups', bearer(admin))],
    ['/admin/lookups', 'get', () => desk.get('/admin/lookups', bearer(token))],
    ['/admin/lookups', 'post', () => send('POST', '/admin/lookups', { list: 'grade', title: 'Grade' })],
    ['/admin/lookups', 'post', () => send('POST', '/admin/lookups', { list: 'position', title: 'Position' })],
    ['/admin/lookups/{list}', 'get', () => desk.get('/admin/lookups/position', bearer(admin))],
    ['/admin/lookups/{list}/history', 'get', () => desk.get('/admin/lookups/position/history', bearer(admin))],
    [
      '/admin/lookups/{list}/items',
      'post',
      () => send('POST', '/admin/lookups/grade/items', { value: 'A', label: 'A' }),
    ],
    [
      '/admin/lookups/{list}/items',
      'post',
      () => send('POST', '/admin/lookups/grade/items', { value: 'a' }, admin, '1'),
    ],
    [
      '/admin/lookups/{list}/items',
      'post',
      () => send('POST', '/admin/lookups/grade/items', { value: 'A', label: 'A' }, admin, '1'),
    ],
    [
      '/admin/lookups/{list}/items/{value}',
      'patch',
      () => send('PATCH', '/admin/lookups/grade/items/A', { label: 'B' }, admin, '1'),
    ],
    [
      '/admin/lookups/{list}/items/{value}',
      'patch',
      () => send('PATCH', '/admin/lookups/grade/items/A', { label: 'B' }, admin, '2'),
    ],
    ['/admin/lookups/plan', 'post', () => send('POST', '/admin/lookups/plan', { lists: { grade: { title: 'G' } } })],
    ['/admin/lookups/apply', 'post', () => send('POST', '/admin/lookups/apply', { lists: { x: 1 } })],
    ['/admin/audit', 'get', () => desk.get('/admin/audit?limit=5', bearer(admin))],
    ['/health/live', 'get', () => desk.get('/health/live')],
    ['/health/ready', 'get', () => desk.get('/health/ready')],
    ['/openapi.json', 'get', () => desk.get('/openapi.json')],
    ['/openapi.json', 'get', () => desk.get('/openapi.json', { 'if-none-match': '*' })],
    ['/problems/{code}', 'get', () => desk.get('/problems/forbidden')],
    ['/problems/{code}', 'get', () => desk.get('/problems/toString')],
  ];
  test.each(requests)('%s %s', async (path, method, ask) => expectAsDocumented(path, method, await ask()));
});

test('every problem has a page that explains it, under the address its type gives', async () => {
  for (const code of Object.keys(problemTable)) {
    const response = await desk.get(`/problems/${code}`);
    expect([code, response.status, response.headers.get('content-type')]).toEqual([
      code,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain(`<code>${code}</code>`);
  }
});

describe('what is nowhere', () => {
  test.each(['/nothing', '/auth', '/employee', '/employee/position/', '/auth/me/x'])(
    '%s is 404 with a problem document',
    async (path) => {
      const response = await desk.get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect(response.headers.get('x-request-id')).toBeString();
    },
  );
});

describe('what no client should send: nonsense as Host, a fragment', () => {
  const send = (head: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(desk.config.port, '127.0.0.1', () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text)).on('error', reject);
    });

  test.each([
    ['brackets', 'HTTP/1.1\r\nHost: ['],
    ['a blank', 'HTTP/1.1\r\nHost: a b'],
    ['nothing', 'HTTP/1.1\r\nHost: '],
    ['a port there is not', 'HTTP/1.1\r\nHost: x:99999'],
    ['none, as HTTP/1.0 may', 'HTTP/1.0'],
  ])('%s changes no answer', async (_, rest) => {
    expect(await send(`GET /health/live ${rest}`)).toStartWith('HTTP/1.1 200 ');
    const refused = await send(`GET /auth/login/callback?code=HOSTSECRET&code=x ${rest}`);
    expect(refused).toStartWith('HTTP/1.1 400 ');
    expect(refused).toContain('/problems/invalid-callback');
    expect(await send(`GET /employee/position ${rest}`)).toStartWith('HTTP/1.1 401 ');
    expect(desk.logged.join('')).not.toContain('HOSTSECRET');
  });

  test('a fragment is no part of the query', async () => {
    const ask = (query: string) =>
      send(`GET /employee/position${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}`);
    expect(await ask('?asOf=2026-01-31#x')).toStartWith('HTTP/1.1 200 ');
    expect(await ask('?asOf=x#2026-01-31')).toStartWith('HTTP/1.1 400 ');
  });
});

test('every answer but a list has a request id', async () => {
  for (const path of ['/auth/login', '/health/live', '/docs', '/', '/.well-known/jwks.json', '/openapi.json']) {
    expect([path, (await desk.get(path)).headers.get('x-request-id')]).toEqual([
      path,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  }
});
