// The Frontdesk for unit tests gives the same answers as the real one, and can be controlled by the test.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../../client/build.ts';
import { type Frontdesk as Client, createFrontdesk, FrontdeskError } from '../../client/src/index.ts';
import { createTestFrontdesk, type TestItem, type TestTitle } from '../../client/src/testing.ts';
import { testProblems } from '../../client/src/testing-problems.ts';
import { problemHeaders } from '../../src/http/problem.ts';
import { problemTable } from '../../src/http/problem-table.ts';
import { extraFields } from '../../src/lookup/rules/item.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type List, listKeeping } from '../support/lists.ts';
import { root } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const makeTemporaryFolder = temporaryFolders();

type TestFrontdesk = ReturnType<typeof createTestFrontdesk>;

type Nullable<T> = { [Name in keyof T]: T[Name] | null };

const withoutNulls = <T extends object>(item: Nullable<T>) =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) as Partial<T>;

/** What a call returns or throws, without the IDs of items and requests, which differ between two services. */
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

/** Items with the same sortOrder, so that their order depends on the language. */
const tongues = [
  {
    value: 'A',
    label: 'Apple',
    labels: { de: 'Äpfel', 'de-AT': 'Zwetschke', fr: 'Pomme', sv: 'Äpple', 'pt-BR': 'Maçã' },
  },
  { value: 'B', label: 'Bread', labels: { de: 'Zwieback', 'de-CH': 'Brot', en: 'Loaf', 'en-GB': 'Bap', sv: 'Zebra' } },
  {
    value: 'C',
    label: 'Cherry',
    labels: { 'fr-CA': 'Cerise', 'zh-Hant': '櫻桃', 'zh-Hans': '樱桃', 'sr-Latn': 'Trešnja' },
  },
  {
    value: 'D',
    label: 'Date',
    labels: { 'zh-TW': '棗', zh: '枣', sr: 'Урма', he: 'תמר', 'pt-PT': 'Tâmara', 'en-US': 'Datte' },
  },
  { value: 'E', label: 'Egg', labels: { 'de-DE': 'Ei', 'de-CH-1996': 'Ai', 'en-Shaw': '𐑧𐑜', ja: '卵', fr: 'Œuf' } },
  { value: 'F', label: 'Fig' },
].map((item) => ({ ...item, sortOrder: 10 }));

const languages = [
  ...['', 'de', 'DE-at', 'de-DE', 'de-CH', 'de-CH-1996', 'de-LI', 'fr', 'fr-BE', 'fr-CA', 'sv', 'pt', 'pt-PT', 'pt-AO'],
  ...['en', 'en-US', 'en-AU', 'en-GB-oxendict', 'en-Shaw', 'zh', 'zh-TW', 'zh-HK', 'zh-SG', 'zh-Hant-CN-x-private1'],
  ...['sr', 'sr-Latn-RS', 'iw', 'ja-JP', 'ko', '*', '*, de;q=0.5', '*;q=0.9, fr;q=0.5', 'de-AT, fr;q=0.9'],
  ...['fr;q=0.5, de;q=0.4', 'de;q=0.4, fr;q=0.4', 'es, de;q=0.4', 'en, de;q=0.5', 'fr, en;q=0.9, de;q=0.5'],
  ...['en-GB;q=0.1, sv', 'de;q=0', 'fr, de;q=0', 'de, de-CH;q=0', 'de-AT, de;q=0', 'fr, *;q=0', 'de-AT, *;q=0'],
  ...['de, en;q=0, fr;q=0.1', 'de;q=0.000, fr;q=0.001', 'de;q=x', 'de;q=2, fr', 'de;q=-1, fr', 'DE ; Q=0.5 , fr;q=0.4'],
  ...[
    ',,;',
    'german',
    'x-private, i-klingon, de-a-b, fr',
    'de_AT, fr',
    `fr, ${'aa, '.repeat(1000)}de`,
    'x'.repeat(1001),
  ],
  [...Array.from({ length: 20 }, (_, index) => `a${String.fromCharCode(97 + index)}`), 'de;q=0.9'].join(),
];

const words = [
  ...['Senior Accountant (payroll)', 'R&D', 'C++ developer', 'Level 12', 'Élève ingénieur', 'Straßenbau', 'İstanbul'],
  ...[
    'ısı',
    'Łódź',
    'Ærø',
    'Οδός',
    'Ёлка',
    'ﬁnance',
    'Ｆｕｌｌ',
    'שָׁלוֹם',
    'مُدَرِّس',
    'soft\u00adware',
    '東京都庁',
    'IT部門',
  ],
  ...['正社員（フルタイム）', 'ﾊﾟｰﾄﾀｲﾑ', 'はす', 'ผู้จัดการฝ่ายขาย', 'ຜູ້ຈັດການ', '한국 지사', '𠮷野', 'Zoë'],
].map((label, index) => ({ value: `W${index}`, label }));

const searches = [
  ...[
    'acc sen',
    'count',
    'acc junior',
    'pay',
    'r&d',
    '++',
    '1',
    '2',
    'eleve INGE',
    'élè',
    'STRASSEN',
    'straß',
    'istanbul',
  ],
  ...[
    'ISI',
    'lodz',
    'aero',
    'οδοσ',
    'ΟΔΟΣ',
    'елка',
    'fin',
    'full',
    'שלום',
    'مدرس',
    'software',
    '都',
    '京都',
    '庁東',
    'it',
  ],
  ...[
    '部',
    't',
    'タイム',
    '社 正',
    'パート',
    'ば',
    'ขาย',
    'ຈັດການ',
    '지사',
    '野',
    'Zoe\u0308',
    '   ',
    '-',
    '\u0301',
    '%',
    '\u0007',
  ],
];

const dated = [
  { value: 'ALWAYS', label: 'Always' },
  { value: 'FROM', label: 'From a day', validFrom: '2998-05-10' },
  { value: 'UNTIL', label: 'Until a day', validTo: '2998-05-20' },
  { value: 'ONE_DAY', label: 'On a day', validFrom: '2998-05-10', validTo: '2998-05-10' },
  { value: 'OVER', label: 'Over', validTo: '2020-01-31', parents: { country: ['FR'] } },
  { value: 'LATER', label: 'Later', validFrom: '2998-05-10', parents: { country: ['FR'] } },
  { value: 'RETIRED', label: 'Retired', validFrom: '2998-05-10', retired: true, replacedBy: 'LATER' },
];

const days = [
  '2998-05-09',
  '2998-05-10',
  '2998-05-11',
  '2998-05-20',
  '2998-05-21',
  '2998-02-29',
  '2998-5-9',
  '998-05-09',
  '1970-01-01',
];

describe('it answers like the real service', () => {
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
      { value: 'KOPENICK', label: 'Köpenick', codes: { sap: 'Kö' } },
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
    await keeping.apply('tongue', tongues);
    const [{ labels: titles } = {}, { labels: descriptions } = {}, { labels: others } = {}] = tongues;
    await keeping.change('PATCH', 'tongue', '', { title: 'Tongue', titles, description: 'Languages', descriptions });
    await keeping.change('PATCH', 'country', '', { title: 'Country', titles: others, descriptions: titles });
    await keeping.apply('word', words);
    await keeping.apply('dated', dated);
    const lists: Record<string, TestItem[]> = {};
    const kept: Record<string, TestTitle> = {};
    for (const name of Object.keys(await real.lookups())) {
      const response = await real.request(`/admin/lookups/${name}`);
      const { items, title, ...settings } = (await response.json()) as List & Nullable<TestTitle>;
      // The title of every other list is its name.
      if (title !== name) kept[name] = { title, ...withoutNulls<Omit<TestTitle, 'title'>>(settings) };
      lists[name] = items.map(({ id: _, status, value, label, ...item }) => {
        return {
          value,
          label,
          ...withoutNulls<Omit<TestItem, 'value' | 'label'>>(item),
          isRetired: status === 'retired',
        };
      });
    }
    simulated = createTestFrontdesk({ lists, titles: kept, person: await real.me() });
  });
  afterAll(() => desk.stop());

  type Call = (client: Client) => Promise<unknown>;
  const named = <T>(what: string, cases: readonly T[], callOf: (given: T) => Call): Record<string, Call> =>
    Object.fromEntries(cases.map((given) => [`${what} ${JSON.stringify(given).slice(0, 80)}`, callOf(given)]));
  const notValues = ['not a value', 'a', 'A__B', 'A_', '_A', '1A', 'Ä', 'A'.repeat(65), 'a'.repeat(65), ' A', 'A\n'];
  const stored = ['ACCOUNTANT', 'MARKETING_MANAGER', 'SALES_MANAGER', 'IT_MANAGER', 'NOBODY'];
  const calls: Record<string, Call> = {
    'the person': (client) => client.me(),
    'a list': (client) => client.lookup('position'),
    'another list': (client) => client.lookup('employee-level'),
    'a list in another language': (client) => client.lookup('position', { language: 'de-AT' }),
    'a list with values that a form has stored': (client) => client.lookup('position', { include: stored }),
    'a list on a later day': (client) => client.lookup('position', { asOf: '2999-12-31' }),
    'a list on an earlier day': (client) => client.lookup('position', { asOf: '2019-12-31' }),
    'all lists': (client) => client.lookups(),
    'all lists in another language': (client) => client.lookups({ language: 'de' }),
    'titles of lists': (client) => client.titles(),
    'the label of a retired value': (client) => client.label('position', 'MARKETING_MANAGER'),
    'stored values': (client) => client.validate({ position: stored, 'no-such-list': 'X', 'employee-level': 'LEAD' }),
    'a stored value whose replacement is replaced': (client) => client.validate({ position: 'SOFTWARE_DEVELOPER' }),
    'stored values in another language': (client) => client.validate({ position: stored }, { language: 'de' }),
    'no stored value': (client) => client.validate({}),
    'items for a country': (client) => client.lookup('office', { where: { country: 'FR' } }),
    'items for two countries': (client) => client.lookup('office', { where: { country: ['FR', 'DE'] } }),
    'items for the replacement of a country': (client) => client.lookup('office', { where: { country: 'DE' } }),
    'items for a country that was replaced': (client) => client.lookup('office', { where: { country: 'FRG' } }),
    'by a list it does not depend on': (client) => client.lookup('office', { where: { position: 'ACCOUNTANT' } }),
    'by a list that does not exist': (client) => client.lookup('office', { where: { planet: 'MARS' } }),
    'by a tag': (client) => client.lookup('office', { tag: 'big' }),
    'by two tags': (client) => client.lookup('office', { tag: ['big', 'old'] }),
    'by a code': (client) => client.lookup('office', { code: { sap: 'B:1' } }),
    'by a code that no item has': (client) => client.lookup('office', { code: { sap: 'B' } }),
    'by the beginning of a word': (client) => client.lookup('office', { q: 'MIT' }),
    'by the middle of a word': (client) => client.lookup('office', { q: 'itte' }),
    'by two words': (client) => client.lookup('office', { q: 'mitte ber' }),
    'by a word with an accent': (client) => client.lookup('office', { q: 'kol', language: 'de' }),
    'by a character of a script without spaces': (client) => client.lookup('office', { q: '京' }),
    'by nothing': (client) => client.lookup('office', { q: '' }),
    'with fields': (client) => client.lookup('office', { fields: extraFields }),
    'with one field': (client) => client.lookup('office', { fields: ['description'] }),
    'the first two': (client) => client.lookup('office', { limit: 2 }),
    'the first one and a stored one': (client) => client.lookup('office', { limit: 1, include: ['BONN', 'BERLIN'] }),
    'filtered, and a stored one': (client) => client.lookup('office', { where: { country: 'FR' }, include: ['BONN'] }),
    'too few': (client) => client.lookup('office', { limit: 0 }),
    'too many': (client) => client.lookup('office', { limit: 1001 }),
    'stored values that fit their parents': (client) => client.validate({ office: 'BERLIN', country: ['DE'] }),
    'stored values that fit their parents through a replacement': (client) =>
      client.validate({ office: ['KIEL', 'BERLIN'], country: 'FRG' }),
    'stored values that do not fit their parents': (client) =>
      client.validate({ office: ['BERLIN', 'HOME', 'BONN'], country: 'FR' }),
    'a list that does not exist': (client) => client.lookup('no-such-list'),
    'an invalid date': (client) => client.lookup('position', { asOf: 'tomorrow' }),
    'a path that does not exist': (client) => client.request('/no/such/path'),
    'a list that does not exist, with a wrong limit': (client) => client.lookup('no-such-list', { limit: 0 }),
    'a list that does not exist, by a list that does not exist': (client) =>
      client.lookup('no-such-list', { where: { planet: 'MARS' } }),
    'a name that no list can have': (client) => client.lookup('No such/list'),
    'malformed values': (client) => client.lookup('office', { include: notValues }),
    'more values than may be included': (client) => client.lookup('office', { include: Array(101).fill('BERLIN') }),
    'with a malformed value in where': (client) => client.lookup('office', { where: { country: notValues } }),
    'with a malformed list in where': (client) => client.lookup('office', { where: { 'No list': 'DE', DE: 'DE' } }),
    'by malformed tags': (client) => client.lookup('office', { tag: ['-a', 'a b', 'a'.repeat(51), ' '] }),
    'by more tags than a request takes': (client) => client.lookup('office', { tag: Array(21).fill('big') }),
    'by a malformed system': (client) => client.lookup('office', { code: { 'a b': 'x' } }),
    'by a system that is too long': (client) => client.lookup('office', { code: { ['a'.repeat(51)]: 'x' } }),
    'by a code that is too long': (client) => client.lookup('office', { code: { sap: 'x'.repeat(148) } }),
    'by two codes': (client) => client.lookup('office', { code: { sap: 'B:1', workday: 'B:1' } }),
    'by a code with an accent': (client) => client.lookup('office', { code: { sap: 'Ko\u0308' } }),
    'by more text than may be searched for': (client) => client.lookup('office', { q: 'a'.repeat(101) }),
    'with a field that does not exist': (client) => client.lookup('office', { fields: ['color' as 'tags'] }),
    'several faults': (client) =>
      client.lookup('office', { q: 'a'.repeat(101), limit: 1.5, asOf: 'x', tag: '-', include: ['x'] }),
    'labels of malformed values': (client) => Promise.all(notValues.map((text) => client.label('position', text))),
    'malformed stored values': (client) => client.validate({ position: [...notValues, '\u0007', '\ud800', 'E\u0301'] }),
    'more stored values than a request takes': (client) => client.validate({ position: Array(1001).fill('X') }),
    'a stored value that is not text': (client) =>
      client.validate({ position: ['X', null as never], office: null as never }),
    'stored values with validity dates': (client) =>
      client.validate({ dated: [...dated.map(({ value }) => value), 'FROM'], country: 'DE', constructor: 'X' }),
    'no parent value': (client) => client.validate({ office: 'BERLIN', country: [] }),
    ...named('the list on', days, (asOf) => (client) => client.lookup('dated', { asOf, include: ['RETIRED'] })),
    ...named('labels for', languages, (language) => async (client) => [
      await client.lookup('tongue', { language }),
      await client.lookup('tongue', { language, include: ['C'], limit: 1 }),
      await client.lookups({ language }),
      await client.titles({ language }),
      await client.validate({ tongue: tongues.map(({ value }) => value) }, { language }),
    ]),
    ...named('by the words', searches, (q) => (client) => client.lookup('word', { q })),
  };

  test.each(Object.keys(calls))('%s', async (name) => {
    const call = calls[name] ?? (() => Promise.reject(new Error('there is no such call')));
    const expected = await outcome(call(real));
    expect(await outcome(call(simulated))).toEqual(expected);
  });

  test('an unchanged list is answered with 304', async () => {
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

test.each(testProblems)("%s has the same text as the service's problem", async (code) => {
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

describe('the controls', () => {
  const lists = { position: [{ value: 'ACCOUNTANT', label: 'Accountant' }] };
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: FrontdeskError) => error.code,
    );

  test('nobody is signed in before someone signs in, or after they sign out', async () => {
    const reasons: string[] = [];
    const frontdesk = createTestFrontdesk({ lists, person: null, onSignedOut: (reason) => reasons.push(reason) });
    expect([await frontdesk.resume(), await codeOf(frontdesk.me())]).toEqual([false, 'unauthorized']);
    expect(await frontdesk.signIn({ popup: true })).toBe('signed-in');
    expect((await frontdesk.lookup('position')).length).toBe(1);
    await frontdesk.signOut();
    expect([frontdesk.isSignedIn(), reasons]).toEqual([false, ['not-signed-in', 'signed-out']]);
  });

  test('the test can end the session, sign the person in again, and sign another person in', async () => {
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

  test('faults happen as often as requested, and only at the requested paths', async () => {
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

  test('the test can answer other requests of the application', async () => {
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
  const [components = ''] = form.split('\nconst page = createRoot(');
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
