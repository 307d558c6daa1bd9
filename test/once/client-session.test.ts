// How the client keeps a person signed in: when it renews, for whom, and how it handles each answer. Clock, locks and
// answers are scripted here; test/once/console-sessions.test.ts tests the same in Chromium.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { FrontdeskError } from '../../client/src/index.ts';
import { openBrowser, pass, problem, scriptDesk, settle, sleep } from '../support/scripted-desk.ts';

let { desk, send } = scriptDesk();
let browser = openBrowser(send);
beforeEach(() => {
  ({ desk, send } = scriptDesk());
  browser = openBrowser(send);
});
afterEach(() => {
  jest.useRealTimers();
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof FrontdeskError ? error.code : String(error)),
  );

async function signedIn() {
  const tab = browser.openTab();
  expect(await tab.client.resume()).toBe(true);
  return tab;
}
const numberOf = (token: string | undefined) =>
  (JSON.parse(atob(token?.split('.')[1] ?? '')) as { number: number }).number;

describe('on load', () => {
  test('a browser with a session is signed in by its cookie', async () => {
    const { client, reasons } = await signedIn();
    expect(desk.requests).toEqual([{ path: '/auth/renew', method: 'POST', token: undefined, credentials: 'include' }]);
    expect([client.session().status, reasons]).toEqual(['signed-in', []]);
    await client.lookup('position');
    // Requests for lists send no cookies.
    expect(desk.requests.at(-1)).toMatchObject({ path: '/employee/position', credentials: undefined });
  });

  test('a browser without a session is reported as signed out, once', async () => {
    desk.person = undefined;
    const { client, reasons } = browser.openTab();
    expect([await client.resume(), await client.resume(), client.isSignedIn()]).toEqual([false, false, false]);
    expect(reasons).toEqual(['not-signed-in']);
    expect(await codeOf(client.me())).toBe('unauthorized');
  });

  test('without a connection nobody is signed out: the renewal is retried until there is one', async () => {
    desk.renew = () => Promise.reject(new TypeError('fetch failed'));
    const { client, reasons } = browser.openTab();
    expect(await codeOf(client.resume())).toBe('network');
    await pass(1);
    expect(client.session().status).toBe('starting');
    desk.renew = undefined;
    await pass(2);
    expect([client.session().status, reasons]).toEqual(['signed-in', []]);
  });

  test('requests made meanwhile wait for it', async () => {
    const { client } = browser.openTab();
    const resumed = client.resume();
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    expect(await resumed).toBe(true);
    expect(desk.renewals()).toBe(1);
  });
});

describe('while the person is active', () => {
  test.each([
    ['every ten minutes', 3600, 600],
    ['after two thirds of a shorter lifetime', 300, 200],
  ])('it renews %s', async (_, lifeSeconds, interval) => {
    desk.lifeSeconds = lifeSeconds;
    const { act } = await signedIn();
    act();
    await pass(interval - 1);
    expect(desk.renewals()).toBe(1);
    await pass(1);
    expect(desk.renewals()).toBe(2);
    act();
    await pass(interval);
    expect(desk.renewals()).toBe(3);
  });

  test('it does not renew while they are away, but renews as soon as they are back', async () => {
    const { client, act } = await signedIn();
    await pass(3000);
    expect(desk.renewals()).toBe(1);
    act();
    await settle();
    expect([desk.renewals(), client.session().status]).toEqual([2, 'signed-in']);
  });

  test('a request whose token has expired while a laptop slept waits for a new one', async () => {
    const { client } = await signedIn();
    desk.valid.clear();
    sleep(3600);
    await client.lookup('position');
    expect(desk.paths()).toEqual(['/auth/renew', '/auth/renew', '/employee/position']);
  });

  test('accessToken() never returns an expired token, but renews it first', async () => {
    const { client } = await signedIn();
    expect([numberOf(await client.accessToken()), numberOf(await client.accessToken())]).toEqual([1, 1]);
    sleep(3600);
    expect(numberOf(await client.accessToken())).toBe(2);
    await client.logout();
    expect(await codeOf(client.accessToken())).toBe('unauthorized');
  });

  test('a stream of changes that was cut off waits for the person to come back, and keeps nobody signed in', async () => {
    const { client, act } = await signedIn();
    desk.valid.clear();
    sleep(3600);
    const leaving = new AbortController();
    const next = client.changes({ signal: leaving.signal }).next();
    await settle();
    expect(desk.paths()).toEqual(['/auth/renew']);
    act();
    await settle();
    expect(desk.paths()).toEqual(['/auth/renew', '/auth/renew', '/lookups/changes']);
    leaving.abort();
    await next.catch(() => {});
  });
});

describe('a request whose token is refused', () => {
  test.each(['token-expired', 'invalid-token'])('with %s is repeated once, after a renewal', async (code) => {
    const { client } = await signedIn();
    desk.answer = ({ token }) => (numberOf(token) === 1 ? problem(code, 401) : undefined);
    const body = JSON.stringify({ position: 'ACCOUNTANT' });
    const response = await client.request('/lookups/validate', { method: 'POST', body });
    expect(response.status).toBe(200);
    expect(desk.paths()).toEqual(['/auth/renew', '/lookups/validate', '/auth/renew', '/lookups/validate']);
  });

  test('and refused again is not repeated a second time', async () => {
    const { client, reasons } = await signedIn();
    desk.answer = () => problem('invalid-token', 401);
    expect(await codeOf(client.lookup('position'))).toBe('invalid-token');
    expect(desk.paths()).toEqual(['/auth/renew', '/employee/position', '/auth/renew', '/employee/position']);
    expect(reasons).toEqual([]);
  });

  test('together with others causes one renewal', async () => {
    const { client } = await signedIn();
    desk.valid.clear();
    const lists = ['position', 'employee-level', 'employment-type'];
    expect(await Promise.all(lists.map((list) => codeOf(client.lookup(list))))).toEqual(Array(3).fill('no error'));
    expect(desk.renewals()).toBe(2);
  });

  test('with a body that can be read once is not repeated, and the next one works', async () => {
    const { client } = await signedIn();
    desk.valid.clear();
    const body = new Blob(['x']).stream();
    expect(await codeOf(client.request('/admin/lookups/plan', { method: 'POST', body }))).toBe('invalid-token');
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    expect(desk.renewals()).toBe(2);
  });

  test('only because the sign-in was too weak signs nobody out, and reports what to ask for', async () => {
    const { client, reasons } = await signedIn();
    const challenge =
      'Bearer realm="frontdesk", error="insufficient_user_authentication", error_description="A stronger sign-in is needed", acr_values="gold silver", max_age="300"';
    desk.answer = () => problem('stronger-sign-in-needed', 401, { 'www-authenticate': challenge });
    const error = await client.request('/admin/lookups/x', { method: 'PUT' }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'stronger-sign-in-needed',
      challenge: { acrValues: 'gold silver', maxAge: 300 },
    });
    expect([desk.renewals(), client.isSignedIn(), reasons]).toEqual([1, true, []]);
  });
});

describe('a renewal', () => {
  test.each([
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'network'],
    ['502', () => problem('idp-bad-response', 502), 'idp-bad-response'],
    ['503', () => problem('idp-unavailable', 503), 'idp-unavailable'],
    ['504', () => problem('idp-timeout', 504), 'idp-timeout'],
    ['429', () => problem('rate-limited', 429), 'rate-limited'],
    ['a login page of the network', () => new Response('<h1>Welcome</h1>'), 'network'],
    ['an answer from something else', () => Response.json({}), 'unexpected-answer'],
  ])('that ends in %s keeps the session, and is tried again', async (_, answer, code) => {
    const { client, act, reasons } = await signedIn();
    act();
    desk.renew = answer;
    await pass(600);
    expect([client.session().status, desk.renewals()]).toEqual(['reconnecting', 2]);
    // The token is still valid for a while.
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    await pass(1);
    await pass(2);
    expect(desk.renewals()).toBe(4);
    sleep(3600);
    expect(await codeOf(client.lookup('position'))).toBe(code);
    desk.renew = undefined;
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    expect([client.session().status, reasons]).toEqual(['signed-in', []]);
  });

  test('that fails in the last seconds of a token leaves the token for requests', async () => {
    const { client } = await signedIn();
    desk.renew = () => problem('idp-unavailable', 503);
    sleep(3597);
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    expect(desk.paths()).toEqual(['/auth/renew', '/auth/renew', '/employee/position']);
  });

  test('that failed is retried at growing intervals: not before Retry-After, even if the person types, but at once when the network is back', async () => {
    const { act, comeOnline } = await signedIn();
    act();
    desk.renew = () => problem('idp-unavailable', 503, { 'retry-after': '60' });
    await pass(600);
    for (let seconds = 0; seconds < 59; seconds++) {
      act();
      await pass(1);
    }
    expect(desk.renewals()).toBe(2);
    comeOnline();
    await settle();
    expect(desk.renewals()).toBe(3);
    desk.renew = undefined;
    await pass(64);
    expect(desk.renewals()).toBe(4);
  });

  test('that says the session is over signs out, once', async () => {
    const { client, reasons } = await signedIn();
    desk.person = undefined;
    desk.valid.clear();
    const codes = await Promise.all(['position', 'employee-level'].map((list) => codeOf(client.lookup(list))));
    expect([codes, reasons]).toEqual([['session-ended', 'session-ended'], ['ended']]);
    expect(client.session()).toMatchObject({ status: 'signed-out', reason: 'ended' });
    const before = desk.requests.length;
    expect(await codeOf(client.lookup('position'))).toBe('unauthorized');
    expect(desk.requests.length).toBe(before);
  });

  test('of a session that cannot be renewed leaves the token for as long as it works', async () => {
    const { client, act, reasons } = await signedIn();
    desk.renew = () => problem('session-ended', 401);
    act();
    await pass(600);
    expect([client.isSignedIn(), desk.paths()]).toEqual([true, ['/auth/renew', '/auth/renew', '/auth/me']]);
    act();
    await pass(2000);
    expect(await codeOf(client.lookup('position'))).toBe('no error');
    expect(desk.renewals()).toBe(2);
    await pass(1000);
    expect([client.isSignedIn(), reasons]).toEqual([false, ['ended']]);
  });

  test('of a session that could not be renewed is tried again after the next sign-in', async () => {
    const { act } = await signedIn();
    desk.renew = () => problem('session-ended', 401);
    act();
    await pass(600);
    desk.renew = undefined;
    await signedIn();
    act();
    await pass(600);
    expect(desk.renewals()).toBe(4);
  });

  test('of a session that was ended elsewhere reports that to the page', async () => {
    const { act, reasons } = await signedIn();
    desk.person = undefined;
    desk.valid.clear();
    act();
    await pass(600);
    expect(reasons).toEqual(['ended']);
  });

  test('whose answer comes after the person has signed out is dropped', async () => {
    const { client, act, reasons } = await signedIn();
    const late = Promise.withResolvers<Response>();
    desk.renew = () => late.promise;
    act();
    await pass(600);
    await client.logout();
    late.resolve(desk.issue('E-1'));
    await settle();
    expect([client.isSignedIn(), reasons]).toEqual([false, ['signed-out']]);
  });
});

describe('several tabs', () => {
  test('renew at once with one request, and use the token it brought', async () => {
    const tabs = [1, 2, 3, 4, 5].map(() => browser.openTab());
    await Promise.all(tabs.map(({ client }) => client.resume()));
    for (const { act } of tabs) act();
    sleep(3600);
    await Promise.all(tabs.map(({ client }) => client.lookup('position')));
    expect(desk.renewals()).toBe(2);
    const lists = desk.requests.filter(({ path }) => path === '/employee/position');
    expect(lists.map(({ token }) => numberOf(token))).toEqual(Array(5).fill(2));
  });

  test('without locks, each tab renews on its own', async () => {
    browser = openBrowser(send, { hasLocks: false });
    const tabs = [1, 2, 3].map(() => browser.openTab());
    expect(await Promise.all(tabs.map(({ client }) => client.resume()))).toEqual([true, true, true]);
    expect(desk.renewals()).toBe(3);
  });

  test('one that is active keeps the others signed in', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    for (let minutes = 0; minutes < 120; minutes += 10) {
      one.act();
      await pass(600);
    }
    expect(other.client.isSignedIn()).toBe(true);
    expect(desk.renewals()).toBe(2 + 12);
    await other.client.lookup('position');
    expect(desk.renewals()).toBe(2 + 12);
  });

  test('when one fails, the next one renews', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    desk.valid.clear();
    let calls = 0;
    desk.renew = () => (++calls === 1 ? problem('idp-unavailable', 503) : desk.issue('E-1'));
    const codes = Promise.all([one, other].map(({ client }) => codeOf(client.lookup('position'))));
    await settle();
    // The second tab has waited for a token from the first one.
    await pass(1);
    expect(await codes).toEqual(['idp-unavailable', 'no error']);
    // The first tab has received the token of the second one.
    expect([await codeOf(one.client.lookup('position')), calls]).toEqual(['no error', 2]);
  });

  test('sign out together, with the reason', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await one.client.logout();
    expect([one.reasons, other.reasons]).toEqual([['signed-out'], ['other-tab']]);
    expect(desk.requests.at(-1)).toMatchObject({ path: '/auth/logout', method: 'POST', credentials: 'include' });
    expect(await codeOf(other.client.lookup('position'))).toBe('unauthorized');
  });

  test('all continue when one signs in again', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await one.client.logout();
    const third = browser.openTab();
    expect(await third.client.resume()).toBe(true);
    expect([one.client.isSignedIn(), other.client.isSignedIn()]).toEqual([true, true]);
  });

  test('ignore malformed messages', async () => {
    let hear: (message: unknown) => void = () => {};
    const environment = {
      locks: undefined,
      openChannel: (_: string, receive: (message: unknown) => void) => {
        hear = receive;
        return () => {};
      },
      watch() {},
    };
    const { createFrontdesk } = await import('../../client/src/index.ts');
    const client = createFrontdesk({ baseUrl: 'http://localhost', fetch: send }, environment);
    for (const message of [
      null,
      'token',
      {},
      { kind: 'token' },
      { kind: 'token', token: { token: 7 }, isSignIn: true },
    ]) {
      hear(message);
    }
    expect(client.session().status).toBe('starting');
  });
});

describe('another person', () => {
  test('who signed in with this browser: the page is notified, and sends nothing as them', async () => {
    const { client, reasons } = await signedIn();
    desk.valid.clear();
    desk.person = 'E-2';
    expect(await codeOf(client.request('/admin/lookups/x', { method: 'PUT' }))).toBe('other-person');
    expect(desk.requests.filter(({ method }) => method === 'PUT').length).toBe(1);
    expect([client.session().reason, reasons]).toEqual(['other-person', ['other-person']]);
  });

  test('who signed in in another tab is noticed at once', async () => {
    const one = await signedIn();
    desk.person = 'E-2';
    const other = await signedIn();
    expect([one.reasons, other.client.isSignedIn()]).toEqual([['other-person'], true]);
  });

  test('may sign in after a sign-out, and sees nothing of the previous person', async () => {
    const { client } = await signedIn();
    const slow = Promise.withResolvers<Response>();
    desk.answer = ({ path }) => (path === '/employee/position' ? slow.promise : undefined);
    const theirs: Promise<unknown> = client.lookup('position');
    await settle();
    await client.logout();
    desk.person = 'E-2';
    expect(await client.resume()).toBe(true);
    desk.answer = () => Response.json(['mine']);
    const mine: unknown = await client.lookup('position');
    slow.resolve(Response.json(['theirs']));
    expect([mine, await theirs]).toEqual([['mine'], ['theirs']]);
  });
});

describe('signing out', () => {
  test('with an expired token renews first, because the session would otherwise stay open in the cookie', async () => {
    const { client, reasons } = await signedIn();
    desk.valid.clear();
    sleep(3600);
    await client.logout();
    expect([desk.paths(), reasons]).toEqual([['/auth/renew', '/auth/renew', '/auth/logout'], ['signed-out']]);
  });

  test('of a session that has ended is not an error', async () => {
    const { client, reasons } = await signedIn();
    desk.valid.clear();
    desk.person = undefined;
    await client.logout();
    expect(reasons).toEqual(['signed-out']);
    await client.logout();
    expect(reasons).toEqual(['signed-out']);
  });

  test('that the service cannot store fails, and the person is still signed in', async () => {
    const { client, reasons } = await signedIn();
    desk.answer = () => problem('storage-unavailable', 503);
    expect(await codeOf(client.logout())).toBe('storage-unavailable');
    expect([client.isSignedIn(), reasons]).toEqual([true, []]);
    // When the session ends later, the reason is `ended`, in spite of the failed logout.
    desk.answer = undefined;
    desk.valid.clear();
    desk.person = undefined;
    await codeOf(client.me());
    expect(reasons).toEqual(['ended']);
  });
});

describe('a sign-in in a second window', () => {
  /** Simulates the parts of a browser that the client needs. `window.open` returns `opened`. */
  function stubBrowser(opened: { closed: boolean } | null, { focusAfter = 1000 } = {}) {
    const stored = new Map<string, string>();
    const addresses: string[] = [];
    Object.assign(globalThis, {
      window: {
        open(address: string) {
          // A browser copies the sessionStorage, with this mark, to the new window. Then the client removes the mark from
          // the first window.
          expect(stored.has('frontdesk.popup')).toBe(true);
          addresses.push(address);
          return opened;
        },
      },
      document: { hasFocus: () => --focusAfter < 0 },
      location: { origin: 'http://app', href: 'http://app/form' },
      sessionStorage: {
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      },
    });
    return { addresses, stored };
  }
  afterEach(() => {
    for (const name of ['window', 'document', 'location', 'history', 'sessionStorage'])
      Reflect.deleteProperty(globalThis, name);
  });

  test('forwards all its options, and removes its mark', async () => {
    const { client } = await signedIn();
    const { addresses, stored } = stubBrowser(null);
    const asked = {
      loginHint: 'ada',
      prompt: 'login',
      acrValues: 'gold silver',
      maxAge: 0,
      uiLocales: 'de en',
    } as const;
    expect(await client.signIn({ popup: true, ...asked })).toBe('blocked');
    const { pathname, searchParams } = new URL(addresses[0] ?? '');
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/auth/login',
      {
        redirect_uri: 'http://app/',
        login_hint: 'ada',
        prompt: 'login',
        acr_values: 'gold silver',
        max_age: '0',
        ui_locales: 'de en',
      },
    ]);
    expect(stored.size).toBe(0);
  });

  test.each([
    ['the same person', 'E-1', 'signed-in', undefined],
    ['another person', 'E-2', 'other-person', 'other-person'],
  ] as const)('by %s', async (_, person, result, reason) => {
    const tab = await signedIn();
    stubBrowser({ closed: false });
    const outcome = tab.client.signIn({ popup: true });
    const popup = browser.openTab();
    Object.assign(globalThis, {
      location: { origin: 'http://app', href: 'http://app/?code=c&state=fd1.x' },
      history: { state: null, replaceState() {} },
      sessionStorage: { getItem: () => 'true' },
    });
    let isClosed = false;
    Object.assign(globalThis, { window: { close: () => (isClosed = true) } });
    desk.answer = ({ path }) => (path === '/auth/login/callback' ? desk.issue(person) : undefined);
    expect(await popup.client.resume()).toBe(true);
    expect([await outcome, isClosed, tab.client.session().reason]).toEqual([result, true, reason]);
  });

  test('that fails is reported to the page, with the reason', async () => {
    const tab = await signedIn();
    stubBrowser({ closed: false });
    const outcome = tab.client.signIn({ popup: true });
    const popup = browser.openTab();
    Object.assign(globalThis, {
      location: { origin: 'http://app', href: 'http://app/?error=access_denied&state=fd1.x' },
      history: { state: null, replaceState() {} },
      sessionStorage: { getItem: () => 'true' },
      window: { close() {} },
    });
    desk.answer = ({ path }) => (path === '/auth/login/callback' ? problem('login-denied', 403) : undefined);
    expect(await codeOf(popup.client.resume())).toBe('login-denied');
    expect([await outcome, tab.client.session().signInError?.code]).toEqual(['failed', 'login-denied']);
    expect(tab.client.isSignedIn()).toBe(true);
  });

  test('ends when its window is closed, but not if the window only seems closed while the person uses it', async () => {
    const tab = await signedIn();
    stubBrowser({ closed: true }, { focusAfter: 5 });
    const closed = tab.client.signIn({ popup: true });
    for (let seconds = 0; seconds < 5; seconds++) await pass(1);
    expect(Bun.peek.status(closed)).toBe('pending');
    for (let seconds = 0; seconds < 2; seconds++) await pass(1);
    expect(await closed).toBe('closed');
  });
});

test('a program with its own token uses it as it is, and learns when it has expired', async () => {
  const { createFrontdesk } = await import('../../client/src/index.ts');
  const reasons: string[] = [];
  const accessToken = 'its own';
  desk.valid.add(accessToken);
  const client = createFrontdesk({
    baseUrl: 'http://localhost',
    accessToken,
    fetch: send,
    onSignedOut: (reason) => void reasons.push(reason),
  });
  await pass(86_400);
  expect(await codeOf(client.lookup('position'))).toBe('no error');
  desk.valid.clear();
  expect(await codeOf(client.lookup('position'))).toBe('invalid-token');
  expect([desk.renewals(), reasons]).toEqual([0, ['ended']]);
});
