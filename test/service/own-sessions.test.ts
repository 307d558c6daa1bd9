// A person's own sessions: seeing them, and ending one of them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OwnSession } from '../../src/auth/sessions/session.schema.ts';
import { payloadOf } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, startWithProvider } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let world: Awaited<ReturnType<typeof startWithProvider>>;
beforeAll(async () => {
  world = await startWithProvider();
});
afterAll(async () => {
  await world.desk.stop();
  await world.provider.close();
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';

async function signIn(person: string) {
  const { desk } = world;
  const browser = new Browser({ 'user-agent': firefox });
  const { response } = await browser.follow(`${desk.url}/auth/login?login_hint=${person}`);
  const { accessToken: token } = (await response.json()) as { accessToken: string };
  const renew = () => browser.request(`${desk.url}/auth/renew`, { method: 'POST', headers: { origin: desk.url } });
  return { token, id: payloadOf<{ sid: string }>(token).sid ?? '', renew };
}

const list = async (token: string, at = world.desk) =>
  (await (await at.get('/auth/sessions', bearer(token))).json()) as OwnSession[];
const end = (id: string, token: string) =>
  fetch(`${world.desk.url}/auth/sessions/${id}`, { method: 'DELETE', headers: bearer(token) });

describe('the list', () => {
  test("has only the person's own sessions, this one first and marked, with the browser and address that opened each", async () => {
    const [mine, other, somebody] = [await signIn('E-1001'), await signIn('E-1001'), await signIn('E-1002')];
    const sessions = await list(mine.token);
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [mine.id, true],
      [other.id, false],
    ]);
    expect(sessions.map(({ id }) => id)).not.toContain(somebody.id);
    expect(sessions[0]).toMatchObject({
      browser: 'Firefox 144 on Windows',
      address: expect.stringMatching(/^(127\.|::1)/),
    });
    const { openedAt = '', endsAt = '' } = sessions[0] ?? {};
    expect(Date.parse(endsAt) - Date.parse(openedAt)).toBe(43_200_000);
  });

  test('says when each was renewed last', async () => {
    const mine = await signIn('E-1003');
    world.desk.advance(60);
    expect((await mine.renew()).status).toBe(200);
    const [session] = await list(mine.token);
    expect(Date.parse(session?.lastSeenAt ?? '') - Date.parse(session?.openedAt ?? '')).toBeGreaterThanOrEqual(59_000);
  });

  test('is never cached, and needs an access token: the cookie opens nothing here', async () => {
    const { token } = await signIn('E-1003');
    const response = await world.desk.get('/auth/sessions', bearer(token));
    expect(response.headers.get('cache-control')).toBe('no-store');
    await expectProblem(await world.desk.get('/auth/sessions'), 'unauthorized', 401);
  });

  test('has at most a hundred, this one always among them', async () => {
    const mine = await signIn('E-1005');
    const { database } = world.desk;
    const columns = 'person_id, roles, authentication, last_seen_at, token_expires_at';
    for (let count = 0; count < 120; count++) {
      await database.query(
        `insert into session (sid, opened_at, expires_at, ${columns}) select 'many-${count}', '2999-01-01T00:00:00.000Z', '2999-01-02T00:00:00.000Z', ${columns} from session where sid = '${mine.id}'`,
      );
    }
    const sessions = await list(mine.token);
    expect([sessions.length, sessions[0]?.id]).toEqual([100, mine.id]);
  });
});

describe('ending a session', () => {
  test('ends its tokens and its cookie at every replica, is audited, and leaves the others', async () => {
    const { desk, startReplica } = world;
    const replica = await startReplica();
    const [mine, other] = [await signIn('E-1001'), await signIn('E-1001')];
    expect((await end(other.id, mine.token)).status).toBe(204);
    await expectProblem(await desk.get('/auth/me', bearer(other.token)), 'invalid-token', 401);
    await expectProblem(await other.renew(), 'session-ended', 401);
    await until(async () => (await replica.get('/auth/me', bearer(other.token))).status === 401);
    expect((await desk.get('/auth/me', bearer(mine.token))).status).toBe(200);
    expect((await list(mine.token)).map(({ id }) => id)).not.toContain(other.id);
    const audit = await desk.get('/admin/audit?type=session-ended&limit=1', bearer(await desk.signIn('E-1006')));
    expect(await audit.json()).toMatchObject([
      { person: 'E-1001', actor: 'E-1001', session: other.id, detail: 'by the person' },
    ]);
    await replica.stop();
  });

  test('ending the current session is a logout', async () => {
    const mine = await signIn('E-1001');
    expect((await end(mine.id, mine.token)).status).toBe(204);
    await expectProblem(await world.desk.get('/auth/me', bearer(mine.token)), 'invalid-token', 401);
  });

  test('another person’s session is 404, and stays open', async () => {
    const [mine, somebody] = [await signIn('E-1001'), await signIn('E-1002')];
    await expectProblem(await end(somebody.id, mine.token), 'not-found', 404);
    expect((await world.desk.get('/auth/me', bearer(somebody.token))).status).toBe(200);
    expect((await somebody.renew()).status).toBe(200);
  });

  test.each([
    ['one that never existed', crypto.randomUUID()],
    ['a malformed session name', 'x'],
    ['one that ended before', undefined],
  ])('%s is 404', async (_, named) => {
    const [mine, other] = [await signIn('E-1001'), await signIn('E-1001')];
    if (named === undefined) await end(other.id, mine.token);
    await expectProblem(await end(named ?? other.id, mine.token), 'not-found', 404);
  });
});
