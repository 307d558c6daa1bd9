// Stronger sign-ins: what is requested from the provider, what is checked on return, and which requests need one (RFC 9470).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { decodeJwt } from 'jose';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';

const now = () => Math.floor(Date.now() / 1000);
const accessTokenIn = async (response: Response) => ((await response.json()) as { accessToken: string }).accessToken;

describe('a sign-in can ask for more', () => {
  let desk: Frontdesk;
  beforeAll(async () => {
    desk = await startFrontdesk();
  });
  afterAll(() => desk.stop());

  test('max_age, acr_values and ui_locales are passed to the provider if they are given, and nothing otherwise', async () => {
    const asked = async (query: string) => {
      const location = (await desk.get(`/auth/login${query}`)).headers.get('location') ?? '';
      const parameters = new URL(location).searchParams;
      return ['max_age', 'acr_values', 'ui_locales'].map((name) => parameters.get(name));
    };
    expect(await asked('?max_age=0&acr_values=gold%20silver&ui_locales=de-CH%20fr')).toEqual([
      '0',
      'gold silver',
      'de-CH fr',
    ]);
    expect(await asked('')).toEqual([null, null, null]);
  });

  test.each([
    'max_age=',
    'max_age=-1',
    'max_age=1.5',
    'max_age=1e3',
    'max_age=9999999999',
    'max_age=1&max_age=2',
    'acr_values=',
    'acr_values=a%20%20b',
    'acr_values=a%0Ab',
    'acr_values=%C3%A9',
    `acr_values=${'a'.repeat(513)}`,
    'ui_locales=',
    `ui_locales=${'a'.repeat(513)}`,
  ])('%s is refused', async (query) => {
    await expectProblem(await desk.get(`/auth/login?${query}`), 'invalid-request', 400);
  });

  test('the development provider asks how strong the sign-in is to be, and the token says what was granted', async () => {
    const browser = new Browser();
    const { url, response } = await browser.follow(`${desk.url}/auth/login?acr_values=gold%20%3Cb%3E`);
    expect(await response.text()).toContain('value="gold" checked');
    const body = new URLSearchParams({ person: 'E-1001', acr: 'gold' });
    const picked = await browser.request(url, { method: 'POST', body });
    const back = await browser.follow(new URL(picked.headers.get('location') ?? '', url));
    expect(decodeJwt(await accessTokenIn(back.response)).acr).toBe('gold');
  });

  test('a sign-in weaker than requested is refused and audited, and opens no session', async () => {
    const browser = new Browser();
    const { url } = await browser.follow(`${desk.url}/auth/login?acr_values=gold`);
    const picked = await browser.request(url, {
      method: 'POST',
      body: new URLSearchParams({ person: 'E-1002', acr: '' }),
    });
    const { response } = await browser.follow(new URL(picked.headers.get('location') ?? '', url));
    await expectProblem(response, 'stronger-sign-in-failed', 403);
    expect([...browser.cookies.values()].filter(({ name }) => name.startsWith('f'))).toEqual([]);
    const audit = await desk.get('/admin/audit?type=sign-in-refused&limit=1', bearer(await desk.signIn('E-1006')));
    expect(await audit.text()).toContain('stronger-sign-in-failed: acr in the ID token');
  });
});

describe('the answer is checked against the request', () => {
  let provider: HostileProvider;
  let plain: Frontdesk;
  let strict: Frontdesk;
  let codes = 0;
  beforeAll(async () => {
    provider = await startHostileProvider();
    plain = await startFrontdesk(provider.env);
    strict = await startFrontdesk({ ...provider.env, OIDC_ACR_VALUES: 'silver, gold', OIDC_MAX_AGE_SECONDS: '600' });
  });
  afterEach(() => {
    provider.lie = {};
  });
  afterAll(async () => {
    await plain.stop();
    await strict.stop();
    provider.stop();
  });

  /** Makes a bound sign-in, with these claims in the ID token. */
  async function signIn(at: Frontdesk, query: string, claims: Record<string, unknown>): Promise<Response> {
    const begun = await at.get(`/auth/login?${query}`);
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    provider.lie = { claims: { nonce: asked.get('nonce'), ...claims } };
    const cookie = begun.headers.getSetCookie().map((each) => each.split(';')[0]);
    return at.get(`/auth/login/callback?code=code-${++codes}&state=${asked.get('state')}`, {
      cookie: cookie.join('; '),
    });
  }

  test.each([
    ['the class asked for', 'acr_values=gold', () => ({ acr: 'gold' }), 200],
    ['any of the classes asked for', 'acr_values=silver%20gold', () => ({ acr: 'gold' }), 200],
    ['another class', 'acr_values=gold', () => ({ acr: 'silver' }), 403],
    ['no class', 'acr_values=gold', () => ({}), 403],
    ['a list instead of a class', 'acr_values=gold', () => ({ acr: ['gold'] }), 403],
    ['an age within the limit', 'max_age=300', () => ({ auth_time: now() - 200 }), 200],
    [
      'an age beyond the limit, but within the tolerance for clocks',
      'max_age=300',
      () => ({ auth_time: now() - 340 }),
      200,
    ],
    ['an age beyond the limit', 'max_age=300', () => ({ auth_time: now() - 500 }), 403],
    ['a time ahead of ours, within the tolerance', 'max_age=0', () => ({ auth_time: now() + 40 }), 200],
    ['a time ahead of ours', 'max_age=300', () => ({ auth_time: now() + 500 }), 403],
    ['a time in milliseconds', 'max_age=300', () => ({ auth_time: Date.now() - 900_000 }), 403],
    ['no time', 'max_age=300', () => ({}), 403],
    ['a time that is text', 'max_age=300', () => ({ auth_time: String(now()) }), 403],
    ['the class, but too old', 'max_age=300&acr_values=gold', () => ({ acr: 'gold', auth_time: now() - 500 }), 403],
    ['nothing, where nothing was asked for', '', () => ({}), 200],
  ])('%s', async (_, query, claims, status) => {
    const response = await signIn(plain, query, claims());
    if (status === 200) expect(response.status).toBe(200);
    else await expectProblem(response, 'stronger-sign-in-failed', 403);
  });

  test('tokens have auth_time, acr and amr if the provider sends them, and omit unusable ones', async () => {
    const said = { auth_time: now() - 5, acr: 'gold', amr: ['pwd', 7, 'hwk'] };
    const { auth_time, acr, amr } = decodeJwt(await accessTokenIn(await signIn(plain, '', said)));
    expect({ auth_time, acr, amr }).toEqual({ ...said, amr: ['pwd', 'hwk'] });
    const unusable = { auth_time: 'today', acr: 'go\u0000ld', amr: 'pwd' };
    const claims = decodeJwt(await accessTokenIn(await signIn(plain, '', unusable)));
    expect(Object.keys(claims)).not.toContainAnyValues(['auth_time', 'acr', 'amr']);
  });

  test('the configuration asks for it at every sign-in, and a request cannot ask for less', async () => {
    const asked = async (query: string) => {
      const { searchParams } = new URL((await strict.get(`/auth/login?${query}`)).headers.get('location') ?? '');
      return [searchParams.get('acr_values'), searchParams.get('max_age')];
    };
    expect(await asked('')).toEqual(['silver gold', '600']);
    expect(await asked('acr_values=bronze%20gold&max_age=60')).toEqual(['gold', '60']);
    expect(await asked('acr_values=bronze&max_age=6000')).toEqual(['silver gold', '600']);
    const weak = await signIn(strict, 'acr_values=bronze', { acr: 'bronze', auth_time: now() });
    await expectProblem(weak, 'stronger-sign-in-failed', 403);
  });

  test('a client that sends the code alone is checked too', async () => {
    provider.lie = { claims: { acr: 'silver', auth_time: now() } };
    expect((await strict.get(`/auth/login/callback?code=code-${++codes}`)).status).toBe(200);
    for (const claims of [{ auth_time: now() }, { acr: 'silver' }, { acr: 'silver', auth_time: now() - 700 }]) {
      provider.lie = { claims };
      const response = await strict.get(`/auth/login/callback?code=code-${++codes}`);
      await expectProblem(response, 'stronger-sign-in-failed', 403);
    }
  });
});

describe('writes that need a stronger sign-in', () => {
  let desk: Frontdesk;
  beforeAll(async () => {
    desk = await startFrontdesk({ KEEP_ACR_VALUES: 'gold,platinum', KEEP_MAX_AGE_SECONDS: '300' });
  });
  afterAll(() => desk.stop());

  const signIn = async (query: string) => {
    const { response } = await new Browser().follow(`${desk.url}/auth/login?${query}`);
    return bearer(await accessTokenIn(response));
  };
  const send = (method: string, path: string, headers: Record<string, string>, body: unknown) =>
    fetch(desk.url + path, {
      method,
      headers: { 'content-type': 'application/json', 'if-match': '"1"', ...headers },
      body: JSON.stringify(body),
    });
  const document = { lists: { shift: { items: [{ value: 'EARLY', label: 'Early' }] } } };
  const writes: [string, string, unknown][] = [
    ['POST', '/admin/lookups', { list: 'shift', title: 'Shift' }],
    ['POST', '/admin/lookups/position/items', { value: 'PILOT', label: 'Pilot' }],
    ['PATCH', '/admin/lookups/position/items/ENGINEER', { label: 'Engineer (m/f/d)' }],
    ['PUT', '/admin/lookups/position/order', { values: [] }],
    ['POST', '/admin/lookups/position/undo', { version: 1 }],
    ['POST', '/admin/lookups/apply', document],
  ];

  test.each(writes)('%s %s without it is challenged, and changes nothing', async (method, path, body) => {
    const weak = await signIn('login_hint=E-1001');
    const before = await (await desk.get('/admin/lookups', weak)).text();
    const response = await send(method, path, weak, body);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="frontdesk", error="insufficient_user_authentication", error_description="A stronger sign-in is needed", acr_values="gold platinum", max_age="300"',
    );
    await expectProblem(response, 'stronger-sign-in-needed', 401);
    expect(await (await desk.get('/admin/lookups', weak)).text()).toBe(before);
  });

  test('every write under /admin requires it, except the plan, which changes nothing', async () => {
    const weak = await signIn('login_hint=E-1001');
    const { paths } = (await (await desk.get('/openapi.json')).json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'position')] as const),
    );
    const changing = operations.filter(([method, path]) => method !== 'GET' && path.startsWith('/admin/'));
    const answered = await Promise.all(
      changing.map(async ([method, path]) => [path, (await send(method, path, weak, {})).status] as const),
    );
    expect(answered.length).toBeGreaterThan(8);
    expect(answered.filter(([, status]) => status !== 401).map(([path]) => path)).toEqual(['/admin/lookups/plan']);
  });

  test('the role comes first: without it the answer is 403, however weak the sign-in', async () => {
    const response = await send('POST', '/admin/lookups', await signIn('login_hint=E-1002'), {
      list: 'shift',
      title: 'Shift',
    });
    await expectProblem(response, 'forbidden', 403);
  });

  test('reading and planning need no stronger sign-in', async () => {
    const weak = await signIn('login_hint=E-1001');
    expect((await desk.get('/employee/position', weak)).status).toBe(200);
    expect((await desk.get('/admin/lookups/position', weak)).status).toBe(200);
    expect(await (await desk.get('/admin/permissions', weak)).json()).toMatchObject({
      seeLists: true,
      createLists: true,
    });
    expect((await send('POST', '/admin/lookups/plan', weak, document)).status).toBe(200);
  });

  test('with it, changes are made until it is too long ago; then a more recent sign-in is required', async () => {
    const strong = await signIn('login_hint=E-1001&acr_values=gold');
    expect((await send('POST', '/admin/lookups', strong, { list: 'shift', title: 'Shift' })).status).toBe(201);
    desk.advance(300 + 60 + 5);
    const late = await send('POST', '/admin/lookups', strong, { list: 'season', title: 'Season' });
    expect(late.headers.get('www-authenticate')).toContain('error_description="A more recent sign-in is needed"');
    await expectProblem(late, 'stronger-sign-in-needed', 401);
    expect((await desk.get('/employee/position', strong)).status).toBe(200);
    desk.advance(-365);
  });

  test('a renewed token is as strong as the sign-in, and no more recent', async () => {
    const browser = new Browser();
    const { response } = await browser.follow(`${desk.url}/auth/login?login_hint=E-1001&acr_values=gold`);
    const first = decodeJwt(await accessTokenIn(response));
    const strengths: unknown[] = [];
    // The first renewal asks the provider, the second does not.
    for (const seconds of [100, 1]) {
      desk.advance(seconds);
      const headers = { origin: desk.url };
      const renewed = await browser.request(`${desk.url}/auth/renew`, { method: 'POST', headers });
      const { acr, auth_time } = decodeJwt(await accessTokenIn(renewed));
      strengths.push([acr, auth_time]);
    }
    desk.advance(-101);
    expect(first.acr).toBe('gold');
    expect(strengths).toEqual([
      ['gold', first.auth_time],
      ['gold', first.auth_time],
    ]);
  });

  test('every sign-in sends max_age, so that the provider returns auth_time, and nobody has to sign in again', async () => {
    const location = (await desk.get('/auth/login')).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('max_age')).toBe('2592000');
  });
});
