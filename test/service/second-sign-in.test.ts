// Signing in again in the same browser, and codes that belong to no sign-in of this browser.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { payloadOf, renewBy, signInBound } from '../support/bound-sign-in.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';

let provider: HostileProvider;
let desk: Frontdesk;
beforeAll(async () => {
  provider = await startHostileProvider();
  provider.lie = { refreshToken: () => 'refresh', discovery: { revocation_endpoint: `${provider.issuer}/revoke` } };
  desk = await startFrontdesk(provider.env);
});
afterAll(async () => {
  await desk?.stop();
  provider?.stop();
});

const statusOf = async (token: string) => (await desk.get('/auth/me', bearer(token))).status;

test('a second sign-in ends the earlier session here, revokes nothing at the provider, and the audit says why', async () => {
  const first = await signInBound(desk, provider);
  const second = await signInBound(desk, provider, { sent: first.cookie });
  expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([401, 200]);
  expect((await renewBy(first.cookie, desk)).status).toBe(401);
  expect((await renewBy(second.cookie, desk)).status).toBe(200);
  expect(provider.revocations).toEqual([]);
  const rows = await desk.database.query(
    `select type, detail, actor from audit where session = '${first.sid}' order by seq desc limit 1`,
  );
  expect(rows).toEqual([{ type: 'session-ended', detail: 'signed in again', actor: 'E-1' }]);
});

test('if the cookie of the earlier session is not sent, that session stays open', async () => {
  const first = await signInBound(desk, provider);
  await signInBound(desk, provider);
  expect((await renewBy(first.cookie, desk)).status).toBe(200);
});

test('a code-only sign-in ends no session, because it sets no cookie', async () => {
  const first = await signInBound(desk, provider);
  const response = await desk.get('/auth/login/callback?code=alone-1', { cookie: first.cookie });
  expect([response.status, await statusOf(first.token)]).toEqual([200, 200]);
});

test('a code without a state is refused while a sign-in is in progress in this browser', async () => {
  const begun = await desk.get('/auth/login');
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const before = provider.calls.get('/token');
  await expectProblem(await desk.get('/auth/login/callback?code=alone-2', { cookie }), 'login-session-lost', 400);
  expect(provider.calls.get('/token')).toBe(before ?? 0);
  // A code-only sign-in is accepted without a cookie, or with the client's own state.
  expect((await desk.get('/auth/login/callback?code=alone-2')).status).toBe(200);
  expect((await desk.get('/auth/login/callback?code=alone-3&state=mine', { cookie })).status).toBe(200);
  expect(payloadOf<{ sub: string }>((await signInBound(desk, provider)).token).sub).toBe('E-1');
});

test('a code is not refused because of a cookie that belongs to no sign-in in progress', async () => {
  const begun = await desk.get('/auth/login');
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const forged = cookie.replace(/=.*/, '=forged');
  expect((await desk.get('/auth/login/callback?code=alone-4', { cookie: forged })).status).toBe(200);
});
