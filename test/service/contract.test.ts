// Compares the OpenAPI document with the service's actual answers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { decodeJwt } from 'jose';
import { problemTable } from '../../src/http/problem-table.ts';
import { renewBy } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { addOwnKeyCaller, makeSigner, ownClaims, postForm, requestToken } from '../support/callers.ts';
import { type Contract, loadContract } from '../support/contract.ts';
import { bearer, codeFromProvider, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

let desk: Frontdesk;
let contract: Contract;
let token: string;
let admin: string;
let auditor: string;
/** Returns a new assertion that a program has signed. */
let assert: () => Promise<string>;
/** Returns a new access token for a program that may introspect tokens. */
let introspector: () => Promise<string>;

beforeAll(async () => {
  desk = await startFrontdesk();
  contract = await loadContract(desk.url);
  token = await desk.signIn('E-1003');
  admin = await desk.signIn('E-1001');
  auditor = await desk.signIn('E-1006');
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'payroll', signer);
  introspector = await addOwnKeyCaller(desk, 'resource', signer, 'TOKEN_INTROSPECTOR');
  assert = () => signer.sign(ownClaims('payroll', desk.url));
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

const introspect = (asked: string, as: string) => postForm(`${desk.url}/auth/introspect`, { token: asked }, bearer(as));

/** Asserts that the answer has this status, and that the contract documents it with this content type and body. */
async function expectAsDocumented(name: string, status: number, response: Response): Promise<void> {
  expect(response.status).toBe(status);
  expect(contract.findFault(name, response, await response.text())).toBeUndefined();
}

test('the contract is an OpenAPI 3.1 document with the six endpoints of the interface', () => {
  expect(contract.document.openapi).toStartWith('3.1');
  expect(Object.keys(contract.document.paths)).toEqual(
    expect.arrayContaining([
      '/employee/position',
      '/employee/overtime-eligibility',
      '/employee/employment-type',
      '/employee/employee-level',
      '/auth/login/callback',
      '/auth/me',
    ]),
  );
  const code = contract.document.paths['/auth/login/callback']?.get?.parameters?.find(({ name }) => name === 'code');
  expect(code).toMatchObject({ in: 'query' });
});

test('these operations need a token, and no others are open by mistake', () => {
  const names = (isOpen: boolean) =>
    contract.operations.filter(({ security }) => (security.length === 0) === isOpen).map(({ name }) => name);
  expect(names(false).sort()).toEqual([
    'DELETE /auth/sessions/{id}',
    'GET /admin/audit',
    'GET /admin/lookups',
    'GET /admin/lookups/{list}',
    'GET /admin/lookups/{list}/history',
    'GET /admin/lookups/{list}/last-changes',
    'GET /admin/lookups/{list}/versions/{version}',
    'GET /admin/permissions',
    'GET /admin/roles',
    'GET /admin/search',
    'GET /auth/me',
    'GET /auth/sessions',
    'GET /employee/employee-level',
    'GET /employee/employment-type',
    'GET /employee/overtime-eligibility',
    'GET /employee/position',
    'GET /employee/{list}',
    'GET /lookups',
    'GET /lookups/changes',
    'GET /lookups/titles',
    'PATCH /admin/lookups/{list}',
    'PATCH /admin/lookups/{list}/items/{value}',
    'POST /admin/lookups',
    'POST /admin/lookups/apply',
    'POST /admin/lookups/plan',
    'POST /admin/lookups/{list}/items',
    'POST /admin/lookups/{list}/items/{value}/restore',
    'POST /admin/lookups/{list}/items/{value}/retire',
    'POST /admin/lookups/{list}/undo',
    'POST /auth/introspect',
    'POST /auth/logout',
    'POST /lookups/validate',
    'PUT /admin/lookups/{list}/order',
  ]);
  expect(names(true).sort()).toEqual([
    'GET /.well-known/client-jwks.json',
    'GET /.well-known/jwks.json',
    'GET /.well-known/oauth-authorization-server',
    'GET /auth/avatars/{initials}',
    'GET /auth/login',
    'GET /auth/login/callback',
    'GET /auth/logout',
    'GET /client/frontdesk-client.tgz',
    'GET /health/live',
    'GET /health/ready',
    'GET /openapi.json',
    'GET /problems/{code}',
    'POST /auth/backchannel-logout',
    'POST /auth/renew',
    'POST /auth/token',
  ]);
});

describe('real answers are as documented', () => {
  const requests: [name: string, status: number, ask: () => Promise<Response>][] = [
    ...['position', 'overtime-eligibility', 'employment-type', 'employee-level'].map(
      (list): [string, number, () => Promise<Response>] => [
        `GET /employee/${list}`,
        200,
        () => desk.get(`/employee/${list}`, bearer(token)),
      ],
    ),
    ['GET /employee/{list}', 404, () => desk.get('/employee/unknown', bearer(token))],
    ['GET /employee/position', 304, () => desk.get('/employee/position', { ...bearer(token), 'if-none-match': '*' })],
    ['GET /employee/position', 401, () => desk.get('/employee/position')],
    ['GET /employee/position', 400, () => desk.get('/employee/position?access_token=x', bearer(token))],
    ['GET /employee/position', 400, () => desk.get('/employee/position?asOf=2027-13-01', bearer(token))],
    ['GET /auth/me', 200, () => desk.get('/auth/me', bearer(token))],
    ['GET /auth/me', 200, async () => desk.get('/auth/me', bearer(await desk.signIn('E-1004')))],
    ['GET /auth/sessions', 200, () => desk.get('/auth/sessions', bearer(token))],
    ['DELETE /auth/sessions/{id}', 404, () => send('DELETE', '/auth/sessions/unknown', undefined, token)],
    [
      'DELETE /auth/sessions/{id}',
      204,
      async () => {
        const other = await desk.signIn('E-1004');
        return send('DELETE', `/auth/sessions/${decodeJwt(other).sid}`, undefined, other);
      },
    ],
    ['GET /auth/me', 401, () => desk.get('/auth/me', bearer('wrong'))],
    ['GET /auth/login', 302, () => desk.get('/auth/login')],
    ['GET /auth/login', 400, () => desk.get('/auth/login?redirect_uri=x')],
    [
      'GET /auth/login/callback',
      200,
      async () => (await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`)).response,
    ],
    ['GET /auth/login/callback', 200, async () => fetch((await codeFromProvider(desk)).href)],
    ['GET /auth/login/callback', 400, () => desk.get('/auth/login/callback')],
    ['GET /auth/login/callback', 403, () => desk.get('/auth/login/callback?error=access_denied')],
    ['GET /auth/login/callback', 204, () => desk.get('/auth/login/callback?code=x', { purpose: 'prefetch' })],
    ['POST /auth/logout', 401, () => fetch(`${desk.url}/auth/logout`, { method: 'POST' })],
    [
      'POST /auth/logout',
      204,
      async () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(await desk.signIn()) }),
    ],
    ['GET /auth/logout', 302, () => desk.get('/auth/logout')],
    ['GET /auth/logout', 400, () => desk.get('/auth/logout?post_logout_redirect_uri=x')],
    ['POST /auth/renew', 403, () => fetch(`${desk.url}/auth/renew`, { method: 'POST' })],
    ['POST /auth/renew', 401, () => renewBy('', desk)],
    [
      'POST /auth/renew',
      200,
      async () => {
        const browser = new Browser();
        await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
        return browser.request(`${desk.url}/auth/renew`, { method: 'POST', headers: { origin: desk.url } });
      },
    ],
    ['POST /auth/backchannel-logout', 400, () => fetch(`${desk.url}/auth/backchannel-logout`, { method: 'POST' })],
    ['POST /auth/token', 200, async () => requestToken(desk, await assert())],
    ['POST /auth/token', 400, () => requestToken(desk, 'nonsense')],
    ['POST /auth/token', 415, () => fetch(`${desk.url}/auth/token`, { method: 'POST' })],
    ['POST /auth/introspect', 200, async () => introspect(token, await introspector())],
    ['POST /auth/introspect', 200, async () => introspect('nonsense', await introspector())],
    ['POST /auth/introspect', 400, async () => introspect('', await introspector())],
    ['POST /auth/introspect', 403, () => introspect(token, admin)],
    ['GET /auth/avatars/{initials}', 200, () => desk.get('/auth/avatars/AP')],
    ['GET /auth/avatars/{initials}', 404, () => desk.get('/auth/avatars/%3Cscript%3E')],
    ['GET /.well-known/jwks.json', 200, () => desk.get('/.well-known/jwks.json')],
    ['GET /.well-known/client-jwks.json', 404, () => desk.get('/.well-known/client-jwks.json')],
    ['GET /.well-known/oauth-authorization-server', 200, () => desk.get('/.well-known/oauth-authorization-server')],
    ['GET /lookups', 200, () => desk.get('/lookups', bearer(token))],
    ['GET /lookups', 304, () => desk.get('/lookups', { ...bearer(token), 'if-none-match': '*' })],
    ['GET /lookups/titles', 200, () => desk.get('/lookups/titles', { ...bearer(token), 'accept-language': 'de' })],
    ['GET /lookups/titles', 304, () => desk.get('/lookups/titles', { ...bearer(token), 'if-none-match': '*' })],
    ['POST /lookups/validate', 200, () => send('POST', '/lookups/validate', { position: ['ACCOUNTANT', 'X'] }, token)],
    ['POST /lookups/validate', 400, () => send('POST', '/lookups/validate', [], token)],
    ['GET /admin/lookups', 200, () => desk.get('/admin/lookups', bearer(admin))],
    ['GET /admin/lookups', 403, () => desk.get('/admin/lookups', bearer(token))],
    ['POST /admin/lookups', 201, () => send('POST', '/admin/lookups', { list: 'grade', title: 'Grade' })],
    ['POST /admin/lookups', 409, () => send('POST', '/admin/lookups', { list: 'position', title: 'Position' })],
    ['POST /admin/lookups', 413, () => send('POST', '/admin/lookups', { list: 'x', title: 'x'.repeat(257 * 1024) })],
    ['GET /admin/lookups/{list}', 200, () => desk.get('/admin/lookups/position', bearer(admin))],
    ['GET /admin/lookups/{list}', 404, () => desk.get('/admin/lookups/unknown', bearer(admin))],
    ['GET /admin/lookups/{list}/history', 200, () => desk.get('/admin/lookups/position/history', bearer(admin))],
    [
      'GET /admin/lookups/{list}/history',
      400,
      () => desk.get('/admin/lookups/position/history?limit=x', bearer(admin)),
    ],
    ...['last-changes', 'history?value=ACCOUNTANT'].map((path): [string, number, () => Promise<Response>] => [
      `GET /admin/lookups/{list}/${path.split('?')[0]}`,
      200,
      () => desk.get(`/admin/lookups/position/${path}`, bearer(admin)),
    ]),
    [
      'GET /admin/lookups/{list}/last-changes',
      304,
      () => desk.get('/admin/lookups/position/last-changes', { ...bearer(admin), 'if-none-match': '*' }),
    ],
    [
      'GET /admin/lookups/{list}/versions/{version}',
      200,
      () => desk.get('/admin/lookups/position/versions/1', bearer(admin)),
    ],
    [
      'GET /admin/lookups/{list}/versions/{version}',
      404,
      () => desk.get('/admin/lookups/position/versions/999', bearer(admin)),
    ],
    [
      'POST /admin/lookups/{list}/items',
      428,
      () => send('POST', '/admin/lookups/grade/items', { value: 'A', label: 'A' }),
    ],
    [
      'POST /admin/lookups/{list}/items',
      400,
      () => send('POST', '/admin/lookups/grade/items', { value: 'a' }, admin, '1'),
    ],
    [
      'POST /admin/lookups/{list}/items',
      201,
      () => send('POST', '/admin/lookups/grade/items', { value: 'A', label: 'A' }, admin, '1'),
    ],
    [
      'POST /admin/lookups/{list}/items',
      409,
      () => send('POST', '/admin/lookups/grade/items', { value: 'A', label: 'A' }, admin, '2'),
    ],
    [
      'PATCH /admin/lookups/{list}/items/{value}',
      412,
      () => send('PATCH', '/admin/lookups/grade/items/A', { label: 'B' }, admin, '1'),
    ],
    [
      'PATCH /admin/lookups/{list}/items/{value}',
      200,
      () => send('PATCH', '/admin/lookups/grade/items/A', { label: 'B' }, admin, '2'),
    ],
    [
      'PUT /admin/lookups/{list}/order',
      200,
      () => send('PUT', '/admin/lookups/grade/order', { values: ['A'] }, admin, '3'),
    ],
    ['PATCH /admin/lookups/{list}', 200, () => send('PATCH', '/admin/lookups/grade', { title: 'Grade' }, admin, '3')],
    [
      'PATCH /admin/lookups/{list}',
      412,
      () => send('PATCH', '/admin/lookups/grade', { title: 'Pay grade' }, admin, '1'),
    ],
    [
      'POST /admin/lookups/{list}/items/{value}/retire',
      200,
      () => send('POST', '/admin/lookups/grade/items/A/retire', {}, admin, '3'),
    ],
    [
      'POST /admin/lookups/{list}/items/{value}/restore',
      200,
      () => send('POST', '/admin/lookups/grade/items/A/restore', {}, admin, '4'),
    ],
    [
      'POST /admin/lookups/{list}/undo',
      200,
      () => send('POST', '/admin/lookups/grade/undo', { version: 2 }, admin, '5'),
    ],
    ['GET /admin/lookups/{list}/history', 200, () => desk.get('/admin/lookups/grade/history', bearer(admin))],
    ['POST /admin/lookups/plan', 200, () => send('POST', '/admin/lookups/plan', { lists: { grade: { title: 'G' } } })],
    ['POST /admin/lookups/apply', 400, () => send('POST', '/admin/lookups/apply', { lists: { x: 1 } })],
    [
      'POST /admin/lookups/apply',
      200,
      () => send('POST', '/admin/lookups/apply', { lists: { grade: { title: 'G' } } }),
    ],
    ['GET /admin/search', 200, () => desk.get('/admin/search?q=acc&limit=5', bearer(admin))],
    ['GET /admin/search', 400, () => desk.get('/admin/search', bearer(admin))],
    ['GET /admin/search', 403, () => desk.get('/admin/search?q=acc', bearer(token))],
    ['GET /admin/permissions', 200, () => desk.get('/admin/permissions', bearer(token))],
    ['GET /admin/permissions', 401, () => desk.get('/admin/permissions')],
    ['GET /admin/roles', 200, () => desk.get('/admin/roles', bearer(admin))],
    ['GET /admin/roles', 401, () => desk.get('/admin/roles')],
    ['GET /admin/roles', 403, () => desk.get('/admin/roles', bearer(token))],
    ['GET /admin/audit', 200, () => desk.get('/admin/audit?limit=5&since=2026-01-31', bearer(auditor))],
    ['GET /admin/audit', 400, () => desk.get('/admin/audit?since=yesterday', bearer(auditor))],
    ['GET /admin/audit', 400, () => desk.get('/admin/audit?after=1&before=2', bearer(auditor))],
    ['GET /admin/audit', 403, () => desk.get('/admin/audit', bearer(admin))],
    ['GET /health/live', 200, () => desk.get('/health/live')],
    ['GET /health/ready', 200, () => desk.get('/health/ready')],
    ['GET /client/frontdesk-client.tgz', 200, () => desk.get('/client/frontdesk-client.tgz')],
    ['GET /client/frontdesk-client.tgz', 304, () => desk.get('/client/frontdesk-client.tgz', { 'if-none-match': '*' })],
    ['GET /openapi.json', 200, () => desk.get('/openapi.json')],
    ['GET /openapi.json', 304, () => desk.get('/openapi.json', { 'if-none-match': '*' })],
    ['GET /problems/{code}', 200, () => desk.get('/problems/forbidden')],
    ['GET /problems/{code}', 404, () => desk.get('/problems/toString')],
  ];
  test.each(requests)('%s: %i', async (name, status, ask) => expectAsDocumented(name, status, await ask()));

  test('and they cover every operation except the endless stream', () => {
    const asked = new Set(requests.map(([name]) => name));
    const documented = contract.operations.map(({ name }) => name);
    expect(documented.filter((name) => !asked.has(name))).toEqual(['GET /lookups/changes']);
  });
});

test('every problem has a page that explains it, at the address in its type', async () => {
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

describe('unknown paths', () => {
  test.each(['/nothing', '/auth', '/employee', '/employee/position/', '/auth/me/x'])(
    '%s is 404 with a problem document',
    async (path) => {
      const response = await desk.get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect(response.headers.get('x-request-id')).toBeString();
    },
  );
});

describe('what no client should send, such as an invalid Host header or a fragment', () => {
  // Without the development provider, which would refuse these requests because they are for other hosts.
  let other: Frontdesk;
  beforeAll(async () => {
    other = await startFrontdesk({ OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'd', OIDC_CLIENT_SECRET: 's' });
  });
  afterAll(() => other?.stop());

  const send = (head: string, { config }: Frontdesk = other): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(config.port, '127.0.0.1', () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text)).on('error', reject);
    });

  test.each([
    ['brackets', 'HTTP/1.1\r\nHost: ['],
    ['a blank', 'HTTP/1.1\r\nHost: a b'],
    ['nothing', 'HTTP/1.1\r\nHost: '],
    ['a port that cannot exist', 'HTTP/1.1\r\nHost: x:99999'],
    ['no Host header, which HTTP/1.0 allows', 'HTTP/1.0'],
  ])('%s changes no answer', async (_, rest) => {
    expect(await send(`GET /health/live ${rest}`)).toStartWith('HTTP/1.1 200 ');
    const refused = await send(`GET /auth/login/callback?code=HOSTSECRET&code=x ${rest}`);
    expect(refused).toStartWith('HTTP/1.1 400 ');
    expect(refused).toContain('/problems/invalid-callback');
    expect(await send(`GET /employee/position ${rest}`)).toStartWith('HTTP/1.1 401 ');
    expect(other.logged.join('')).not.toContain('HOSTSECRET');
  });

  test('a fragment is not part of the query', async () => {
    const ask = (query: string) =>
      send(`GET /employee/position${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}`, desk);
    expect(await ask('?asOf=2026-01-31#x')).toStartWith('HTTP/1.1 200 ');
    expect(await ask('?asOf=x#2026-01-31')).toStartWith('HTTP/1.1 400 ');
  });
});

test('every answer except a list has a request ID', async () => {
  for (const path of ['/auth/login', '/health/live', '/docs', '/', '/.well-known/jwks.json', '/openapi.json']) {
    expect([path, (await desk.get(path)).headers.get('x-request-id')]).toEqual([
      path,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  }
});
