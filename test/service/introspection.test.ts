// What another service can learn about one of our access tokens (RFC 7662), and where it finds the endpoint (RFC 8414).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { decodeJwt } from 'jose';
import { addOwnKeyCaller, jwtBearer, makeSigner, postForm, runCallers, type Signer } from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let signer: Signer;
/** The introspector's own access token. */
let own: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  signer = await makeSigner();
  own = await (await addOwnKeyCaller(desk, 'resource', signer, 'TOKEN_INTROSPECTOR'))();
});
afterAll(() => desk.stop());

const ask = (form: Record<string, string> | string, as = own) =>
  postForm(`${desk.url}/auth/introspect`, form, bearer(as));
const introspect = async (token: string) => {
  const response = await ask({ token });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return (await response.json()) as unknown;
};

test("a person's token is active, with its claims, until the session ends", async () => {
  const token = await desk.signIn('E-1003');
  expect(await introspect(token)).toEqual({ active: true, token_type: 'Bearer', ...decodeJwt(token) });
  expect(decodeJwt(token)).toMatchObject({ sub: 'E-1003', client_id: 'frontdesk', iss: desk.url });
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) });
  expect(await introspect(token)).toEqual({ active: false });
});

test("a program's token is active until it is removed, the introspector's own included", async () => {
  const token = await (await addOwnKeyCaller(desk, 'payroll', signer))();
  expect(await introspect(token)).toMatchObject({ active: true, sub: 'caller:payroll', client_id: 'payroll' });
  expect(await introspect(own)).toMatchObject({ active: true, sub: 'caller:resource', roles: ['TOKEN_INTROSPECTOR'] });
  expect(await runCallers(desk, 'remove', 'payroll')).toMatchObject({ exitCode: 0 });
  await until(async () => Bun.deepEquals(await introspect(token), { active: false }));
});

test.each([
  ['nonsense', () => 'nonsense'],
  ['a token with another signature', () => `${own.slice(0, -8)}AAAAAAAA`],
  ['an assertion', () => signer.sign({ iss: 'resource', sub: 'resource' })],
])('%s is not active, and nothing more is said', async (_, make) => {
  expect(await introspect(await make())).toEqual({ active: false });
});

test('an expired token is not active', async () => {
  const other = await startFrontdesk({ TOKEN_TTL_SECONDS: '60' });
  const token = await other.signIn('E-1003');
  const answers: unknown[] = [];
  const renewOwn = await addOwnKeyCaller(other, 'resource', signer, 'TOKEN_INTROSPECTOR');
  for (const seconds of [0, 70]) {
    other.advance(seconds);
    // The calling program's clock is not advanced, so its second assertion seems 70 s old, which is accepted.
    const answer = await postForm(`${other.url}/auth/introspect`, { token }, bearer(await renewOwn()));
    answers.push(((await answer.json()) as { active: boolean }).active);
  }
  expect(answers).toEqual([true, false]);
  await other.stop();
});

describe('introspection is refused', () => {
  test('without an access token', async () => {
    const response = await postForm(`${desk.url}/auth/introspect`, { token: own });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="frontdesk"');
    await expectProblem(response, 'unauthorized', 401);
  });
  test('to people, and to programs without the role', async () => {
    await expectProblem(await ask({ token: own }, await desk.signIn('E-1001')), 'forbidden', 403);
  });
  test('without a token to ask about, or with one that is too long', async () => {
    await expectProblem(await ask({}), 'invalid-request', 400);
    await expectProblem(await ask({ token: '' }), 'invalid-request', 400);
    await expectProblem(await ask({ token: 'x'.repeat(16 * 1024 + 1) }), 'invalid-request', 400);
  });
  test('for two tokens at once', async () => {
    await expectProblem(await ask(`token=${own}&token=${own}`), 'invalid-request', 400);
  });
  test('if it is asked for as JSON', async () => {
    const headers = { ...bearer(own), 'content-type': 'application/json' };
    const body = JSON.stringify({ token: own });
    const response = await fetch(`${desk.url}/auth/introspect`, { method: 'POST', headers, body });
    await expectProblem(response, 'unsupported-type', 415);
  });
});

test('the metadata names both endpoints, the grant, and how each is authenticated', async () => {
  expect(await (await desk.get('/.well-known/oauth-authorization-server')).json()).toEqual({
    issuer: desk.url,
    jwks_uri: `${desk.url}/.well-known/jwks.json`,
    token_endpoint: `${desk.url}/auth/token`,
    token_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint: `${desk.url}/auth/introspect`,
    introspection_endpoint_auth_methods_supported: ['Bearer'],
    response_types_supported: [],
    grant_types_supported: [jwtBearer],
    service_documentation: `${desk.url}/docs`,
  });
});
