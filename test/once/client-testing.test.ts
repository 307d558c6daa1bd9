// The Frontdesk for unit tests gives the same answers as the real one, and obeys its controls.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../../client/build.ts';
import { type Frontdesk as Client, createFrontdesk, FrontdeskError } from '../../client/src/index.ts';
import { createTestFrontdesk, type TestItem } from '../../client/src/testing.ts';
import { testProblems } from '../../client/src/testing-problems.ts';
import { problemHeaders } from '../../src/http/problem.ts';
import { problemTable } from '../../src/http/problem-table.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type Item, listKeeping } from '../support/lists.ts';
import { root } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const makeTemporaryFolder = temporaryFolders();

type TestFrontdesk = ReturnType<typeof createTestFrontdesk>;

type Nullable<T> = { [Name in keyof T]: T[Name] | null };

const withoutNulls = <T extends object>(item: Nullable<T>) =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) as Partial<T>;

/** What a call returns or throws, without what differs between two services: IDs of items and requests. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    const text = JSON.stringify(await call);
    return JSON.parse(text, (name, value: unknown) => (name === 'id' ? typeof value : value));
  } catch (error) {
    if (!(error instanceof FrontdeskError)) throw error;
    const { code, status, title, detail, errors, retryAfter, requestId } = error;
    return { code, status, title, detail, errors, retryAfter, requestId: /^[0-9a-f-]{36}$/.test(requestId) };
  }
}

describe('it answers as the real one', () => {
  let desk: Frontdesk;
  let real: Client;
  let simulated: TestFrontdesk;
  beforeAll(async () => {
    desk = await startFrontdesk();
    const token = await desk.signIn('E-1001');
    real = createFrontdesk({ baseUrl: desk.url, accessToken: token });
    let version = 1;
    const write = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'if-match': `"${version++}"` };
      await real.request(`/admin/lookups/position/items/${path}`, { method, headers, body: JSON.stringify(body) });
    };
    await write('PATCH', 'ACCOUNTANT', { labels: { de: 'Buchhalterin' } });
    await write('PATCH', 'SALES_MANAGER', { validTo: '2020-01-31', sortOrder: 120 });
    await write('PATCH', 'IT_MANAGER', { validFrom: '2999-01-31' });
    await write('POST', 'MARKETING_MANAGER/retire', { replacedBy: 'ACCOUNTANT' });
    await write('POST', 'SOFTWARE_DEVELOPER/retire', { replacedBy: 'MARKETING_MANAGER' });
    const keeping = listKeeping(desk, token);
    await keeping.apply('country', [
      { value: 'DE', label: 'Germany' },
      { value: 'FR', label: 'France' },
      { value: 'PRUSSIA', label: 'Prussia', retired: true, replacedBy: 'FRG' },
      { value: 'FRG', label: 'West Germany', retired: true, replacedBy: 'DE' },
    ]);
    await keeping.apply('office', [
      { value: 'KIEL', label: 'Kiel', parents: { country: ['PRUSSIA'] } },
      {
        value: 'BERLIN',
        label: 'Berlin Mitte',
        parents: { country: ['DE'] },
        tags: ['big', 'old'],
        codes: { sap: 'B:1' },
      },
      {
        value: 'KOLN',
        label: 'Cologne',
        labels: { de: 'Köln' },
        parents: { country: ['DE'] },
        description: 'By the Rhine',
      },
      { value: 'PARIS', label: 'Paris', parents: { country: ['FR'] }, tags: ['big'] },
      { value: 'HOME', label: '東京 at home' },
      { value: 'BONN', label: 'Bonn', parents: { country: ['DE'] }, retired: true, replacedBy: 'BERLIN' },
    ]);
    const lists: Record<string, TestItem[]> = {};
    for (const name of Object.keys(await real.lookups())) {
      const { items } = (await (await real.request(`/admin/lookups/${name}`)).json()) as { items: Item[] };
      lists[name] = items.map(({ id: _, status, value, label, ...item }) => {
        return {
          value,
          label,
          ...withoutNulls<Omit<TestItem, 'value' | 'label'>>(item),
          isRetired: status === 'retired',
        };
      });
    }
    simulated = createTestFrontdesk({ lists, person: await real.me() });
  });
  afterAll(() => desk.stop());

  const stored = ['ACCOUNTANT', 'MARKETING_MANAGER', 'SALES_MANAGER', 'IT_MANAGER', 'NOBODY'];
  const calls: Record<string, (client: Client) => Promise<unknown>> = {
    'the person': (client) => client.me(),
    'a list': (client) => client.lookup('position'),
    'another list': (client) => client.lookup('employee-level'),
    'a list in another language': (client) => client.lookup('position', { language: 'de-AT' }),
    'a list with what a form has stored': (client) => client.lookup('position', { include: stored }),
    'a list of a later day': (client) => client.lookup('position', { asOf: '2999-12-31' }),
    'a list of an earlier day': (client) => client.lookup('position', { asOf: '2019-12-31' }),
    'all lists': (client) => client.lookups(),
    'all lists in another language': (client) => client.lookups({ language: 'de' }),
    'the label of a retired value': (client) => client.label('position', 'MARKETING_MANAGER'),
    'stored values': (client) => client.validate({ position: stored, 'no-such-list': 'X', 'employee-level': 'LEAD' }),
    'a stored value whose replacement is replaced': (client) => client.validate({ position: 'SOFTWARE_DEVELOPER' }),
    'stored values in another language': (client) => client.validate({ position: stored }, { language: 'de' }),
    'no stored value': (client) => client.validate({}),
    'what is offered in a country': (client) => client.lookup('office', { where: { country: 'FR' } }),
    'what is offered in two': (client) => client.lookup('office', { where: { country: ['FR', 'DE'] } }),
    'what is offered in what replaced a country': (client) => client.lookup('office', { where: { country: 'DE' } }),
    'what is offered in a country that was replaced': (client) =>
      client.lookup('office', { where: { country: 'FRG' } }),
    'by a list it does not depend on': (client) => client.lookup('office', { where: { position: 'ACCOUNTANT' } }),
    'by a list that does not exist': (client) => client.lookup('office', { where: { planet: 'MARS' } }),
    'by a tag': (client) => client.lookup('office', { tag: 'big' }),
    'by two tags': (client) => client.lookup('office', { tag: ['big', 'old'] }),
    'by a code': (client) => client.lookup('office', { code: { sap: 'B:1' } }),
    'by a code that nothing has': (client) => client.lookup('office', { code: { sap: 'B' } }),
    'by the beginning of a word': (client) => client.lookup('office', { q: 'MIT' }),
    'by a middle of a word': (client) => client.lookup('office', { q: 'itte' }),
    'by two words': (client) => client.lookup('office', { q: 'mitte ber' }),
    'by a word with an accent': (client) => client.lookup('office', { q: 'kol', language: 'de' }),
    'by a sign in a script without blanks': (client) => client.lookup('office', { q: '京' }),
    'by nothing': (client) => client.lookup('office', { q: '' }),
    'with fields': (client) => client.lookup('office', { fields: ['codes', 'tags', 'description', 'parents'] }),
    'with one field': (client) => client.lookup('office', { fields: ['description'] }),
    'the first two': (client) => client.lookup('office', { limit: 2 }),
    'the first one and a stored one': (client) => client.lookup('office', { limit: 1, include: ['BONN', 'BERLIN'] }),
    'filtered, and a stored one': (client) => client.lookup('office', { where: { country: 'FR' }, include: ['BONN'] }),
    'too few': (client) => client.lookup('office', { limit: 0 }),
    'too many': (client) => client.lookup('office', { limit: 1001 }),
    'stored values that fit': (client) => client.validate({ office: 'BERLIN', country: ['DE'] }),
    'stored values that fit by what replaced them': (client) =>
      client.validate({ office: ['KIEL', 'BERLIN'], country: 'FRG' }),
    'stored values that do not': (client) => client.validate({ office: ['BERLIN', 'HOME', 'BONN'], country: 'FR' }),
    'a list that does not exist': (client) => client.lookup('no-such-list'),
    'a date that is none': (client) => client.lookup('position', { asOf: 'tomorrow' }),
    'a path that does not exist': (client) => client.request('/no/such/path'),
  };

  test.each(Object.keys(calls))('%s', async (name) => {
    const call = calls[name] ?? (() => Promise.reject(new Error('no such call')));
    const expected = await outcome(call(real));
    expect(await outcome(call(simulated))).toEqual(expected);
  });

  test('an unchanged list is a 304', async () => {
    for (const client of [real, simulated]) {
      const { headers } = await client.request('/employee/position');
      const again = await client.request('/employee/position', {
        headers: { 'If-None-Match': headers.get('etag') ?? '' },
      });
      expect([headers.get('content-type'), again.status]).toEqual(['application/json', 304]);
    }
  });

  test('a change in the stream', async () => {
    const next = async (client: Client, change: () => Promise<void>) => {
      const leaving = new AbortController();
      const connected = Promise.withResolvers<void>();
      const changes = client.changes({ signal: leaving.signal, onState: () => connected.resolve() });
      const first = changes.next();
      await connected.promise;
      await change();
      const { value } = await first;
      leaving.abort();
      return { ...value, id: typeof value?.id };
    };
    const given = await next(simulated, async () => simulated.control.setList('employee-level', []));
    const expected = await next(real, async () => {
      const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
      const body = JSON.stringify({ label: 'First among equals' });
      await real.request('/admin/lookups/employee-level/items/LEAD', { method: 'PATCH', headers, body });
    });
    expect(given).toEqual(expected);
  });
});

test.each(testProblems)('%s has the words of the service', async (code) => {
  const { control, request } = createTestFrontdesk({ answer: () => new Response('here') });
  control.fail(code, { times: 2 });
  const retryAfter = problemHeaders(code)['Retry-After'];
  const { status, title, detail } = problemTable[code];
  expect(await outcome(request('/anything'))).toEqual({
    code,
    status,
    title,
    detail,
    errors: [],
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
    requestId: true,
  });
});

describe('its controls', () => {
  const lists = { position: [{ value: 'ACCOUNTANT', label: 'Accountant' }] };
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: FrontdeskError) => error.code,
    );

  test('nobody is signed in, until somebody signs in, and out', async () => {
    const reasons: string[] = [];
    const frontdesk = createTestFrontdesk({ lists, person: null, onSignedOut: (reason) => reasons.push(reason) });
    expect([await frontdesk.resume(), await codeOf(frontdesk.me())]).toEqual([false, 'unauthorized']);
    expect(await frontdesk.signIn({ popup: true })).toBe('signed-in');
    expect((await frontdesk.lookup('position')).length).toBe(1);
    await frontdesk.signOut();
    expect([frontdesk.isSignedIn(), reasons]).toEqual([false, ['not-signed-in', 'signed-out']]);
  });

  test('a session that has ended, and a new sign-in', async () => {
    const frontdesk = createTestFrontdesk({ lists });
    expect([await frontdesk.resume(), frontdesk.session().status]).toEqual([true, 'signed-in']);
    await frontdesk.control.endSession();
    expect(frontdesk.session()).toMatchObject({ status: 'signed-out', reason: 'ended' });
    expect(await codeOf(frontdesk.lookup('position'))).toBe('unauthorized');
    frontdesk.control.signIn();
    expect(await codeOf(frontdesk.lookup('position'))).toBe('no error');
    frontdesk.control.signIn({ sub: 'E-2' });
    expect(frontdesk.session()).toMatchObject({ status: 'signed-out', reason: 'other-person' });
  });

  test('faults: as often as requested, and at the requested paths', async () => {
    const frontdesk = createTestFrontdesk({ lists });
    frontdesk.control.fail('storage-unavailable', { path: '/employee/', times: 2 });
    const ask = () => codeOf(frontdesk.lookup('position'));
    expect(await codeOf(frontdesk.me())).toBe('no error');
    expect([await ask(), await ask(), await ask()]).toEqual(['storage-unavailable', 'storage-unavailable', 'no error']);
    frontdesk.control.goOffline();
    expect(await ask()).toBe('network');
    frontdesk.control.goOnline();
    expect(await ask()).toBe('no error');
    expect(frontdesk.control.requests.at(-1)).toEqual({ method: 'GET', path: '/employee/position' });
  });

  test('what else the application asks for', async () => {
    const frontdesk = createTestFrontdesk({
      answer: ({ url, method }) => (url.endsWith('/audit') ? Response.json({ method }) : undefined),
    });
    expect(await (await frontdesk.request('/audit', { method: 'POST' })).json()).toEqual({ method: 'POST' });
    expect(await codeOf(frontdesk.request('/other'))).toBe('not-found');
  });
});

test('the test in its README runs, with the form in its README, in a simulated browser', () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const [form = '', unitTest = ''] = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code]) => code);
  const folder = makeTemporaryFolder();
  const installed = join(folder, 'node_modules/frontdesk-client');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, 'client/package.json'), join(installed, 'package.json'));
  buildClient(join(installed, 'dist'));
  for (const name of ['react', 'react-dom', '@happy-dom', 'happy-dom'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const [components = ''] = form.split('\nif (!(await frontdesk.resume()');
  writeFileSync(join(folder, 'employee-form.tsx'), components.replace('function EmployeeForm', 'export $&'));
  writeFileSync(join(folder, 'form.test.tsx'), unitTest);
  const simulation = `import { GlobalRegistrator } from '@happy-dom/global-registrator';
GlobalRegistrator.register();
globalThis.IS_REACT_ACT_ENVIRONMENT = true;`;
  writeFileSync(join(folder, 'browser.ts'), simulation);
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, '--no-env-file', 'test', '--preload', './browser.ts', 'form.test.tsx'],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
  );
  expect({ exitCode, stderr: stderr.toString() }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/ 1 pass\n 0 fail/),
  });
});
