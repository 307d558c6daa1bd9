// Renewals of one session at several replicas: only one at a time asks the provider.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type BoundSession, payloadOf, renewBy, signInBound } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const secret = 'shared by all replicas, long enough';
const tabs = 8;
let provider: HostileProvider;
let desks: Frontdesk[];
/** A dead replica has left its claim on this session. While the other tests run, renewals of the session wait for 20 s. */
let stuck: BoundSession;
let refusedWhileStuck: Promise<Response[]>;
let granted = 0;
const honest = (): Lie => ({ refreshToken: () => `refresh-${++granted}` });
beforeAll(async () => {
  provider = await startHostileProvider();
  provider.lie = honest();
  const env = { ...provider.env, SECRET_KEY: secret };
  const first = await startFrontdesk(env);
  const replica = () => startFrontdesk({ ...env, PUBLIC_URL: first.url }, first.folder, first.database);
  desks = [first, await replica(), await replica()];
  stuck = await signInBound(at(0), provider, { refreshToken: () => 'of the stuck session' });
  await claim(stuck, 3600);
  refusedWhileStuck = renewEverywhere(stuck, 1);
});
afterEach(() => {
  provider.lie = honest();
});
afterAll(async () => {
  for (const desk of desks.toReversed()) await desk.stop();
  provider.stop();
});

const at = (index: number) => desks[index % desks.length] as Frontdesk;
const signIn = () => signInBound(at(0), provider);
const renewEverywhere = ({ cookie }: BoundSession, count = tabs) =>
  Promise.all(desks.flatMap((desk) => Array.from({ length: count }, () => renewBy(cookie, desk))));
/** Stores the claim that a replica would leave behind if it died while asking the provider. It expires after `seconds`. */
const claim = ({ sid }: BoundSession, seconds: number) =>
  at(0).database.query(
    `update session set renewal_claim = 'dead', renewal_failure = null,
      renewal_claimed_until = '${new Date(Date.now() + seconds * 1000).toISOString()}' where sid = '${sid}'`,
  );
const statusesOf = (responses: Response[]) => [...new Set(responses.map(({ status }) => status))];

const isWaiting = ({ sid }: BoundSession, { logged }: Frontdesk) =>
  logged.some((line) => line.includes('waiting for another renewal') && line.includes(sid));

/** Holds back the provider's answers until they are let through. */
function gate() {
  const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = async () => {
    asked.resolve();
    await opened.promise;
  };
  return { asked: asked.promise, wait, open: () => opened.resolve() };
}

describe(`${tabs} tabs at each of three replicas that renew at once`, () => {
  test('cause one call, and all get a token that works everywhere', async () => {
    const mine = await signIn();
    const calls = provider.refreshes.length;
    const slow = gate();
    provider.lie = { ...honest(), refresh: () => slow.wait().then(provider.tokens) };
    const renewing = renewEverywhere(mine);
    await slow.asked;
    slow.open();
    const responses = await renewing;
    expect(statusesOf(responses)).toEqual([200]);
    expect(provider.refreshes.length - calls).toBe(1);
    const tokens = await Promise.all(
      responses.map(async (each) => ((await each.json()) as { accessToken: string }).accessToken),
    );
    for (const [index, token] of tokens.entries()) {
      expect(payloadOf(token)).toMatchObject({ sid: mine.sid });
      expect((await at(index).get('/auth/me', bearer(token))).status).toBe(200);
    }
    const sessions = await at(0).database.query(`select sid from session where sid = '${mine.sid}'`);
    expect(sessions).toHaveLength(1);
  });

  test('share a failure, and the next renewal asks again', async () => {
    const mine = await signIn();
    const calls = provider.refreshes.length;
    const slow = gate();
    provider.lie = { ...honest(), refresh: () => slow.wait().then(() => new Response('', { status: 500 })) };
    const first = renewBy(mine.cookie, at(0));
    await slow.asked;
    const others = [at(1), at(2)].map((desk) => renewBy(mine.cookie, desk));
    await until(async () => [at(1), at(2)].every((desk) => isWaiting(mine, desk)));
    slow.open();
    const responses = await Promise.all([first, ...others]);
    expect(provider.refreshes.length - calls).toBe(1);
    for (const response of responses) await expectProblem(response, 'idp-bad-response', 502);
    provider.lie = honest();
    expect((await renewBy(mine.cookie, at(1))).status).toBe(200);
  });

  test('are all refused if the provider refuses, which is audited once', async () => {
    const mine = await signIn();
    const calls = provider.refreshes.length;
    provider.lie = { ...honest(), refresh: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) };
    expect(statusesOf(await renewEverywhere(mine))).toEqual([401]);
    expect(provider.refreshes.length - calls).toBe(1);
    const rows = await at(0).database.query(
      `select seq from audit where session = '${mine.sid}' and type = 'session-ended'`,
    );
    expect(rows).toHaveLength(1);
  });
});

test('a session that ended on one replica is renewed on none from then on', async () => {
  const mine = await signIn();
  expect(statusesOf(await renewEverywhere(mine, 1))).toEqual([200]);
  await at(0).get('/auth/logout', { cookie: mine.cookie });
  for (const desk of desks) await expectProblem(await renewBy(mine.cookie, desk), 'session-ended', 401);
  for (const desk of desks) await until(async () => (await desk.get('/auth/me', bearer(mine.token))).status === 401);
});

describe('a renewal whose replica has died', () => {
  test('is waited for until its claim expires; then another renewal asks', async () => {
    const mine = await signIn();
    const calls = provider.refreshes.length;
    await claim(mine, 1);
    expect(statusesOf(await renewEverywhere(mine, 3))).toEqual([200]);
    expect(provider.refreshes.length - calls).toBe(1);
  });
});

test('a failure whose name only a later version knows counts as a failure of the provider', async () => {
  const mine = await signIn();
  const of = (failure: string, until: string) =>
    at(0).database.query(
      `update session set renewal_claim = 'later', renewal_failure = ${failure}, renewal_claimed_until = ${until} where sid = '${mine.sid}'`,
    );
  await of('null', `'${new Date(Date.now() + 3_600_000).toISOString()}'`);
  const waiting = renewBy(mine.cookie, at(1));
  await until(async () => isWaiting(mine, at(1)));
  await of("'of-a-later-version'", 'null');
  await expectProblem(await waiting, 'idp-unavailable', 503);
  expect((await renewBy(mine.cookie, at(1))).status).toBe(200);
});

test('a replica whose clock was wrong does not keep the others from asking the provider', async () => {
  const mine = await signIn();
  const calls = provider.refreshes.length;
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  await at(0).database.query(`update session set provider_asked_at = '${ahead}' where sid = '${mine.sid}'`);
  expect((await renewBy(mine.cookie, at(1))).status).toBe(200);
  expect(provider.refreshes.length - calls).toBe(1);
});

/** Makes the claim of a renewal in progress expire, although its replica is still working on it. */
const expireClaim = ({ sid }: BoundSession) => {
  const over = new Date(Date.now() - 1000).toISOString();
  return at(0).database.query(`update session set renewal_claimed_until = '${over}' where sid = '${sid}'`);
};

test('a renewal whose claim has expired can still store its refresh token before another takes over', async () => {
  const mine = await signIn();
  const calls = provider.refreshes.length;
  const slow = gate();
  provider.lie = { ...honest(), refresh: () => slow.wait().then(provider.tokens) };
  const late = renewBy(mine.cookie, at(0));
  await slow.asked;
  await expireClaim(mine);
  const next = renewBy(mine.cookie, at(1));
  const isTakingOver = (line: string) => line.includes('taking over') && line.includes(mine.sid);
  await until(async () => at(1).logged.some(isTakingOver));
  slow.open();
  expect(statusesOf(await Promise.all([late, next]))).toEqual([200]);
  expect(provider.refreshes.length - calls).toBe(1);
});

test('a renewal that comes back after another has taken over changes nothing', async () => {
  const mine = await signIn();
  const slow = gate();
  provider.lie = { refreshToken: () => 'late', refresh: () => slow.wait().then(provider.tokens) };
  const late = renewBy(mine.cookie, at(0));
  await slow.asked;
  await expireClaim(mine);
  provider.lie = { refreshToken: () => 'in time' };
  expect((await renewBy(mine.cookie, at(1))).status).toBe(200);
  provider.lie = { refreshToken: () => 'late' };
  slow.open();
  await expectProblem(await late, 'idp-timeout', 504);
  await at(0).database.query(`update session set provider_asked_at = null where sid = '${mine.sid}'`);
  provider.lie = honest();
  expect((await renewBy(mine.cookie, at(2))).status).toBe(200);
  expect(provider.refreshes.at(-1)?.get('refresh_token')).toBe('in time');
});

test('a renewal that comes back while the one that took over is under way changes nothing', async () => {
  const mine = await signIn();
  const [slow, next] = [gate(), gate()];
  provider.lie = { refresh: () => slow.wait().then(provider.tokens) };
  const late = renewBy(mine.cookie, at(0));
  await slow.asked;
  await expireClaim(mine);
  provider.lie = { refresh: () => next.wait().then(provider.tokens) };
  const takingOver = renewBy(mine.cookie, at(1));
  await next.asked;
  provider.lie = { refreshToken: () => 'late' };
  slow.open();
  await expectProblem(await late, 'idp-timeout', 504);
  provider.lie = { refreshToken: () => 'in time' };
  next.open();
  expect((await takingOver).status).toBe(200);
  await at(0).database.query(`update session set provider_asked_at = null where sid = '${mine.sid}'`);
  provider.lie = honest();
  expect((await renewBy(mine.cookie, at(2))).status).toBe(200);
  expect(provider.refreshes.at(-1)?.get('refresh_token')).toBe('in time');
});

test('after frontdesk keys reseal, a replica with the old secret renews nothing, and one with the new secret does', async () => {
  const newSecret = 'the next secret, which is just as long';
  let own = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const [mine, broken] = [await signInBound(own, provider), await signInBound(own, provider)];
  await own.database.query(`update session set refresh_token = 'broken' where sid = '${broken.sid}'`);
  const env = { ...own.commandEnv, NEW_SECRET_KEY: newSecret };
  const command = await runToEnd(['keys', 'reseal'], env, own.folder);
  const calls = provider.refreshes.length;
  const before = await renewBy(mine.cookie, own);
  const asked = provider.refreshes.length - calls;
  own = await own.restart({ SECRET_KEY: newSecret });
  const after = [(await renewBy(mine.cookie, own)).status, (await renewBy(broken.cookie, own)).status];
  await own.stop();
  expect(command).toMatchObject({ exitCode: 0, stderr: '' });
  await expectProblem(before, 'storage-unavailable', 503);
  expect([asked, after]).toEqual([0, [200, 401]]);
});

test('frontdesk keys reseal includes the refresh token of a renewal in progress', async () => {
  const newSecret = 'the next secret, which is just as long';
  let own = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const mine = await signInBound(own, provider);
  const slow = gate();
  provider.lie = { ...honest(), refresh: () => slow.wait().then(provider.tokens) };
  const renewing = renewBy(mine.cookie, own);
  await slow.asked;
  const sealedKey = async () => JSON.stringify(await own.database.query('select private_key from signing_key'));
  const before = await sealedKey();
  const command = runToEnd(['keys', 'reseal'], { ...own.commandEnv, NEW_SECRET_KEY: newSecret }, own.folder);
  await until(async () => (await sealedKey()) !== before);
  slow.open();
  const during = (await renewing).status;
  expect(await command).toMatchObject({ exitCode: 0, stderr: '' });
  provider.lie = honest();
  own = await own.restart({ SECRET_KEY: newSecret });
  await own.database.query(`update session set provider_asked_at = null where sid = '${mine.sid}'`);
  const after = (await renewBy(mine.cookie, own)).status;
  await own.stop();
  expect([during, after]).toEqual([200, 200]);
});

test('frontdesk keys reseal that was interrupted can be run again', async () => {
  let own = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const [first, second] = [await signInBound(own, provider), await signInBound(own, provider)];
  const where = `where sid = '${second.sid}'`;
  const [row] = await own.database.query<{ refresh_token: string }>(`select refresh_token from session ${where}`);
  const newSecret = 'the next secret, which is just as long';
  const reseal = () => runToEnd(['keys', 'reseal'], { ...own.commandEnv, NEW_SECRET_KEY: newSecret }, own.folder);
  const commands = [await reseal()];
  // As if the first run had been interrupted before this row.
  await own.database.query(`update session set refresh_token = '${row?.refresh_token}' ${where}`);
  commands.push(await reseal());
  own = await own.restart({ SECRET_KEY: newSecret });
  const statuses = [(await renewBy(first.cookie, own)).status, (await renewBy(second.cookie, own)).status];
  await own.stop();
  expect(commands.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(statuses).toEqual([200, 200]);
});

test('a refresh token that frontdesk keys reseal cannot decrypt ends its session, even with RENEW_NEEDS_PROVIDER=false', async () => {
  const settings = { ...provider.env, SECRET_KEY: secret, RENEW_NEEDS_PROVIDER: 'false' };
  let own = await startFrontdesk(settings);
  const broken = await signInBound(own, provider);
  await own.database.query(`update session set refresh_token = 'broken' where sid = '${broken.sid}'`);
  const newSecret = 'the next secret, which is just as long';
  const env = { ...own.commandEnv, NEW_SECRET_KEY: newSecret };
  const command = await runToEnd(['keys', 'reseal'], env, own.folder);
  own = await own.restart({ SECRET_KEY: newSecret });
  const response = await renewBy(broken.cookie, own);
  await own.stop();
  expect(command).toMatchObject({ exitCode: 0, stderr: '' });
  await expectProblem(response, 'session-ended', 401);
});

test('after a change of provider, the new provider gets no refresh token from the old one at a logout', async () => {
  const other = await startHostileProvider();
  other.lie = { discovery: { revocation_endpoint: `${other.issuer}/revoke` } };
  let own = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const { token } = await signInBound(own, provider, { refreshToken: () => 'of the old one' });
  own = await own.restart(other.env);
  const fresh = await signInBound(own, other, {
    claims: { sub: 'E-2' },
    userinfo: () => Response.json({ sub: 'E-2' }),
    refreshToken: () => 'of the new one',
  });
  const leave = (each: string) => fetch(`${own.url}/auth/logout`, { method: 'POST', headers: bearer(each) });
  expect([(await leave(token)).status, (await leave(fresh.token)).status]).toEqual([204, 204]);
  // The refresh token of the second session is revoked, which shows that revocations reach the new provider.
  await until(async () => other.revocations.length > 0);
  await own.stop();
  other.stop();
  expect(other.revocations.map((form) => form.get('token'))).toEqual(['of the new one']);
});

test('a session from another provider is not renewed, and its refresh token is not sent to this one', async () => {
  const other = await startHostileProvider();
  let own = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const mine = await signInBound(own, provider);
  own = await own.restart(other.env);
  const response = await renewBy(mine.cookie, own);
  await own.stop();
  other.stop();
  await expectProblem(response, 'session-ended', 401);
  expect(other.refreshes).toEqual([]);
});

test('a real provider, which revokes everything when a refresh token is reused, never sees one twice', async () => {
  const { desk, provider: real, startReplica } = await startWithProvider({ rotateRefreshToken: true });
  const replicas = [desk, await startReplica(), await startReplica()];
  const browser = new Browser();
  await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const cookie = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round++) {
    for (const each of replicas) each.advance(31);
    const sent = replicas.flatMap((each) =>
      Array.from({ length: 5 }, () => renewBy(`frontdesk_session=${cookie?.value}`, each)),
    );
    for (const { status } of await Promise.all(sent)) statuses.add(status);
  }
  for (const each of replicas.toReversed()) await each.stop();
  await real.close();
  expect([...statuses]).toEqual([200]);
});

// This test is the last in the file, because most of the 20 s have passed by now.
test('renewals wait at most 20 s for the renewal of a replica that has died, and the session stays', async () => {
  for (const response of await refusedWhileStuck) await expectProblem(response, 'idp-unavailable', 503);
  expect(provider.refreshes.map((form) => form.get('refresh_token'))).not.toContain('of the stuck session');
  await claim(stuck, 0);
  expect((await renewBy(stuck.cookie, at(1))).status).toBe(200);
});
