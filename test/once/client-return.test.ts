// A sign-in returns to the page it began on, but never to another origin. Addresses, storage and answers are scripted here.
// client-routers.test.ts tests the same with routers in Chromium.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { FrontdeskError, type ResumeOptions, type SignInOptions } from '../../client/src/index.ts';
import { openBrowser, problem, scriptDesk } from '../support/scripted-desk.ts';

let { desk, send } = scriptDesk();
let browser = openBrowser(send);
beforeEach(() => {
  ({ desk, send } = scriptDesk());
  browser = openBrowser(send);
  desk.answer = ({ path }) => (path === '/auth/login/callback' ? desk.issue('E-1') : undefined);
});
afterEach(() => {
  jest.useRealTimers();
  for (const name of ['window', 'location', 'history', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
});

const origin = 'http://app.example';
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof FrontdeskError ? error.code : String(error)),
  );

/** Simulates a tab at this address: the location, history and sessionStorage of its page. */
function openTab(address: string, stored = new Map<string, string>()) {
  const location = {
    origin,
    href: new URL(address, origin).href,
    assign(to: string) {
      tab.opened = new URL(to);
    },
  };
  const tab = { location, stored, opened: undefined as URL | undefined, shown: [] as string[] };
  Object.assign(globalThis, {
    location,
    history: {
      state: null,
      replaceState(_state: unknown, _unused: string, to: string) {
        const next = new URL(to, location.href);
        if (next.origin !== origin) throw new Error('SecurityError');
        location.href = next.href;
        tab.shown.push(next.href.slice(origin.length));
      },
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  });
  return tab;
}

/** Begins a sign-in on the page at this address. The browser then leaves the page. */
function signInFrom(address: string, options: SignInOptions = {}) {
  const tab = openTab(address);
  void browser.openTab().client.signIn(options);
  return tab;
}

const callback = '/?code=c&state=fd1.x&iss=http%3A%2F%2Fprovider';

async function comeBack(stored: Map<string, string>, options?: ResumeOptions, address = callback) {
  const tab = openTab(address, stored);
  const { client } = browser.openTab();
  const resumed = client.resume(options);
  const shownAtOnce = [...tab.shown];
  return { resumed: await codeOf(resumed), shownAtOnce, shown: tab.shown, client, stored };
}

describe('a sign-in returns', () => {
  const deep = '/employees/42?tab=pay&q=a%20b#notes';

  test('to the page it began on, through the one registered address, before anything is requested', async () => {
    const { opened, stored } = signInFrom(deep);
    expect(opened?.searchParams.get('redirect_uri')).toBe(`${origin}/`);
    const back = await comeBack(stored);
    expect([back.resumed, back.shownAtOnce, back.shown]).toEqual(['no error', [deep], [deep]]);
    expect([...stored]).toEqual([]);
  });

  test('to the page that was asked for', async () => {
    const { stored } = signInFrom('/welcome', { returnTo: 'employees/7#x' });
    expect((await comeBack(stored)).shown).toEqual(['/employees/7#x']);
  });

  test('to an address of the application below a path, if it names one', async () => {
    const { createFrontdesk } = await import('../../client/src/index.ts');
    const tab = openTab('/hr/employees/42');
    void createFrontdesk({ baseUrl: 'http://localhost', redirectUri: '/hr/', fetch: send }).signIn();
    expect(tab.opened?.searchParams.get('redirect_uri')).toBe(`${origin}/hr/`);
    expect((await comeBack(tab.stored, undefined, `/hr${callback}`)).shown).toEqual(['/hr/employees/42']);
  });

  test('without the code and the state of an earlier sign-in that the page has not completed', async () => {
    const { stored } = signInFrom('/form?code=old&state=fd1.old&tab=pay#x');
    expect((await comeBack(stored)).shown).toEqual(['/form?tab=pay#x']);
  });

  test('with page parameters that only look like those of a sign-in', async () => {
    const { stored } = signInFrom('/form?code=JP-113&state=open');
    expect((await comeBack(stored)).shown).toEqual(['/form?code=JP-113&state=open']);
  });

  test('to its page after a refusal too, so that the next attempt returns there', async () => {
    const { stored } = signInFrom(deep);
    desk.answer = ({ path }) => (path === '/auth/login/callback' ? problem('login-denied', 403) : undefined);
    desk.person = undefined;
    const back = await comeBack(stored, undefined, '/?error=access_denied&state=fd1.x');
    expect([back.resumed, back.shown, back.stored.size]).toEqual(['login-denied', [deep], 0]);
    expect(back.client.session()).toMatchObject({ status: 'signed-out', reason: 'not-signed-in' });
    expect(back.client.session().signInError?.code).toBe('login-denied');
  });

  test('to the registered address, without code and state, if it did not begin in this tab', async () => {
    const back = await comeBack(new Map(), undefined, `${callback}&lang=de#top`);
    expect([back.resumed, back.shown]).toEqual(['no error', ['/?lang=de#top']]);
  });

  test('each tab to its own page, when two sign in at the same time', async () => {
    const [one, two] = [signInFrom('/one'), signInFrom('/two')];
    expect((await comeBack(two.stored)).shown).toEqual(['/two']);
    expect((await comeBack(one.stored)).shown).toEqual(['/one']);
  });

  test('to its last page, if the person went back and signed in from another one', async () => {
    const { stored } = signInFrom('/one');
    openTab('/two', stored);
    void browser.openTab().client.signIn();
    expect((await comeBack(stored)).shown).toEqual(['/two']);
  });

  test('not to the page of an attempt that was given up more than ten minutes ago', async () => {
    const { stored } = signInFrom('/one');
    jest.setSystemTime(new Date(Date.now() + 600_000));
    expect((await comeBack(stored)).shown).toEqual(['/']);
    expect(stored.size).toBe(0);
  });

  test('only once: another sign-in that ends in this tab does not return there again', async () => {
    const { stored } = signInFrom('/one');
    expect((await comeBack(stored)).shown).toEqual(['/one']);
    expect((await comeBack(stored)).shown).toEqual(['/']);
  });

  test('to no page in a second window, which is closed while the page that opened it stays', async () => {
    const { stored } = signInFrom('/one');
    stored.set('frontdesk.popup', 'true');
    const closed: string[] = [];
    Object.assign(globalThis, { window: { close: () => closed.push('this window') } });
    expect((await comeBack(stored)).shown).toEqual(['/']);
    expect(closed).toEqual(['this window']);
  });

  test('to the registered address if pages may not store anything', async () => {
    const tab = openTab('/one');
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      get: () => {
        throw new Error('SecurityError');
      },
    });
    void browser.openTab().client.signIn();
    expect(tab.opened?.pathname).toBe('/auth/login');
    tab.location.href = origin + callback;
    expect(await codeOf(browser.openTab().client.resume())).toBe('no error');
    expect(tab.shown).toEqual(['/']);
  });
});

describe('a router that exists already', () => {
  test('gets the page when the person is signed in, and changes the address itself', async () => {
    const { stored } = signInFrom('/employees/42?tab=pay#notes');
    const given: unknown[] = [];
    const onReturn = (path: string) => {
      given.push([path, desk.paths()]);
      // Like a route that is not loaded before resume() has finished.
      return new Promise(() => {});
    };
    const back = await comeBack(stored, { onReturn });
    expect([back.resumed, back.shown]).toEqual(['no error', ['/']]);
    expect(given).toEqual([['/employees/42?tab=pay#notes', ['/auth/login/callback']]]);
  });

  test('is not asked after a refusal: the address is shown, so that the next attempt returns there', async () => {
    const { stored } = signInFrom('/employees/42');
    desk.answer = ({ path }) => (path === '/auth/login/callback' ? problem('code-rejected', 400) : undefined);
    const given: string[] = [];
    const back = await comeBack(stored, { onReturn: (path) => given.push(path) });
    expect([back.resumed, back.shown, given]).toEqual(['code-rejected', ['/', '/employees/42'], []]);
  });

  test('is not asked if there is no page to return to, or no sign-in to complete', async () => {
    const given: string[] = [];
    const onReturn = (path: string) => given.push(path);
    const { stored } = signInFrom('/one');
    expect((await comeBack(stored, { onReturn }, '/one')).shown).toEqual([]);
    await comeBack(new Map(), { onReturn });
    expect(given).toEqual([]);
  });
});

describe('an address that is not a page of this origin', () => {
  const hostile = [
    'https://evil.example/',
    '//evil.example/',
    '\\\\evil.example/',
    '/\\evil.example/',
    '/.//evil.example/',
    '/x/..//evil.example/',
    '\t//evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    `blob:${origin}/8f7c`,
    `${origin}.evil.example/`,
    `${origin}@evil.example/`,
    'http://someone@app.example/',
    'http://app.example:8080/',
    'https://app.example/',
    'http://[',
    `/${'x'.repeat(4000)}`,
  ];

  test.each(hostile)('is refused, and nothing is opened: %p', async (returnTo) => {
    const { opened, stored } = openTab('/form');
    const { client } = browser.openTab();
    expect(await codeOf(client.signIn({ returnTo }))).toBe('invalid-return');
    expect([opened, stored.size]).toEqual([undefined, 0]);
  });

  test.each(hostile)('is not shown either if somebody else stored it in the tab: %p', async (address) => {
    const given: string[] = [];
    const stored = () => new Map([['frontdesk.return', `${Date.now()} ${address}`]]);
    expect((await comeBack(stored())).shown).toEqual(['/']);
    expect((await comeBack(stored(), { onReturn: (path) => given.push(path) })).shown).toEqual(['/']);
    expect(given).toEqual([]);
  });

  test('does not prevent a sign-in that begins there', async () => {
    for (const address of [`${origin}//double`, `/${'x'.repeat(5000)}`]) {
      const { opened, stored } = signInFrom(address);
      expect([opened?.pathname, stored.size]).toEqual(['/auth/login', 0]);
    }
  });
});

test('outside a browser, signing in or out fails with a message that it needs one', async () => {
  const { client } = browser.openTab();
  expect(await client.resume()).toBe(true);
  for (const call of [client.signIn(), client.signIn({ popup: true }), client.signOut()])
    expect(await codeOf(call)).toBe('no-browser');
  await expect(client.signIn()).rejects.toThrow('Signing in and out opens a page.');
  // signOut() failed before it ended the session.
  expect([client.isSignedIn(), desk.paths()]).toEqual([true, ['/auth/renew']]);
});

describe('if no answer comes', () => {
  const failing = (isAlive: boolean) => {
    const asked: { url: string; mode: string | undefined }[] = [];
    const fetch = (async (url: string, init: RequestInit = {}) => {
      asked.push({ url, mode: init.mode });
      if (isAlive && init.mode === 'no-cors') return new Response(null);
      throw new TypeError('Failed to fetch');
    }) as typeof globalThis.fetch;
    return { asked, fetch };
  };

  async function resumeOn(address: string, baseUrl: string, isAlive: boolean) {
    const { createFrontdesk } = await import('../../client/src/index.ts');
    openTab(address);
    const { asked, fetch } = failing(isAlive);
    const client = createFrontdesk({ baseUrl, fetch });
    const error = await client.resume().catch((caught: unknown) => caught);
    if (!(error instanceof FrontdeskError)) throw new Error('it did not fail');
    return { error, asked: asked.map(({ url }) => url) };
  }

  test('from a server that runs, the error names the origin that may be missing, and the variable', async () => {
    const { error, asked } = await resumeOn('/form', 'http://desk.example/', true);
    expect([error.code, error.status]).toEqual(['network', 0]);
    expect(error.message).toBe(
      'No answer: http://desk.example is running, but this page cannot read its answers. http://app.example may be missing in CORS_ORIGINS.',
    );
    expect(asked).toEqual(['http://desk.example/auth/renew', 'http://desk.example/health/live']);
  });

  test('from a server that is down, the error says that it cannot be reached', async () => {
    const { error } = await resumeOn('/form', 'http://desk.example', false);
    expect(error.message).toBe('No answer: Frontdesk cannot be reached.');
  });

  test('from the same origin, nothing more is requested', async () => {
    const { error, asked } = await resumeOn('/form', origin, true);
    expect([error.detail, asked]).toEqual(['Frontdesk cannot be reached.', [`${origin}/auth/renew`]]);
  });

  test('from a server whose answers could be read before, nothing more is requested', async () => {
    openTab('/form');
    const { client } = browser.openTab();
    expect(await client.resume()).toBe(true);
    desk.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await client.lookup('position').catch((caught: FrontdeskError) => caught);
    expect(String(error)).toContain('Frontdesk cannot be reached.');
    expect(desk.paths()).toEqual(['/auth/renew', '/employee/position']);
  });
});
