// The order of a list and its Content-Language, wherever a list is returned.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { bearer, type Frontdesk } from '../support/frontdesk.ts';
import { type Item, type ListKeeping, startListKeeping } from '../support/lists.ts';
import { runToEnd } from '../support/process.ts';

let desk: Frontdesk;
let token: string;
let keeping: ListKeeping;
beforeAll(async () => {
  const started = await startListKeeping();
  ({ desk, token } = started);
  keeping = started;
});
afterAll(() => desk.stop());

const ask = (path: string, language = '') => desk.get(path, { ...bearer(token), 'accept-language': language });
const labelsIn = async (path: string, language?: string) =>
  ((await (await ask(path, language)).json()) as Item[]).map(({ label }) => label);

describe('items with the same sortOrder', () => {
  const ties = { sortOrder: 10 };
  beforeAll(() =>
    // These items are neither in the order of any of these languages nor in the order of their code units.
    keeping.apply('ties', [
      { ...ties, value: 'D', label: 'beta', labels: { de: 'Öl', sv: 'Öl' } },
      { ...ties, value: 'C', label: 'Zoo', labels: { de: 'Ast', sv: 'Zebra' } },
      { ...ties, value: 'B', label: 'Ähre', labels: { de: 'Zug', sv: 'Ärt' } },
      { ...ties, value: 'E', label: 'Alpha', labels: { de: 'Uhr', sv: 'Ankare' } },
      { ...ties, value: 'A2', label: 'Twin' },
      { ...ties, value: 'A1', label: 'Twin' },
      { sortOrder: 5, value: 'FIRST', label: 'Zzz' },
    ]),
  );
  const plain = ['FIRST', 'B', 'E', 'D', 'A1', 'A2', 'C'];

  test.each([
    ['en', ['Zzz', 'Ähre', 'Alpha', 'beta', 'Twin', 'Twin', 'Zoo']],
    ['de', ['Zzz', 'Ast', 'Öl', 'Twin', 'Twin', 'Uhr', 'Zug']],
    // In Swedish, ä and ö come after z.
    ['sv', ['Zzz', 'Ankare', 'Twin', 'Twin', 'Zebra', 'Ärt', 'Öl']],
  ])('are sorted by the label shown, as %s sorts, in every answer', async (language, labels) => {
    expect(await labelsIn('/employee/ties', language)).toEqual(labels);
    expect(await labelsIn('/employee/ties?asOf=2030-01-01', language)).toEqual(labels);
    expect(await labelsIn('/employee/ties?include=E', language)).toEqual(labels);
    const all = (await (await ask('/lookups', language)).json()) as Record<string, Item[]>;
    expect(all.ties?.map(({ label }) => label)).toEqual(labels);
  });

  test('and by value if the labels are the same', async () => {
    const items = (await (await ask('/employee/ties')).json()) as Item[];
    expect(items.map(({ value }) => value)).toEqual(plain);
  });

  test('are in the order of their plain labels for keepers, also in files', async () => {
    expect((await keeping.read('ties')).items.map(({ value }) => value)).toEqual(plain);
    const added = await keeping.change('POST', 'ties', '/items', { ...ties, value: 'LAST_ADDED', label: 'Anchor' });
    expect(added.items.map(({ value }) => value)).toEqual(['FIRST', 'B', 'E', 'LAST_ADDED', 'D', 'A1', 'A2', 'C']);
    await keeping.change('POST', 'ties', '/undo', { version: 1 });

    // A retired item keeps its place among the others.
    const inFiles = ['FIRST', 'B', 'E', 'LAST_ADDED', 'D', 'A1', 'A2', 'C'];
    const valuesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value);
    for (const [type, pattern] of [
      ['application/yaml', /- value: (\w+)/g],
      ['text/csv', /^ties,(\w+)/gm],
    ] as const) {
      const response = await desk.get('/admin/lookups/ties', { ...bearer(token), accept: type });
      expect(valuesIn(await response.text(), pattern)).toEqual(inFiles);
      const format = type === 'text/csv' ? 'csv' : 'yaml';
      const exported = await runToEnd(['lookups', 'export', 'ties', '--format', format], desk.commandEnv, desk.folder);
      expect(valuesIn(exported.stdout, pattern)).toEqual(inFiles);
    }
  });

  test('stay in place when that order is written', async () => {
    const { items } = await keeping.read('ties');
    const values = items.filter(({ status }) => status === 'active').map(({ value }) => value);
    const before = await labelsIn('/employee/ties');
    await keeping.change('PUT', 'ties', '/order', { values });
    expect(await labelsIn('/employee/ties')).toEqual(before);
  });
});

describe('Content-Language', () => {
  const languageOf = async (path: string, language: string) =>
    (await ask(path, language)).headers.get('content-language');
  beforeAll(async () => {
    await keeping.apply('tongues', [
      { value: 'A', label: 'Plain' },
      { value: 'B', label: 'Gone', labels: { fr: 'Parti', 'de-CH': 'Fort' }, retired: true },
      { value: 'C', label: 'Later', labels: { it: 'Dopo', de: 'Später' }, validFrom: '2030-01-01' },
      { value: 'D', label: 'Now', labels: { es: 'Ahora' } },
    ]);
  });

  test.each([
    ['/employee/tongues', 'es', 'es'],
    ['/employee/tongues', 'fr', null],
    ['/employee/tongues', 'it', null],
    ['/employee/tongues', 'en', null],
    ['/employee/tongues?include=B', 'fr', 'fr'],
    ['/employee/tongues?include=A', 'fr', null],
    ['/employee/tongues?asOf=2030-01-01', 'it', 'it'],
    ['/employee/tongues?asOf=2029-12-31', 'it', null],
    // On that day, the list has no label in de-CH, only in the more general de.
    ['/employee/tongues?asOf=2030-01-01', 'de-CH', 'de'],
    ['/employee/tongues?asOf=2030-01-01&include=B', 'de-CH', 'de-CH'],
    ['/lookups', 'es', 'es'],
    ['/lookups', 'fr', null],
    ['/lookups', 'it', null],
  ])('of %s for somebody who wants %s is %p', async (path, language, expected) => {
    const response = await ask(path, language);
    expect([response.status, response.headers.get('content-language')]).toEqual([200, expected]);
    const etag = response.headers.get('etag') ?? '';
    const again = await desk.get(path, { ...bearer(token), 'accept-language': language, 'if-none-match': etag });
    expect([again.status, again.headers.get('content-language')]).toEqual([304, expected]);
  });

  test('appears and disappears with the translations', async () => {
    await keeping.change('POST', 'tongues', '/items/D/retire', {});
    expect(await languageOf('/employee/tongues', 'es')).toBeNull();
    expect(await languageOf('/lookups', 'es')).toBeNull();
    await keeping.change('POST', 'tongues', '/items/D/restore', {});
    expect(await languageOf('/employee/tongues', 'es')).toBe('es');
  });
});

describe('the label of each item is chosen separately by Accept-Language', () => {
  const order = (sortOrder: number, value: string, labels: Record<string, string>) => {
    return { sortOrder, value, label: `plain ${value}`, labels };
  };
  beforeAll(() =>
    keeping.apply('mixed', [
      order(1, 'A', { de: 'a de', fr: 'a fr', 'en-GB': 'a en-GB' }),
      order(2, 'B', { fr: 'b fr', en: 'b en', 'pt-BR': 'b pt-BR' }),
      order(3, 'C', { 'zh-Hant': 'c zh-Hant', 'zh-Hans': 'c zh-Hans', 'de-CH': 'c de-CH', 'en-US': 'c en-US' }),
      order(4, 'D', {}),
    ]),
  );

  test.each([
    ['de', ['a de', 'plain B', 'c de-CH', 'plain D'], 'de'],
    ['de, fr;q=0.5', ['a de', 'b fr', 'c de-CH', 'plain D'], 'de'],
    ['fr, de;q=0.5', ['a fr', 'b fr', 'c de-CH', 'plain D'], 'fr'],
    ['fr, en;q=0.9, de;q=0.5', ['a fr', 'b fr', 'plain C', 'plain D'], 'fr'],
    ['fr;q=0.1, de-AT', ['a de', 'b fr', 'c de-CH', 'plain D'], 'de'],
    ['zh-TW', ['plain A', 'plain B', 'c zh-Hant', 'plain D'], 'zh-Hant'],
    ['zh', ['plain A', 'plain B', 'c zh-Hans', 'plain D'], 'zh-Hans'],
    ['pt', ['plain A', 'b pt-BR', 'plain C', 'plain D'], 'pt-BR'],
    ['en-US', ['plain A', 'b en', 'c en-US', 'plain D'], 'en-US'],
    ['en-GB, de', ['a en-GB', 'b en', 'plain C', 'plain D'], 'en-GB'],
    ['en', ['plain A', 'b en', 'plain C', 'plain D'], 'en'],
    ['it', ['plain A', 'plain B', 'plain C', 'plain D'], null],
    ['*', ['plain A', 'plain B', 'plain C', 'plain D'], null],
    ['fr, de;q=0', ['a fr', 'b fr', 'plain C', 'plain D'], 'fr'],
  ])('%s', async (wanted, labels, language) => {
    for (const path of ['/employee/mixed', '/employee/mixed?include=A', '/employee/mixed?asOf=2030-01-01']) {
      const response = await ask(path, wanted);
      expect([path, response.headers.get('content-language')]).toEqual([path, language]);
      expect(((await response.json()) as Item[]).map(({ label }) => label)).toEqual(labels);
    }
    const all = (await (await ask('/lookups', wanted)).json()) as Record<string, Item[]>;
    expect(all.mixed?.map(({ label }) => label)).toEqual(labels);
  });

  test('headers with the same result get the same document, with the same ETag', async () => {
    const tagOf = async (path: string, wanted: string) => (await ask(path, wanted)).headers.get('etag');
    for (const path of ['/employee/mixed', '/employee/mixed?include=A', '/lookups']) {
      const same = ['de, fr', 'de-DE, it, fr;q=0.3, en;q=0.1', 'xx, de;q=0.9, fr-CH;q=0.8, *;q=0.1', 'DE,FR'];
      const tags = new Set(await Promise.all(same.map((wanted) => tagOf(path, wanted))));
      expect([path, tags.size, tags.has(await tagOf(path, 'fr, de'))]).toEqual([path, 1, false]);
    }
  });

  test('a combination that was not prepared is compressed and revalidated like any other', async () => {
    const headers = { ...bearer(token), 'accept-language': 'fr, de', 'accept-encoding': 'gzip' };
    const response = await desk.get('/employee/mixed', headers);
    const etag = response.headers.get('etag') ?? '';
    expect([response.headers.get('content-encoding'), etag]).toEqual(['gzip', expect.stringMatching(/-gzip"$/)]);
    expect((await desk.get('/employee/mixed', { ...headers, 'if-none-match': etag })).status).toBe(304);
  });

  test('thousands of different headers are answered, and the list is still correct after them', async () => {
    const tags = ['de', 'fr', 'en', 'pt', 'zh', 'it', 'nl'];
    for (let round = 0; round < 20; round++) {
      const wanted = (number: number) =>
        tags.map((tag, index) => `${tag}-x${number};q=0.${1 + ((number * (index + 3)) % 9)}`);
      const asked = Array.from({ length: 100 }, (_, index) =>
        ask('/employee/mixed', wanted(round * 100 + index).join()),
      );
      expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect(await labelsIn('/employee/mixed', 'x'.repeat(4000))).toEqual(['plain A', 'plain B', 'plain C', 'plain D']);
    expect(await labelsIn('/employee/mixed', 'de')).toEqual(['a de', 'plain B', 'c de-CH', 'plain D']);
  });
});

describe('the title and the description of each list are chosen separately by Accept-Language', () => {
  const lists = {
    grade: {
      title: 'Grade',
      titles: { de: 'Stufe', fr: 'Échelon', 'en-GB': 'Pay grade' },
      description: 'How much',
      descriptions: { 'de-CH': 'Wie viel', fr: 'Combien' },
    },
    // This list has the same name as the last segment of the route `/lookups/titles`, to show that the two do not clash.
    titles: { title: 'Titles', descriptions: { de: 'Vor dem Namen', 'zh-Hant': '名前' } },
    // The list is archived and not in the answer, so Italian is never in Content-Language.
    gone: { title: 'Gone', titles: { it: 'Andato' }, archived: true },
  };
  const texts = async (language: string) => {
    const response = await ask('/lookups/titles', language);
    const { grade, titles, ...others } = (await response.json()) as Record<string, unknown>;
    return { grade, titles, others: Object.keys(others), language: response.headers.get('content-language') };
  };
  const shown = (title: string, description: string | null) => ({ title, description });
  let others: string[];
  beforeAll(async () => {
    others = Object.keys((await (await ask('/lookups')).json()) as object);
    expect((await keeping.send('POST', '/apply', { lists })).status).toBe(200);
  });

  test.each([
    ['', shown('Grade', 'How much'), null, null],
    ['de', shown('Stufe', 'Wie viel'), 'Vor dem Namen', 'de'],
    ['de-CH', shown('Stufe', 'Wie viel'), 'Vor dem Namen', 'de-CH'],
    ['fr, de;q=0.5', shown('Échelon', 'Combien'), 'Vor dem Namen', 'fr'],
    ['en-GB, de', shown('Pay grade', 'How much'), null, 'en-GB'],
    ['en-US, de', shown('Grade', 'How much'), null, null],
    ['zh-TW', shown('Grade', 'How much'), '名前', 'zh-Hant'],
    ['it', shown('Grade', 'How much'), null, null],
    ['fr, de;q=0', shown('Échelon', 'Combien'), null, 'fr'],
  ])('%p', async (wanted, grade, description, language) => {
    expect(await texts(wanted)).toEqual({ grade, titles: shown('Titles', description), others, language });
  });

  test('with an ETag that changes with the texts in this language, not with items or other languages', async () => {
    const inFrench = { ...bearer(token), 'accept-language': 'fr' };
    const { headers } = await desk.get('/lookups/titles', inFrench);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, no-cache',
      expect.stringContaining('Accept-Language'),
    ]);
    const revalidate = async () => {
      const again = await desk.get('/lookups/titles', { ...inFrench, 'if-none-match': headers.get('etag') ?? '' });
      return [again.status, again.headers.get('content-language')];
    };
    expect(await revalidate()).toEqual([304, 'fr']);
    await keeping.change('POST', 'grade', '/items', { value: 'A', label: 'A', labels: { fr: 'A' } });
    await keeping.change('PATCH', 'grade', '', { titles: { de: null } });
    expect(await revalidate()).toEqual([304, 'fr']);
    await keeping.change('PATCH', 'grade', '', { titles: { fr: null } });
    expect(await revalidate()).toEqual([200, 'fr']);
  });
});

test('all lists in one answer have one ETag, the same in every process at any time', async () => {
  const tagOf = async () => (await ask('/lookups')).headers.get('etag');
  await keeping.apply('a-list-that-came-last', [{ value: 'A', label: 'A' }]);
  const before = await tagOf();
  desk = await desk.restart();
  expect(await tagOf()).toBe(before);
});
