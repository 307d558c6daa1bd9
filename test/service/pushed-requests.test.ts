// Pushed authorization requests (RFC 9126): with a real provider that requires or only supports them, and with one that
// answers them wrongly.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { ProblemCode } from '../../src/http/problem-table.ts';
import { Browser } from '../support/browser.ts';
import { type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { clientId, type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';

async function expectPushedSignIn(desk: Frontdesk): Promise<void> {
  const browser = new Browser();
  const begun = await browser.request(`${desk.url}/auth/login?login_hint=E-1001`);
  expect(begun.status).toBe(302);
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  expect([...searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
  const { response } = await browser.follow(begun.headers.get('location') ?? '');
  expect(response.status).toBe(200);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const me = await desk.get('/auth/me', { authorization: `Bearer ${accessToken}` });
  expect(await me.json()).toMatchObject({ sub: 'E-1001' });
}

test('a provider that requires pushed requests gets the parameters directly, and the browser carries a reference', async () => {
  const { desk, provider } = await startWithProvider({
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
    },
  });
  await expectPushedSignIn(desk);
  await desk.stop();
  await provider.close();
});

test('a provider that only supports them gets them with OIDC_PAR=true, and a wrong secret is reported at once', async () => {
  const started = await startWithProvider();
  const plain = await started.desk.get('/auth/login');
  expect(new URL(plain.headers.get('location') ?? '').searchParams.get('request_uri')).toBeNull();
  let desk = await started.desk.restart({ OIDC_PAR: 'true' });
  await expectPushedSignIn(desk);
  const metricsPort = String(freePort());
  desk = await desk.restart({ OIDC_CLIENT_SECRET: 'wrong', METRICS_PORT: metricsPort });
  await expectProblem(await desk.get('/auth/login'), 'idp-configuration', 502);
  const metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('frontdesk_sign_ins_total{way="bound",outcome="idp-configuration"} 1');
  expect(desk.logged.join('')).toContain('the provider refused: invalid_client: check OIDC_CLIENT_ID');
  await desk.stop();
  await started.provider.close();
});

describe('a provider that answers wrongly', () => {
  let provider: HostileProvider;
  let desk: Frontdesk;
  const reference = 'urn:ietf:params:oauth:request_uri:1';
  const created = (changes: object = {}) =>
    Response.json({ request_uri: reference, expires_in: 60, ...changes }, { status: 201 });
  const refusal = (error: string, status = 400, headers = {}) => Response.json({ error }, { status, headers });
  const discovery = () => ({
    pushed_authorization_request_endpoint: `${provider.issuer}/par`,
    require_pushed_authorization_requests: true,
  });

  beforeAll(async () => {
    provider = await startHostileProvider();
    provider.lie = { discovery: discovery() };
    desk = await startFrontdesk(provider.env);
  });
  afterAll(async () => {
    await desk.stop();
    provider.stop();
  });
  afterEach(async () => {
    // Whatever happened, the next sign-in works, and everything that the sign-in page needs is pushed.
    let pushed = new URLSearchParams();
    provider.lie = {
      discovery: discovery(),
      pushedRequest(form) {
        pushed = form;
        return created();
      },
    };
    const begun = await desk.get('/auth/login');
    expect(begun.headers.get('location')).toBe(
      `${provider.issuer}/auth?${new URLSearchParams({ request_uri: reference, client_id: clientId })}`,
    );
    expect(Object.fromEntries(pushed)).toEqual({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: `${desk.url}/auth/login/callback`,
      scope: 'openid profile email phone',
      state: expect.any(String),
      nonce: expect.any(String),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
    });
  });

  test.each<[string, () => Response, ProblemCode, number]>([
    ['a refused client', () => refusal('invalid_client', 401), 'idp-configuration', 502],
    [
      'a refused client with a challenge',
      () => refusal('invalid_client', 401, { 'www-authenticate': 'Basic' }),
      'idp-configuration',
      502,
    ],
    ['401 without an error code', () => new Response('', { status: 401 }), 'idp-configuration', 502],
    ['a refused scope', () => refusal('invalid_scope'), 'login-failed', 400],
    ['a temporary failure', () => refusal('temporarily_unavailable'), 'idp-unavailable', 503],
    ['too many requests', () => new Response('', { status: 429 }), 'idp-unavailable', 503],
    ['a failure', () => new Response('', { status: 500 }), 'idp-bad-response', 502],
    ['200 instead of 201', () => Response.json({ request_uri: reference, expires_in: 60 }), 'idp-bad-response', 502],
    ['no JSON', () => new Response('<html>', { status: 201 }), 'idp-bad-response', 502],
    ['no reference', () => created({ request_uri: undefined }), 'idp-bad-response', 502],
    ['a reference that is a number', () => created({ request_uri: 7 }), 'idp-bad-response', 502],
    ['a reference of 2,001 characters', () => created({ request_uri: 'u'.repeat(2001) }), 'idp-bad-response', 502],
    ['no time', () => created({ expires_in: undefined }), 'idp-bad-response', 502],
    ['a redirect', () => Response.redirect('https://evil.example', 307), 'idp-bad-response', 502],
  ])('%s', async (_, pushedRequest, code, status) => {
    provider.lie = { discovery: discovery(), pushedRequest };
    const begun = await desk.get('/auth/login');
    expect(begun.headers.get('set-cookie')).toBeNull();
    await expectProblem(begun, code, status);
  });

  test('without such an endpoint is not used, and the log has the reason', async () => {
    provider.lie = {};
    const other = await startFrontdesk({ ...provider.env, OIDC_PAR: 'true' });
    await expectProblem(await other.get('/auth/login'), 'idp-unavailable', 503);
    expect(other.logged.join('')).toContain('discovery names no usable endpoint for pushed requests');
    await other.stop();
  });
});
