// Writing lists as a file and applying that file changes nothing.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { isThorough } from '../../../test/support/thorough.ts';
import { Pauses } from '../../base/pauses.ts';
import type { ListValues } from '../changing/parents.ts';
import { planLists } from '../changing/plan-document.ts';
import { blankItem, type KeptItem } from '../rules/item.ts';
import { type KeptList, noSettings } from '../rules/list.ts';
import { Description, Label } from '../stored/fields.schema.ts';
import { readDocument } from './read-document.ts';
import { writeDocument, writeYaml } from './write-document.ts';

/** Texts that a format could misread. */
const odd = fc.constantFrom(
  ...[
    '=1+1',
    '+1',
    '-1',
    '@x',
    "'=x",
    "''",
    '"',
    'a;b',
    'a,b',
    'a\u00a0b',
    'no',
    'NO',
    'y',
    'Yes',
    'null',
    '~',
    'true',
  ],
  ...[
    '1e3',
    '0x1F',
    '010',
    '1_000',
    '12:30:00',
    '2027-01-01',
    '.5',
    '.inf',
    '1.',
    '<<',
    '- a',
    '? a',
    'a: b',
    'a #b',
    '#a',
  ],
  ...['*x', '&x', '!x', '%x', '|', '>', '{a}', '[a]', '`a', 'a:', ':a', '---', '...', 'A. B', "it's", 'x'.repeat(200)],
  ...['مرحبا', '\u2067مرحبا\u2069', '日本', '😀', 'e\u0301', '\ufeffa', 'a\u200db', '\u00adx', 'C++ & C# (x/y)', "'-5"],
);
const lineOf = (schema: typeof Label) =>
  fc
    .oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 10 }), odd)
    .map((text) => schema.safeParse(text).data ?? 'Plain');
const line = lineOf(Label);
const word = fc.constantFrom(
  'a',
  'B2',
  'no',
  'true',
  '2024',
  '2027-01-31',
  '1_0',
  '1e5',
  'x.y',
  'a-b',
  'A_B',
  '0x10',
  '007',
  'null',
  '1.5',
);
const value = fc.constantFrom('A', 'NO', 'ON', 'Y', 'TRUE', 'NULL', 'A_1', 'DE', 'E5', 'X'.repeat(64));
const role = fc.constantFrom('HR', 'no', 'LOOKUP_ADMIN', '2024', 'Über uns');
const date = fc.constantFrom(null, '2026-01-31', '2027-01-01');
const some = <T>(of: fc.Arbitrary<T>) => fc.uniqueArray(of, { maxLength: 4 }).map((found) => found.toSorted());
const someOf = <T>(of: fc.Arbitrary<T>) => some(of).filter(({ length }) => length > 0);

const labels = fc.dictionary(fc.constantFrom('de', 'no', 'pt-BR', 'zh-Hant', 'en'), line, { maxKeys: 3 });

const item = fc.record({
  value,
  label: line,
  labels,
  sortOrder: fc.oneof(fc.integer(), fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0)),
  validFrom: date,
  description: fc.option(lineOf(Description)),
  codes: fc.dictionary(
    word,
    line.filter((text) => text.length <= 100),
    { maxKeys: 3 },
  ),
  tags: some(word),
  parents: fc.dictionary(fc.constantFrom('country', 'no', 'legal-entity'), someOf(value), { maxKeys: 2 }),
  isRetired: fc.boolean(),
});

/** An active item with only the required fields. */
const plainItem = fc.record({ value, label: line, sortOrder: fc.nat() }).map((each) => ({
  ...each,
  ...{ labels: {}, validFrom: null, description: null, codes: {}, tags: [], parents: {}, isRetired: false },
}));

const keptList = fc
  .record({
    title: line,
    titles: labels,
    description: fc.option(lineOf(Description)),
    descriptions: labels,
    readers: fc.option(someOf(role)),
    keepers: fc.option(someOf(role)),
    archived: fc.boolean(),
    version: fc.integer({ min: 1, max: 1e6 }),
    items: fc.uniqueArray(fc.oneof(item, plainItem), { selector: ({ value }) => value, minLength: 1, maxLength: 6 }),
  })
  .map(({ items, ...settings }): KeptList => {
    const kept = items.map(
      ({ isRetired, ...each }, index): KeptItem => ({
        ...each,
        // A code must be unique within its system.
        codes: Object.fromEntries(Object.entries(each.codes).map(([system, code]) => [`${system}${index}`, code])),
        id: index + 1,
        validTo: each.validFrom,
        status: isRetired ? 'retired' : 'active',
        retiredAt: isRetired ? '2026-01-01T00:00:00.000Z' : null,
        replacedBy: isRetired && index > 0 ? (items[0]?.value ?? null) : null,
      }),
    );
    return { ...settings, list: 'of-all', items: kept };
  });

const known: ListValues = new Map(
  ['country', 'no', 'legal-entity'].map((list) => [
    list,
    new Set(['A', 'NO', 'ON', 'Y', 'TRUE', 'NULL', 'A_1', 'DE', 'E5', 'X'.repeat(64)]),
  ]),
);

async function planned(text: string, format: 'yaml' | 'json' | 'csv', list: KeptList): Promise<unknown> {
  const { document } = readDocument(new TextEncoder().encode(text), format);
  const { answer } = await planLists(document, [list], { known, firstId: 1, now: new Date(0) });
  return answer;
}

test.each(['yaml', 'csv'] as const)('applying a list that was written as %s changes nothing', async (format) => {
  await fc.assert(
    fc.asyncProperty(keptList, async (list) => {
      expect(await planned(await writeDocument([list], format, true), format, list)).toEqual({
        changes: [],
        counts: {},
      });
    }),
    { numRuns: isThorough ? 500 : 80 },
  );
});

test('a plain item is written with only the required fields', async () => {
  const items = ['active', 'retired'].map((label, index) => ({
    id: index,
    ...blankItem(label.toUpperCase(), label, index * 10),
  }));
  const list: KeptList = { list: 'a', ...noSettings, title: 'A', version: 1, items };
  expect(Bun.YAML.parse(await writeDocument([list], 'yaml', false))).toEqual({
    lists: {
      a: {
        title: 'A',
        items: [
          { value: 'ACTIVE', label: 'active', sortOrder: 0 },
          { value: 'RETIRED', label: 'retired', sortOrder: 10 },
        ],
      },
    },
  });
  expect((await writeDocument([list], 'csv', false)).split(/\r?\n/)).toEqual([
    '\ufefflist,value,label,sortOrder,validFrom,validTo,retired,replacedBy,description,tags',
    'a,ACTIVE,active,0,,,,,,',
    'a,RETIRED,retired,10,,,,,,',
    '',
  ]);
});

test.each(['yaml', 'csv'] as const)('in %s, a system can have the name of an inherited property', async (format) => {
  const items = [{}, { constructor: 'c' }].map((codes, index) => ({
    ...{ id: index, ...blankItem(`V${index}`, 'x', index) },
    codes,
  }));
  const list: KeptList = { list: 'a', ...noSettings, title: 'A', version: 1, items };
  expect(await planned(await writeDocument([list], format, true), format, list)).toEqual({ changes: [], counts: {} });
});

test('YAML with every field is read by another parser with the same result', async () => {
  await fc.assert(
    fc.asyncProperty(keptList, async (list) => {
      const text = await writeDocument([list], 'yaml', true);
      expect(await planned(JSON.stringify(Bun.YAML.parse(text)), 'json', list)).toEqual({ changes: [], counts: {} });
    }),
    { numRuns: isThorough ? 200 : 40 },
  );
});

test('YAML 1.1 parsers read every text as a string', async () => {
  const text = fc.oneof(odd, fc.stringMatching(/^[+.-]?\d[\d.:_+-]{0,7}$/));
  const content = fc.record({ label: text, more: fc.dictionary(word, text), tags: someOf(text) });
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1 }), async (items) => {
      const written = await writeYaml([{ name: 'a', head: { title: 'A', version: 1 }, items }], new Pauses());
      expect(parse(written, { version: '1.1' })).toEqual({ lists: { a: { title: 'A', version: 1, items } } });
    }),
    { numRuns: isThorough ? 2000 : 200 },
  );
});

test('a lone = is always quoted, because YAML 1.1 parsers do not read it as a string', async () => {
  const head = { title: '=', readers: ['='] };
  const items = [{ label: '=', labels: { de: '=' } }, { label: '=1' }];
  expect(await writeYaml([{ name: 'a', head, items }], new Pauses())).not.toMatch(/[:-] =$/m);
});

test('shared content is written twice, without an alias, and zero has no sign', async () => {
  const same = ['A'];
  const items = [{ sortOrder: [0, 0.5][0], tags: same, parents: { country: same } }];
  const written = await writeYaml([{ name: 'a', head: { title: 'A' }, items }], new Pauses());
  const item = ['- sortOrder: 0', '  tags:', '    - A', '  parents:', '    country:', '      - A'];
  expect(written).toEndWith(`${item.join('\n      ')}\n`);
});
