// Trial sign-ins (`frontdesk check --sign-in`): people see their own claims, and nothing about them is kept.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printTrialAddress } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config/config.ts';
import { Browser } from '../support/browser.ts';
import { everyValueIn } from '../support/every-value.ts';
import { type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { runToEnd } from '../support/process.ts';

const envOf = (desk: Frontdesk) => ({ ...desk.commandEnv, PUBLIC_URL: desk.config.publicUrl });

/** Like `frontdesk check --sign-in`, but in this process: starting the executable takes twenty times as long. */
const makeAddress = async (desk: Frontdesk) => addressIn(await printTrialAddress(readConfig(envOf(desk))));

/** The address as the executable prints it. */
async function makeAddressByExecutable(desk: Frontdesk): Promise<string> {
  const { exitCode, stdout, stderr } = await runToEnd(['check', '--sign-in'], envOf(desk), desk.folder);
  expect([exitCode, stderr]).toEqual([0, '']);
  return addressIn(stdout);
}

function addressIn(stdout: string): string {
  const [address = '', , more] = stdout.split('\n');
  expect(address).toMatch(/^http:\/\/localhost:\d+\/auth\/trial\?ticket=[\w-]{43}$/);
  expect(more).toStartWith('It can be used once, within ten minutes.');
  return address;
}

const startOf = (address: string) => address.replace('/auth/trial?', '/auth/trial/start?');

async function expectPage(response: Response, status: number, title: string): Promise<string> {
  const html = await response.text();
  expect([response.status, response.headers.get('content-type'), /<h1>(.*)<\/h1>/.exec(html)?.[1]]).toEqual([
    status,
    'text/html; charset=utf-8',
    title,
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).not.toMatch(/<script|\s(style|on\w+)=/);
  expect(response.headers.getSetCookie().filter((cookie) => cookie.includes('session'))).toEqual([]);
  return html;
}

test('with a real provider: the person signs in, sees the claims and the result, and stays signed out', async () => {
  const { desk, provider } = await startWithProvider();
  const address = await makeAddressByExecutable(desk);
  const browser = new Browser();
  const introduction = await expectPage(await browser.request(address), 200, 'Try a sign-in');
  expect(introduction).toContain(`<code>${desk.issuer}</code>`);
  const [, href = ''] = /<a class="button" href="([^"]+)"/.exec(introduction) ?? [];
  const begun = await browser.request(new URL(href, address));
  expect(begun.status).toBe(302);
  // Without a login_hint, the provider's page would ask who the person is.
  const location = new URL(begun.headers.get('location') ?? '');
  location.searchParams.set('login_hint', 'E-1001');
  const { url, response } = await browser.follow(location);
  const html = await expectPage(response, 200, 'This sign-in works');
  expect(url.href).toStartWith(`${desk.url}/auth/trial/finish?code=`);
  expect(html).toContain('<p><code>E-1001</code> from <code>sub</code> (ID token)</p>');
  expect(html).toContain('<dt>name</dt><dd>Ada Park</dd>');
  expect(html).toContain('<td><code>LOOKUP_ADMIN</code></td><td><code>/roles</code> (userinfo)</td>');
  expect([...browser.cookies.values()].map(({ name }) => name)).not.toContain('frontdesk_session');
  expect(await desk.database.query('select * from session')).toEqual([]);
  expect(await desk.database.query('select * from person')).toEqual([]);
  // The page with the result is shown only once.
  await expectPage(await browser.request(url), 400, 'Authorization code not accepted');
  await desk.stop();
  await provider.close();
});

describe('with claims that can be recognized', () => {
  let provider: HostileProvider;
  let desk: Frontdesk;
  const secrets = ['zq-subject-1', 'zq-number-2', 'zq-mail-3', 'zq-role-4', 'zq-nested-5', 'zq-name-6', 'zq-acr-7'];
  const [subject, number, mail, role, nested, name, acr] = secrets as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const claims = { sub: subject, employee_number: number, roles: [role], tree: { inside: [nested] }, acr };
  const userinfo = () => Response.json({ sub: subject, name, email: `${mail}@example.com` });

  beforeAll(async () => {
    provider = await startHostileProvider();
    desk = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'employee_number,sub', RATE_LIMIT_LOGIN: '0' });
  });
  afterEach(() => {
    provider.lie = {};
  });
  afterAll(async () => {
    await desk.stop();
    provider.stop();
  });

  let codes = 0;
  /** Does a whole trial sign-in in one browser. Returns the code and the page with the result. */
  async function tryOut(lie: Lie = {}, sent: Record<string, string> = {}) {
    const browser = new Browser();
    const begun = await browser.request(startOf(await makeAddress(desk)));
    expect(begun.status).toBe(302);
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe(`${desk.url}/auth/login/callback`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    provider.lie = { userinfo, ...lie, claims: { nonce: searchParams.get('nonce'), ...claims, ...lie.claims } };
    const code = `zq-code-${++codes}`;
    const answer = { ...('error' in sent ? {} : { code }), state: searchParams.get('state') ?? '', ...sent };
    const callback = await browser.request(`${desk.url}/auth/login/callback?${new URLSearchParams(answer)}`);
    expect(callback.status).toBe(303);
    return { code, response: await browser.request(callback.headers.get('location') ?? '') };
  }

  async function expectNoTrace(...others: string[]) {
    const [log, stored] = [desk.logged.join(''), await everyValueIn(desk.database)];
    for (const value of [...secrets, ...others])
      expect([value, log.includes(value), stored.includes(value)]).toEqual([value, false, false]);
    expect(await desk.database.query("select * from audit where type like 'sign-in%'")).toEqual([]);
  }

  test('every claim is shown with its source, and none is found afterwards in log, database or audit', async () => {
    const { response, code } = await tryOut();
    const html = await expectPage(response, 200, 'This sign-in works');
    for (const value of secrets) expect(html).toContain(value);
    const [idToken = '', ofUserinfo = ''] = html
      .slice(html.indexOf('Claims of the ID token'))
      .split('Claims of userinfo');
    expect([idToken.includes(nested), idToken.includes(mail), ofUserinfo.includes(mail)]).toEqual([true, false, true]);
    await expectNoTrace(code);
  });

  test.each<[what: string, lie: () => Lie, status: number, title: string, reason: string]>([
    [
      'a name that is not an identifier',
      () => ({ claims: { employee_number: `${number} ` } }),
      200,
      'This sign-in would be refused',
      'the employee ID is not usable as an identifier',
    ],
    [
      'groups that the provider left out',
      () => ({ claims: { hasgroups: true } }),
      200,
      'This sign-in would be refused',
      'the provider left groups out (overage)',
    ],
    [
      'roles that do not fit in a token',
      () => ({ claims: { roles: Array.from({ length: 500 }, (_, index) => `${role}-${index}`) } }),
      200,
      'This sign-in would be refused',
      'the roles do not fit in a token',
    ],
    [
      'another nonce',
      () => ({ claims: { nonce: 'zq-nonce' } }),
      400,
      'Sign-in does not match',
      'does not belong to this sign-in',
    ],
    [
      "a stranger's signature",
      () => ({ signsWithAnotherKey: true }),
      502,
      'Identity could not be verified',
      'For the operator: ERR_JWS_SIGNATURE_VERIFICATION_FAILED.',
    ],
    [
      'userinfo about somebody else',
      () => ({ userinfo: () => Response.json({ sub: 'zq-other' }) }),
      502,
      'Identity could not be verified',
      'the provider answered about another subject',
    ],
    [
      'a client that is refused',
      () => ({ token: () => Response.json({ error: 'invalid_client' }, { status: 401 }) }),
      502,
      'Not accepted by the identity provider',
      'For the operator: the provider refused: invalid_client: check OIDC_CLIENT_ID',
    ],
  ])('%s: the page says why, and nothing is found afterwards', async (_, lie, status, title, reason) => {
    const { response } = await tryOut(lie());
    expect(await expectPage(response, status, title)).toContain(reason);
    await expectNoTrace('zq-nonce', 'zq-other');
  });

  test('a sign-in that is denied, or from a different issuer, is explained on the page', async () => {
    const { response: denied } = await tryOut({}, { error: 'access_denied' });
    await expectPage(denied, 403, 'Sign-in denied');
    const { response } = await tryOut({}, { iss: 'https://other.example' });
    await expectPage(response, 400, 'Sign-in does not match');
    await expectNoTrace();
  });

  test('frontdesk explain shows the same, and leaves nothing behind either', async () => {
    const input = join(desk.folder, 'claims.json');
    writeFileSync(input, JSON.stringify({ idToken: claims, userinfo: { name, email: mail } }));
    const env = { ...desk.commandEnv, EMPLOYEE_ID_CLAIM: 'employee_number,sub' };
    const { exitCode, stdout } = await runToEnd(['explain', input], env, desk.folder);
    rmSync(input);
    expect([exitCode, stdout.includes(number), stdout.includes(role), stdout.includes(mail)]).toEqual([
      0,
      true,
      true,
      true,
    ]);
    await expectNoTrace();
  });

  test("the provider's clock is compared by the ID token", async () => {
    const { response } = await tryOut();
    expect(await expectPage(response, 200, 'This sign-in works')).toContain("The provider's clock agrees with ours.");
    provider.lead = 30;
    const { response: ahead } = await tryOut();
    provider.lead = -3600;
    const { response: behind } = await tryOut({ claims: { exp: Math.floor(Date.now() / 1000) + 60 } });
    provider.lead = 0;
    expect(await expectPage(ahead, 200, 'This sign-in works')).toMatch(/clock is (29|30) s ahead of ours; 60 s are/);
    expect(await expectPage(behind, 200, 'This sign-in works')).toMatch(/clock is 360\d s behind ours; 60 s are/);
  });

  test('markup in a claim is shown as text, and invisible characters are written out', async () => {
    const { response } = await tryOut({
      claims: {
        employee_number: undefined,
        sub: subject,
        '<b>bold</b>': '<script>alert(1)</script>',
        note: '"\'><img src=x>',
        blank: ' \u200b\u202e',
      },
    });
    const html = await expectPage(response, 200, 'This sign-in works');
    expect(html).toContain('<dt>&lt;b&gt;bold&lt;/b&gt;</dt><dd>&lt;script&gt;alert(1)&lt;/script&gt;</dd>');
    expect(html).toContain('<dt>note</dt><dd>&quot;&#x27;&gt;&lt;img src=x&gt;</dd>');
    expect(html).toContain('\\u{200b}\\u{202e}');
    expect(html).toContain('<code>EMPLOYEE_ID_CLAIM</code> names <code>employee_number</code> first');
  });

  test('ten thousand claims of a thousand letters make a page of bounded size', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`claim-${index}`, 'x'.repeat(100)]));
    const { response } = await tryOut({
      userinfo: () => Response.json({ sub: subject, ...many, long: 'y'.repeat(100_000) }),
    });
    const html = await expectPage(response, 200, 'This sign-in works');
    expect(html.length).toBeLessThan(100_000);
    expect(html).toContain('and 4802 more');
  });

  test('the refresh token of a trial is revoked, and not kept', async () => {
    const discovery = { revocation_endpoint: `${provider.issuer}/revoke` };
    provider.lie = { discovery };
    desk = await desk.restart();
    await tryOut({ discovery, refreshToken: () => 'zq-refresh' });
    // The service finishes revocations in progress before it stops.
    desk = await desk.restart();
    expect(provider.revocations.map((form) => form.get('token'))).toEqual(['zq-refresh']);
    await expectNoTrace('zq-refresh');
  });

  test('an employee ID that belongs to a different account is reported', async () => {
    const { response: first } = await tryOut();
    await expectPage(first, 200, 'This sign-in works');
    provider.lie = { claims: { ...claims, sub: 'zq-holder' }, userinfo: () => Response.json({ sub: 'zq-holder' }) };
    expect((await desk.get('/auth/login/callback?code=holder')).status).toBe(200);
    const { response } = await tryOut();
    expect(await expectPage(response, 200, 'This sign-in would be refused')).toContain(
      'the employee ID belongs to another account',
    );
    // The database has only what the real sign-in stored.
    expect(await everyValueIn(desk.database)).not.toContain(subject);
  });
});

describe('the address', () => {
  let provider: HostileProvider;
  let desk: Frontdesk;
  beforeAll(async () => {
    provider = await startHostileProvider();
    desk = await startFrontdesk(provider.env);
  });
  afterAll(async () => {
    await desk.stop();
    provider.stop();
  });
  const over = (response: Response) => expectPage(response, 404, 'Trial sign-in expired');

  test('works once, for twenty browsers at the same moment, and only its hash is stored', async () => {
    const address = await makeAddress(desk);
    const stored = await everyValueIn(desk.database);
    expect(stored).not.toContain(new URL(address).searchParams.get('ticket') ?? '-');
    const opened = await Promise.all(Array.from({ length: 20 }, () => fetch(startOf(address), { redirect: 'manual' })));
    expect(opened.map(({ status }) => status).sort()).toEqual([302, ...Array(19).fill(404)]);
    await over(await fetch(address));
    await over(await fetch(startOf(address)));
  });

  test('still works after a program that previews links, a HEAD request or a prefetch has opened it', async () => {
    const address = await makeAddress(desk);
    await expectPage(await fetch(address), 200, 'Try a sign-in');
    expect((await fetch(startOf(address), { method: 'HEAD' })).status).toBe(405);
    expect((await fetch(startOf(address), { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    expect((await fetch(startOf(address), { headers: { 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
    expect((await fetch(startOf(address), { redirect: 'manual' })).status).toBe(302);
  });

  test('expires after ten minutes, its row is reused, and an unknown address gets the same answer', async () => {
    const address = await makeAddress(desk);
    const rows = (await desk.database.query('select * from sign_in_trial')).length;
    desk.advance(601);
    await over(await fetch(address));
    await over(await fetch(startOf(address)));
    await over(await fetch(`${desk.url}/auth/trial?ticket=${'x'.repeat(43)}`));
    await desk.database.query("update sign_in_trial set expires_at = '2020-01-01T00:00:00.000Z'");
    desk.advance(-601);
    await makeAddress(desk);
    expect((await desk.database.query('select * from sign_in_trial')).length).toBe(rows);
  });

  test('stays valid while the provider is unavailable', async () => {
    const address = await makeAddress(desk);
    provider.stop();
    const away = await desk.restart();
    desk = away;
    const [introduction, start] = [await fetch(address), await fetch(startOf(address))];
    expect([introduction.headers.get('retry-after'), start.headers.get('retry-after')]).toEqual(['5', '5']);
    await expectPage(introduction, 503, 'Identity provider unavailable');
    await expectPage(start, 503, 'Identity provider unavailable');
    provider.start();
    desk = await desk.restart();
    expect((await fetch(startOf(address), { redirect: 'manual' })).status).toBe(302);
  });

  test('only the browser that opened it can finish it, and it never becomes a sign-in', async () => {
    const browser = new Browser();
    const begun = await browser.request(startOf(await makeAddress(desk)));
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const query = `code=stolen&state=${state}`;
    await expectPage(
      await new Browser().request(`${desk.url}/auth/trial/finish?${query}`),
      404,
      'Trial sign-in expired',
    );
    const elsewhere = await new Browser().request(`${desk.url}/auth/login/callback?${query}`);
    expect([elsewhere.status, ((await elsewhere.json()) as { type: string }).type]).toEqual([
      400,
      expect.stringMatching(/\/login-session-lost$/),
    ]);
    expect(await desk.database.query('select * from session')).toEqual([]);
  });

  test('a real sign-in never ends as a trial', async () => {
    const browser = new Browser();
    const begun = await browser.request(`${desk.url}/auth/login`);
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    await expectPage(
      await browser.request(`${desk.url}/auth/trial/finish?code=x&state=${state}`),
      404,
      'Trial sign-in expired',
    );
  });

  test('is rate-limited like sign-ins', async () => {
    desk = await desk.restart({ RATE_LIMIT_LOGIN: '3/1m' });
    const address = await makeAddress(desk);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await fetch(address)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
