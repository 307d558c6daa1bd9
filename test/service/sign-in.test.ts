// Signing in at a real provider, bound and code-only, and the results.
import { describe, expect, test } from 'bun:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Browser } from '../support/browser.ts';
import { bearer, codeFromProvider, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);

/** Makes a bound sign-in, but does not request the address to which the provider redirects. Returns that address. */
async function startBound(browser: Browser, query = 'login_hint=E-1003'): Promise<URL> {
  const isBack = (url: URL) => url.searchParams.has('code') || url.searchParams.has('error');
  const { url } = await browser.follow(`${desk.url}/auth/login?${query}`, isBack);
  return url;
}

const callback = (url: URL, at = desk) => `${at.url}/auth/login/callback${url.search}`;

describe('a bound sign-in', () => {
  test('gives exactly an access token and its lifetime, never cached', async () => {
    const { response } = await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toStartWith('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.json()).toEqual({ accessToken: expect.any(String), expirationInSeconds: 3600 });
  });

  test('goes to the provider with PKCE, state and nonce', async () => {
    const response = await desk.get('/auth/login?login_hint=E-1003');
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin).toBe(desk.issuer);
    const query = Object.fromEntries(location.searchParams);
    expect(query).toEqual({
      client_id: 'frontdesk',
      response_type: 'code',
      redirect_uri: `${desk.url}/auth/login/callback`,
      scope: 'openid profile email phone',
      state: expect.stringMatching(/^fd1\.[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: 'E-1003',
    });
  });

  test('keeps the attempt in an encrypted, short-lived cookie no script can read', async () => {
    const cookie = (await desk.get('/auth/login')).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^fd_login_[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain('fd1.');
  });

  test('uses a __Host- cookie with Secure behind https', async () => {
    const secure = await startFrontdesk({ PUBLIC_URL: 'https://desk.localhost' });
    const cookie = (await secure.get('/auth/login')).headers.get('set-cookie') ?? '';
    await secure.stop();
    expect(cookie).toStartWith('__Host-fd_login_');
    expect(cookie).toEndWith('; Secure');
  });

  test('keeps five attempts at once and drops the oldest', async () => {
    const browser = new Browser();
    const returns: URL[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      returns.push(await startBound(browser));
      desk.advance(1);
      // Deletes the provider's cookies: with one session for all attempts, the provider would end the earlier ones.
      for (const [key, { name }] of browser.cookies) if (!name.startsWith('fd_login_')) browser.cookies.delete(key);
    }
    expect([...browser.cookies.values()].filter(({ name }) => name.startsWith('fd_login_'))).toHaveLength(5);
    const [oldest, next] = returns as [URL, URL];
    await expectProblem(await browser.request(callback(oldest)), 'login-session-lost', 400);
    expect((await browser.request(callback(next))).status).toBe(200);
  });

  test("may end on the client's own page, which then calls the callback", async () => {
    const browser = new Browser();
    const back = await startBound(browser, `login_hint=E-1003&redirect_uri=${encodeURIComponent(`${desk.url}/`)}`);
    expect(back.pathname).toBe('/');
    expect((await browser.request(callback(back))).status).toBe(200);
  });

  test('never becomes code-only: one of our states without its cookie is refused', async () => {
    const back = await startBound(new Browser());
    await expectProblem(await fetch(callback(back)), 'login-session-lost', 400);
  });

  test.each([
    ['tampered with', (value: string) => `${value.slice(0, -2)}xx`],
    ['emptied', () => ''],
    ['not ours at all', () => 'a.b.c.d.e'],
  ])('refuses a cookie that was %s', async (_, change) => {
    const browser = new Browser();
    const back = await startBound(browser);
    for (const cookie of browser.cookies.values()) {
      if (cookie.name.startsWith('fd_login_')) cookie.value = change(cookie.value);
    }
    await expectProblem(await browser.request(callback(back)), 'login-session-lost', 400);
  });

  test("refuses another attempt's cookie under this attempt's name", async () => {
    const [one, other] = [new Browser(), new Browser()];
    const back = await startBound(one);
    await startBound(other);
    const mine = [...one.cookies.values()].find(({ name }) => name.startsWith('fd_login_'));
    const theirs = [...other.cookies.values()].find(({ name }) => name.startsWith('fd_login_'));
    if (mine === undefined || theirs === undefined) throw new Error('no cookie');
    mine.value = theirs.value;
    await expectProblem(await one.request(callback(back)), 'login-session-lost', 400);
  });

  test('refuses a state with one character changed', async () => {
    const browser = new Browser();
    const back = await startBound(browser);
    const state = back.searchParams.get('state') ?? '';
    back.searchParams.set('state', `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`);
    await expectProblem(await browser.request(callback(back)), 'login-session-lost', 400);
  });

  test('ends after ten minutes', async () => {
    const late = await startFrontdesk();
    const browser = new Browser();
    const { url } = await browser.follow(`${late.url}/auth/login?login_hint=E-1003`, (each) =>
      each.searchParams.has('code'),
    );
    late.advance(601);
    const response = await browser.request(callback(url, late));
    await late.stop();
    await expectProblem(response, 'login-session-lost', 400);
  });

  test('refuses an answer that names a different provider, or none if the provider names itself', async () => {
    const browser = new Browser();
    const wrong = await startBound(browser);
    wrong.searchParams.set('iss', 'https://evil.example');
    await expectProblem(await browser.request(callback(wrong)), 'login-mismatch', 400);
    const without = await startBound(browser);
    without.searchParams.delete('iss');
    await expectProblem(await browser.request(callback(without)), 'login-mismatch', 400);
  });

  test('refuses a code from a different sign-in', async () => {
    const browser = new Browser();
    const back = await startBound(browser);
    const injected = await codeFromProvider(desk);
    back.searchParams.set('code', injected.searchParams.get('code') ?? '');
    // The provider got no challenge with the request for this code, so it refuses the verifier.
    await expectProblem(await browser.request(callback(back)), 'code-rejected', 400);
  });

  test('cannot be finished with its state left out, in this browser or elsewhere', async () => {
    const browser = new Browser();
    const back = await startBound(browser);
    back.searchParams.delete('state');
    await expectProblem(await browser.request(callback(back)), 'login-session-lost', 400);
    // Another browser does not have the verifier, which the provider requires.
    await expectProblem(await new Browser().request(callback(back)), 'code-rejected', 400);
  });

  test('loses its cookie with any definite answer', async () => {
    const browser = new Browser();
    const back = await startBound(browser);
    const response = await browser.request(callback(back));
    expect(response.headers.get('set-cookie')).toMatch(/^fd_login_[\w-]{16}=; Max-Age=0; /);
    await expectProblem(await browser.request(callback(back)), 'login-session-lost', 400);
    const refused = await startBound(browser);
    refused.searchParams.set('code', 'wrong');
    await expectProblem(await browser.request(callback(refused)), 'code-rejected', 400);
    await expectProblem(await browser.request(callback(refused)), 'login-session-lost', 400);
  });

  test('is not used up by HEAD or a prefetch, which redeem nothing', async () => {
    const browser = new Browser();
    const back = await startBound(browser);
    const head = await browser.request(callback(back), { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    for (const header of ['Sec-Purpose', 'Purpose', 'X-Moz']) {
      expect((await browser.request(callback(back), { headers: { [header]: 'prefetch' } })).status).toBe(204);
    }
    expect((await browser.request(callback(back))).status).toBe(200);
  });
});

describe('a code-only sign-in', () => {
  test('takes a code and nothing else, and sets no cookie', async () => {
    const { searchParams } = await codeFromProvider(desk);
    const response = await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({ accessToken: expect.any(String), expirationInSeconds: 3600 });
  });

  test("takes a code with a state that is the client's own", async () => {
    const back = await codeFromProvider(desk, { state: 'mine' });
    expect(back.searchParams.get('state')).toBe('mine');
    expect((await fetch(callback(back))).status).toBe(200);
  });

  test('honours a PKCE verifier, a nonce and a redirect address of the client', async () => {
    const codeVerifier = 'v'.repeat(43);
    const challenge = new Bun.CryptoHasher('sha256').update(codeVerifier).digest('base64url');
    const ask = () =>
      codeFromProvider(desk, {
        code_challenge: challenge,
        code_challenge_method: 'S256',
        nonce: 'n1',
        redirect_uri: `${desk.url}/`,
      });
    const finish = async (given: Record<string, string>) => {
      const back = await ask();
      const query = new URLSearchParams({ code: back.searchParams.get('code') ?? '', ...given });
      return desk.get(`/auth/login/callback?${query}`);
    };
    const right = { code_verifier: codeVerifier, nonce: 'n1', redirect_uri: `${desk.url}/` };
    expect((await finish(right)).status).toBe(200);
    await expectProblem(await finish({ ...right, code_verifier: 'w'.repeat(43) }), 'code-rejected', 400);
    await expectProblem(await finish({ ...right, nonce: 'n2' }), 'login-mismatch', 400);
    await expectProblem(await finish({ ...right, redirect_uri: 'https://evil.example/' }), 'invalid-redirect', 400);
    await expectProblem(await finish({ code_verifier: codeVerifier, nonce: 'n1' }), 'code-rejected', 400);
  });

  test('is off with REQUIRE_BOUND_LOGIN', async () => {
    const strict = await startFrontdesk({ REQUIRE_BOUND_LOGIN: 'true' });
    const { searchParams } = await codeFromProvider(strict);
    const response = await strict.get(`/auth/login/callback?code=${searchParams.get('code')}`);
    const bound = await strict.signIn();
    await strict.stop();
    await expectProblem(response, 'login-session-lost', 400);
    expect(bound).toBeString();
  });
});

describe('a code works only once', () => {
  test('for 20 calls in parallel', async () => {
    const { search } = await codeFromProvider(desk);
    const responses = await Promise.all(Array.from({ length: 20 }, () => desk.get(`/auth/login/callback${search}`)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
  });

  test('even after a restart', async () => {
    let own = await startFrontdesk();
    const { search } = await codeFromProvider(own);
    expect((await own.get(`/auth/login/callback${search}`)).status).toBe(200);
    own = await own.restart();
    const again = await own.get(`/auth/login/callback?code=${new URLSearchParams(search).get('code')}`);
    await own.stop();
    await expectProblem(again, 'code-rejected', 400);
  });
});

describe('a code works only once in all replicas', () => {
  test('even on a different replica, and a sign-in may begin on one replica and end on another', async () => {
    const one = await startFrontdesk({ SECRET_KEY: 'shared by both replicas, long enough' });
    const two = await startFrontdesk(
      {
        SECRET_KEY: 'shared by both replicas, long enough',
        PUBLIC_URL: one.url,
        OIDC_ISSUER: one.issuer,
        OIDC_CLIENT_ID: 'frontdesk',
        OIDC_CLIENT_AUTH: 'none',
      },
      one.folder,
      one.database,
    );
    const { searchParams } = await codeFromProvider(one);
    const path = `/auth/login/callback?code=${searchParams.get('code')}`;
    expect((await one.get(path)).status).toBe(200);
    const replay = await two.get(path);
    const token = await one.signIn('E-1001');
    const accepted = await two.get('/employee/position', bearer(token));
    await two.stop();
    await one.stop();
    await expectProblem(replay, 'code-rejected', 400);
    expect(accepted.status).toBe(200);
  });
});

describe('the callback refuses', () => {
  const code = 'c'.repeat(43);
  test.each([
    ['nothing at all', '', 'missing-code', 400],
    ['an empty code', 'code=', 'invalid-code', 400],
    ['a code over 8192 characters', `code=${'a'.repeat(8193)}`, 'invalid-code', 400],
    ['a code with a space', 'code=a%20b', 'invalid-code', 400],
    ['a code with NUL', 'code=a%00b', 'invalid-code', 400],
    ['a code with CR LF', 'code=a%0d%0ab', 'invalid-code', 400],
    ['a code that is not ASCII', 'code=%C3%A9', 'invalid-code', 400],
    ['a code in broken percent-encoding', 'code=%ff', 'invalid-code', 400],
    ['an array', `code[]=${code}`, 'missing-code', 400],
    ['a code twice', `code=${code}&code=${code}`, 'invalid-callback', 400],
    ['a state twice', `code=${code}&state=a&state=b`, 'invalid-callback', 400],
    ['an unknown parameter twice', `code=${code}&x=1&x=2`, 'invalid-callback', 400],
    ['a code and an error', `code=${code}&error=access_denied`, 'invalid-callback', 400],
    ['a denial', 'error=access_denied', 'login-denied', 403],
    ['any other error', 'error=server_error&error_description=secret-text', 'login-failed', 400],
    ['a code the provider does not know', `code=${code}`, 'code-rejected', 400],
    ['a foreign issuer', `code=${code}&iss=https://evil.example`, 'login-mismatch', 400],
    ['a foreign redirect address', `code=${code}&redirect_uri=https://evil.example`, 'invalid-redirect', 400],
    ['one of our states, from a sign-in that nobody started', `code=${code}&state=fd1.x`, 'login-session-lost', 400],
    ['a state that would split a header', `code=${code}&state=fd1.%0d%0aSet-Cookie:a=b`, 'login-session-lost', 400],
  ] as const)('%s', async (_, query, problem, status) => {
    await expectProblem(await desk.get(`/auth/login/callback?${query}`), problem, status);
  });

  test('a wrong code, without repeating what the provider says about it', async () => {
    const { search } = await codeFromProvider(desk);
    await desk.get(`/auth/login/callback${search}`);
    const [used, unknown] = await Promise.all([
      desk.get(`/auth/login/callback?code=${new URLSearchParams(search).get('code')}`),
      desk.get('/auth/login/callback?code=unknown'),
    ]);
    const texts = await Promise.all(
      [used, unknown].map(async (each) => ((await each.json()) as { detail: string }).detail),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('the method %s', async (method) => {
    const response = await fetch(`${desk.url}/auth/login/callback?code=x`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('a parameter', () => {
  const names = [
    'code',
    'state',
    'iss',
    'nonce',
    'code_verifier',
    'redirect_uri',
    'error',
    'error_description',
    'session_state',
  ];
  const oddities: [string, (name: string) => string][] = [
    ['is empty', (name) => `${name}=`],
    ['is sent twice', (name) => `${name}=a&${name}=b`],
    ['is oversized', (name) => `${name}=${'a'.repeat(12_000)}`],
    ['holds NUL', (name) => `${name}=a%00b`],
    ['holds CR LF', (name) => `${name}=fd1.%0d%0aX-Injected:%20yes`],
    ['is broken percent-encoding', (name) => `${name}=%ff%zz%`],
    ['is an array', (name) => `${name}[]=a&${name}[0]=b`],
    ['is a property name of JavaScript objects', (name) => `${name}=__proto__&__proto__=x&constructor=y`],
  ];

  test.each(oddities)('that %s: the callback answers with a known problem and does not act on it', async (_, make) => {
    for (const name of names) {
      const others = name === 'code' ? '' : `&code=code-for-${name}`;
      const response = await desk.get(`/auth/login/callback?${make(name)}${others}`);
      const { type } = (await response.json()) as { type: string };
      expect([name, [400, 403].includes(response.status), type]).toEqual([
        name,
        true,
        expect.stringContaining('/problems/'),
      ]);
      expect(response.headers.has('x-injected')).toBe(false);
    }
  });

  test.each(oddities)(
    'that %s: login and logout answer with a refusal or a redirect to the provider',
    async (_, make) => {
      for (const [path, parameters] of [
        ['/auth/login', ['redirect_uri', 'login_hint']],
        ['/auth/logout', ['post_logout_redirect_uri', 'state']],
      ] as const) {
        for (const name of parameters) {
          const response = await desk.get(`${path}?${make(name)}`);
          expect([name, [302, 400].includes(response.status)]).toEqual([name, true]);
          expect(response.headers.has('x-injected')).toBe(false);
          if (response.status === 302) expect(response.headers.get('location')).toStartWith(desk.issuer);
        }
      }
    },
  );
});

describe('prompt', () => {
  const asked = async (path: string, at = desk) =>
    new URL((await at.get(path)).headers.get('location') ?? '').searchParams.get('prompt');

  test.each(['none', 'login', 'consent', 'select_account'])('%s is passed to the provider', async (prompt) => {
    expect(await asked(`/auth/login?prompt=${prompt}`)).toBe(prompt);
  });

  test('is left out if it was not given', async () => {
    expect(await asked('/auth/login')).toBeNull();
  });

  test.each(['prompt=', 'prompt=create', 'prompt=login&prompt=login', 'prompt=none%20login', 'prompt=LOGIN'])(
    '%s is refused',
    async (query) => {
      await expectProblem(await desk.get(`/auth/login?${query}`), 'invalid-request', 400);
    },
  );

  test('select_account becomes login if the provider does not support it', async () => {
    const provider = await startHostileProvider();
    const prompts: (string | null)[] = [];
    for (const known of [['none', 'login'], ['select_account'], undefined]) {
      provider.lie = { discovery: { prompt_values_supported: known } };
      const own = await startFrontdesk(provider.env);
      prompts.push(await asked('/auth/login?prompt=select_account', own));
      await own.stop();
    }
    provider.stop();
    expect(prompts).toEqual(['login', 'select_account', 'select_account']);
  });

  test.each(['login', 'select_account'])(
    '%s makes the development provider ask, despite a login_hint',
    async (prompt) => {
      const browser = new Browser();
      const { url, response } = await browser.follow(`${desk.url}/auth/login?login_hint=E-1001&prompt=${prompt}`);
      expect([url.origin, response.status]).toEqual([desk.issuer, 200]);
      expect(await response.text()).toContain('Who is signing in?');
      const picked = await browser.request(url, { method: 'POST', body: new URLSearchParams({ person: 'E-1002' }) });
      const back = await browser.follow(new URL(picked.headers.get('location') ?? '', url));
      const { accessToken } = (await back.response.json()) as { accessToken: string };
      expect(decodeJwt(accessToken).sub).toBe('E-1002');
    },
  );

  test('none fails and uses up the attempt if the provider would have to ask', async () => {
    const browser = new Browser();
    const { url, response } = await browser.follow(`${desk.url}/auth/login?prompt=none`);
    expect([url.pathname, url.searchParams.get('error')]).toEqual(['/auth/login/callback', 'login_required']);
    await expectProblem(response, 'login-failed', 400);
    expect([...browser.cookies.values()].filter(({ name }) => name.startsWith('fd_login_'))).toEqual([]);
  });
});

describe('starting a sign-in refuses', () => {
  test('a redirect address that is not on the list, whatever the Host header says', async () => {
    const forged = { host: 'evil.localhost', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    await expectProblem(await desk.get('/auth/login?redirect_uri=https://evil.example/'), 'invalid-redirect', 400);
    const location = (await desk.get('/auth/login', forged)).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${desk.url}/auth/login/callback`);
  });

  test('a parameter given twice', async () => {
    await expectProblem(await desk.get('/auth/login?login_hint=a&login_hint=b'), 'invalid-request', 400);
  });
});

describe('the access token', () => {
  test('is an RFC 9068 token with exactly these claims and nothing personal', async () => {
    const token = await desk.signIn('E-1003');
    const { keys } = (await (await desk.get('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] };
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: keys[0]?.kid ?? '' });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: desk.url,
      aud: desk.url,
      sub: 'E-1003',
      client_id: 'frontdesk',
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 3600,
      jti: expect.any(String),
      sid: expect.any(String),
      roles: ['EMPLOYEE'],
    });
  });
});

describe('/auth/me', () => {
  const me = async (person: string) => (await desk.get('/auth/me', bearer(await desk.signIn(person)))).json();

  test('has every field for a person with all details', async () => {
    expect(await me('E-1003')).toEqual({
      sub: 'E-1003',
      name: 'Maria del Carmen Ruiz',
      givenName: 'Maria',
      middleName: 'del Carmen',
      familyName: 'Ruiz',
      picture: `${desk.issuer}/people/E-1003.svg`,
      email: 'maria.ruiz@example.com',
      emailVerified: true,
      phoneNumber: '+1 555 010 1003',
      roles: ['EMPLOYEE'],
    });
  });

  test('has every field except middleName for a person without any details', async () => {
    expect(await me('E-1004')).toEqual({
      sub: 'E-1004',
      name: 'E-1004',
      givenName: '',
      familyName: '',
      picture: `${desk.url}/auth/avatars/E1`,
      email: '',
      emailVerified: false,
      phoneNumber: '',
      roles: [],
    });
  });

  test('keeps a name in any script, and its avatar can be fetched', async () => {
    const person = (await me('E-1005')) as { name: string; picture: string };
    expect(person.name).toBe('வெங்கடசுப்பிரமணியன் கிருஷ்ணமூர்த்தி இராமச்சந்திரன்');
    const avatar = await fetch(person.picture);
    expect(avatar.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(await avatar.text()).toContain('வ');
  });

  test('returns the same whether the provider puts the profile in the ID token or in userinfo', async () => {
    const { desk: own, provider } = await startWithProvider({ conformIdTokenClaims: false });
    const there = await (await own.get('/auth/me', bearer(await own.signIn('E-1001')))).json();
    await own.stop();
    await provider.close();
    expect({ ...(there as object), picture: '' }).toEqual({ ...((await me('E-1001')) as object), picture: '' });
  });
});

test('no token, code, cookie or personal detail is in any log line', async () => {
  const token = await desk.signIn('E-1003');
  const back = await codeFromProvider(desk);
  await fetch(callback(back));
  await fetch(callback(back));
  const lines = desk.logged.join('');
  expect(lines).toContain('signed in');
  const secrets = [
    token,
    back.searchParams.get('code') ?? '',
    'Maria',
    'maria.ruiz',
    '+1 555',
    'E-1003',
    'eyJ',
    'fd1.',
  ];
  for (const secret of secrets) expect(lines).not.toContain(secret);
});
