// Item fields beyond the label: codes, tags, a description, parents. No field is lost in any format, and invalid fields are
// refused with the reason.
import { beforeAll, describe, expect, test } from 'bun:test';
import { parse } from 'yaml';
import { type Item, startListKeeping } from '../support/lists.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);
beforeAll(async () => {
  await keeping.apply('country', [
    { value: 'DE', label: 'Germany' },
    { value: 'AT', label: 'Austria' },
    { value: 'DD', label: 'East Germany', retired: true },
  ]);
});

const full = {
  codes: { workday: 'JP-113', 'sap.hr': 'Ä 7' },
  tags: ['core', 'finance'],
  description: 'Keeps the books',
  parents: { country: ['AT', 'DE'] },
};
const none = { codes: {}, tags: [], description: null, parents: {} };
const fieldsOf = ({ codes, tags, description, parents }: Item) => ({ codes, tags, description, parents });
const kept = async (list: string, value: string) => {
  const item = (await keeping.read(list)).items.find((each) => each.value === value);
  return item && fieldsOf(item);
};
const faultsOf = async (response: Response) =>
  ((await response.json()) as { errors: { field: string; message: string }[] }).errors;

/** A list with the items A and B. */
async function make(list: string, a: object = {}, b: object = {}): Promise<void> {
  await keeping.apply(list, [
    { value: 'A', label: 'a', ...a },
    { value: 'B', label: 'b', ...b },
  ]);
}

describe('every field', () => {
  test('comes back from POST, from GET, and from the history', async () => {
    await make('posted');
    await keeping.change('POST', 'posted', '/items', { value: 'C', label: 'c', ...full });
    expect(await kept('posted', 'C')).toEqual(full);
    expect(await kept('posted', 'A')).toEqual(none);
    const [newest] = await keeping.history('posted', '?limit=1');
    expect(newest?.changes).toMatchObject([{ value: 'C', before: null, after: full }]);
  });

  test('leaves the plain list as it was', async () => {
    await make('plain', full);
    const [first] = (await (await keeping.get('/employee/plain')).json()) as object[];
    expect(first).toEqual({ id: expect.any(Number), label: 'a', value: 'A', sortOrder: 10 });
  });

  test('is merged by PATCH: keys that are left out stay, null removes one, tags are replaced', async () => {
    await make('patched', full);
    await keeping.change('PATCH', 'patched', '/items/A', { codes: { workday: null, other: 'X' }, tags: ['new'] });
    expect(await kept('patched', 'A')).toEqual({ ...full, codes: { 'sap.hr': 'Ä 7', other: 'X' }, tags: ['new'] });
    await keeping.change('PATCH', 'patched', '/items/A', { parents: { position: ['ACCOUNTANT'], country: ['DD'] } });
    await keeping.change('PATCH', 'patched', '/items/A', { description: null });
    const parents = { country: ['DD'], position: ['ACCOUNTANT'] };
    expect(await kept('patched', 'A')).toMatchObject({ description: null, parents });
    const removed = { codes: { 'sap.hr': null, other: null }, tags: [], parents: { country: null, position: null } };
    await keeping.change('PATCH', 'patched', '/items/A', removed);
    expect(await kept('patched', 'A')).toEqual(none);
  });

  test('in a different order is no change', async () => {
    await make('ordered', full);
    const again = { tags: ['finance', 'core'], parents: { country: ['DE', 'AT'] } };
    expect((await keeping.change('PATCH', 'ordered', '/items/A', again)).version).toBe(1);
  });

  test('is in the YAML file, which changes nothing when applied again, and restores everything in an empty list', async () => {
    const { tags, parents } = full;
    await make('filed', full, { tags, parents });
    const file = await (await keeping.get('/admin/lookups/filed', { accept: 'application/yaml' })).text();
    const send = (path: string, body: string) => keeping.sendText(path, 'application/yaml', body);
    expect(await (await send('plan', file)).json()).toEqual({ changes: [], counts: {} });
    const copy = file.replace('filed:', 'copied:').replace(/ *version: .*\n/, '');
    expect((await send('apply', copy)).status).toBe(200);
    expect(await kept('copied', 'A')).toEqual(full);
  });

  test('is read the same by YAML 1.1 parsers, for which NO is false', async () => {
    await keeping.apply('country', [{ value: 'NO', label: 'Norway' }]);
    const odd = {
      codes: { a: '00042', b: 'null', c: '1e3', d: 'off', e: "it's: # x", f: '0x1F', g: '2027-01-31', h: '12:30' },
      tags: ['1', 'no', 'null', 'true', 'y'],
      description: 'yes: # "no" \u2067مرحبا\u2069',
      parents: { country: ['DE', 'NO'] },
    };
    await make('norwegian', { ...odd, labels: { no: 'nei' }, validFrom: '2027-01-01' });
    const file = await (await keeping.get('/admin/lookups/norwegian', { accept: 'application/yaml' })).text();
    const read = parse(file, { version: '1.1' }) as { lists: { norwegian: { items: object[] } } };
    expect(read.lists.norwegian.items[0]).toEqual({
      value: 'A',
      label: 'a',
      sortOrder: 10,
      labels: { no: 'nei' },
      ...odd,
      validFrom: '2027-01-01',
    });
  });

  test('is merged by a document, shown in its plan, and restored by an undo', async () => {
    await make('undone', full);
    const [before] = (await keeping.read('undone')).items;
    const items = [
      {
        value: 'A',
        label: 'a',
        codes: { workday: 'JP-2' },
        tags: ['x'],
        description: null,
        parents: { country: null },
      },
    ];
    const plan = await (await keeping.send('POST', '/plan', { lists: { undone: { items } } })).json();
    const after = { codes: { 'sap.hr': 'Ä 7', workday: 'JP-2' }, tags: ['x'], description: null, parents: {} };
    expect(plan).toMatchObject({ changes: [{ kind: 'change', value: 'A', before: full, after }] });
    await keeping.apply('undone', items);
    expect(await kept('undone', 'A')).toEqual(after);
    await keeping.change('POST', 'undone', '/undo', { version: 1 });
    const [restored] = (await keeping.read('undone')).items;
    expect(restored).toEqual(before as Item);
  });
});

const twenty = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`s${index}`, 'x']));

describe('refused', () => {
  const rows: [string, object, string, RegExp][] = [
    ['a system with a space in its name', { codes: { 'a b': 'x' } }, 'codes.a b', /letters, digits/],
    ['a system without a letter at its beginning', { codes: { _x: 'x' } }, 'codes._x', /letters, digits/],
    ['a system with a long name', { codes: { ['s'.repeat(51)]: 'x' } }, `codes.${'s'.repeat(51)}`, /50 characters/],
    ['too many systems', { codes: twenty }, 'codes', /at most 20 systems/],
    ['a code that looks blank', { codes: { a: '\u3164' } }, 'codes.a', /visible/],
    ['a code with a control character', { codes: { a: 'x\u0007y' } }, 'codes.a', /control/],
    ['a long code', { codes: { a: 'x'.repeat(101) } }, 'codes.a', /100 characters/],
    ['a code that is a number', { codes: { a: 7 } }, 'codes.a', /text/],
    ['codes that are not an object', { codes: 7 }, 'codes', /systems to codes/],
    ['a tag with a space in it', { tags: ['a b'] }, 'tags.0', /letters, digits/],
    ['a long tag', { tags: ['x'.repeat(51)] }, 'tags.0', /50 characters/],
    ['a tag twice', { tags: ['a', 'b', 'a'] }, 'tags', /no duplicate tags/],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, 'tags', /at most 50 tags/],
    ['tags that are not a list', { tags: 'a' }, 'tags', /array of tags/],
    ['a long description', { description: 'x'.repeat(501) }, 'description', /500 characters/],
    ['a description of two lines', { description: 'a\nb' }, 'description', /control/],
    ['an empty description', { description: '' }, 'description', /visible/],
    ['a list that does not exist', { parents: { nowhere: ['A'] } }, 'parents.nowhere', /a list that exists/],
    ['a list with an impossible name', { parents: { Nowhere: ['A'] } }, 'parents.Nowhere', /lower-case/],
    ['the list itself', { parents: { faulty: ['B'] } }, 'parents.faulty', /a different list/],
    ['a value that does not exist', { parents: { country: ['DE', 'FR'] } }, 'parents.country', /not in that list: FR/],
    ['no values', { parents: { country: [] } }, 'parents.country', /null to remove/],
    [
      'too many values',
      { parents: { country: Array.from({ length: 201 }, (_, i) => `V${i}`) } },
      'parents.country',
      /200/,
    ],
    ['a code that another item has', { codes: { workday: 'TAKEN' } }, 'codes.workday', /already used by B/],
  ];
  beforeAll(() => make('faulty', {}, { codes: { workday: 'TAKEN' } }));

  test.each(rows)('%s, by PATCH', async (_, body, field, reason) => {
    const response = await keeping.send('PATCH', '/faulty/items/A', body, 1);
    expect(response.status).toBe(400);
    expect(await faultsOf(response)).toEqual([{ field, message: expect.stringMatching(reason) }]);
  });

  test.each(rows)('%s, in a plan', async (_, body, field, reason) => {
    const lists = { faulty: { items: [{ value: 'A', label: 'a', ...body }] } };
    const response = await keeping.send('POST', '/plan', { lists });
    expect(response.status).toBe(400);
    const place = { line: 1, column: expect.any(Number) };
    const fault = { field: `lists.faulty.items.0.${field}`, message: expect.stringMatching(reason), ...place };
    expect(await faultsOf(response)).toEqual([fault]);
  });

  test('every fault at once, with its place in the document', async () => {
    const body = `lists:
  faulty:
    items:
      - value: A
        label: a
        codes: { workday: TAKEN }
        parents:
          country: [FR]
          nowhere: [X]
      - value: C
        label: c
        codes:
          a.b: same
      - value: D
        label: d
        codes:
          other: x
          a.b: same
`;
    const response = await keeping.sendText('apply', 'application/yaml', body);
    expect(response.status).toBe(400);
    expect(await faultsOf(response)).toMatchObject([
      { field: 'lists.faulty.items.0.codes.workday', line: 6, column: 27 },
      { field: 'lists.faulty.items.0.parents.country', line: 8, column: 20 },
      { field: 'lists.faulty.items.0.parents.nowhere', line: 9, column: 20 },
      { field: 'lists.faulty.items.2.codes.a.b', message: 'is already used by C', line: 18, column: 16 },
    ]);
    expect((await keeping.read('faulty')).version).toBe(1);
  });

  test('merging to more systems or lists than an item may have', async () => {
    const systems = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`s${index}`, 'x']));
    await make('crowded', { codes: systems });
    const response = await keeping.send('PATCH', '/crowded/items/A', { codes: { more: 'x' } }, 1);
    expect(response.status).toBe(400);
    expect(await faultsOf(response)).toEqual([{ field: 'codes', message: 'must have at most 20 systems' }]);
    // One code is removed, and another one is added.
    await keeping.change('PATCH', 'crowded', '/items/A', { codes: { s0: null, more: 'x' } });
  });
});

describe('the languages of a list', () => {
  const labelsIn = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`de-v${1000 + from + index}`, 'x']));

  test('are at most 100 in all of its items, because each of them is prepared when the list changes', async () => {
    await make('many-languages', { labels: labelsIn(0, 60) }, { labels: labelsIn(50, 100) });
    const fault = { field: 'labels', message: 'would give the list more than 100 languages' };
    const add = { value: 'C', label: 'c', labels: labelsIn(100, 101) };
    const added = await keeping.send('POST', '/many-languages/items', add, 1);
    expect([added.status, await faultsOf(added)]).toEqual([400, [fault]]);
    const changed = await keeping.send('PATCH', '/many-languages/items/A', { labels: labelsIn(100, 101) }, 1);
    expect([changed.status, await faultsOf(changed)]).toEqual([400, [fault]]);
    const document = { lists: { 'many-languages': { items: [{ value: 'A', label: 'a' }, add] } } };
    const applied = await keeping.send('POST', '/apply', document);
    expect([applied.status, await faultsOf(applied)]).toMatchObject([
      400,
      [{ ...fault, field: 'lists.many-languages.items.1.labels' }],
    ]);
    expect((await keeping.read('many-languages')).version).toBe(1);
    // One language is removed, and another one is added.
    const replaced = { ...labelsIn(100, 101), 'de-v1000': null };
    await keeping.change('PATCH', 'many-languages', '/items/A', { labels: replaced });
    await keeping.change('PATCH', 'many-languages', '/items/B', { label: 'changed' });
  });

  test('are at most 100 after an undo, because later items keep their labels', async () => {
    await make('languages-undone', { labels: labelsIn(0, 100) });
    const none = Object.fromEntries(Object.keys(labelsIn(0, 100)).map((tag) => [tag, null]));
    await keeping.change('PATCH', 'languages-undone', '/items/A', { labels: none });
    await keeping.change('POST', 'languages-undone', '/items', { value: 'C', label: 'c', labels: labelsIn(100, 101) });
    const undone = await keeping.send('POST', '/languages-undone/undo', { version: 1 }, 3);
    expect([undone.status, await faultsOf(undone)]).toEqual([
      400,
      [{ field: 'version', message: 'would give the list more than 100 languages' }],
    ]);
    await keeping.change('PATCH', 'languages-undone', '/items/C', { labels: { 'de-v1100': null } });
    await keeping.change('POST', 'languages-undone', '/undo', { version: 1 });
  });

  test('of its title and its description are at most 100 each', async () => {
    await make('titled');
    const texts = { titles: labelsIn(0, 100), descriptions: labelsIn(0, 100) };
    await keeping.change('PATCH', 'titled', '', texts);
    const more = await keeping.send('PATCH', '/titled', { titles: labelsIn(99, 101) }, 2);
    const fault = { field: 'titles', message: 'must have at most 100 languages' };
    expect([more.status, await faultsOf(more)]).toEqual([400, [fault]]);
    const made = { list: 'titled-too', title: 'Title', descriptions: labelsIn(0, 101) };
    const created = await keeping.send('POST', '', made);
    expect([created.status, await faultsOf(created)]).toEqual([400, [{ ...fault, field: 'descriptions' }]]);
  });
});

describe('a code', () => {
  test('of a retired item may be used by another item, which then prevents restoring the first', async () => {
    await make('coded', { codes: { s: '1' } });
    await keeping.change('POST', 'coded', '/items/A/retire', {});
    const { version } = await keeping.change('PATCH', 'coded', '/items/B', { codes: { s: '1' } });
    const fault = { field: 'codes.s', message: 'is already used by B' };
    const restored = await keeping.send('POST', '/coded/items/A/restore', {}, version);
    expect([restored.status, await faultsOf(restored)]).toEqual([400, [fault]]);
    const items = [{ value: 'A', label: 'a', retired: false }];
    const byDocument = await keeping.send('POST', '/apply', { lists: { coded: { items } } });
    expect([byDocument.status, await faultsOf(byDocument)]).toMatchObject([400, [{ message: fault.message }]]);
    await keeping.change('PATCH', 'coded', '/items/B', { codes: { s: '2' } });
    await keeping.change('POST', 'coded', '/items/A/restore', {});
    expect(await kept('coded', 'A')).toMatchObject({ codes: { s: '1' } });
  });

  test('can be exchanged between two items in one document', async () => {
    await make('swapped', { codes: { s: '1' } }, { codes: { s: '2' } });
    await make('swapped', { codes: { s: '2' } }, { codes: { s: '1' } });
    expect([await kept('swapped', 'A'), await kept('swapped', 'B')]).toMatchObject([
      { codes: { s: '2' } },
      { codes: { s: '1' } },
    ]);
  });

  test('is unique in its system and its list only', async () => {
    await make('here', { codes: { s: '1', t: '1' } }, { codes: { u: '1' } });
    await make('there', { codes: { s: '1' } });
    expect(await kept('there', 'A')).toMatchObject({ codes: { s: '1' } });
  });

  // A loses its code, B has it for a while, and then the new item C gets it. The undo removes B's later code and retires C.
  test('is restored by an undo, even if another item has it at that time', async () => {
    await make('taken', { codes: { s: '1' } });
    await keeping.change('PATCH', 'taken', '/items/A', { codes: { s: null } });
    await keeping.change('PATCH', 'taken', '/items/B', { codes: { s: '1' } });
    await keeping.change('PATCH', 'taken', '/items/B', { codes: { s: '2' } });
    await keeping.change('POST', 'taken', '/items', { value: 'C', label: 'c', codes: { s: '1' } });
    await keeping.change('POST', 'taken', '/undo', { version: 1 });
    expect(await kept('taken', 'A')).toMatchObject({ codes: { s: '1' } });
    const { items } = await keeping.read('taken');
    expect(items.map(({ value, status, codes }) => [value, status, codes.s])).toEqual([
      ['A', 'active', '1'],
      ['B', 'active', undefined],
      ['C', 'retired', '1'],
    ]);
  });
});

describe('text that is not in NFC', () => {
  const typed = 'Cafe\u0301 \u1112\u1161\u11ab';
  const kept = 'Caf\u00e9 \ud55c';
  const sent = { value: 'C', label: typed, labels: { fr: typed }, codes: { s: typed }, description: typed };

  test('is stored, served and recorded in NFC, and is no change the second time', async () => {
    await make('typed');
    await keeping.change('POST', 'typed', '/items', { ...sent, reason: typed });
    const item = (await keeping.read('typed')).items.find(({ value }) => value === 'C');
    expect(item).toMatchObject({ label: kept, labels: { fr: kept }, codes: { s: kept }, description: kept });
    const served = (await (await keeping.get('/employee/typed')).json()) as Item[];
    expect(served.at(-1)?.label).toBe(kept);
    const [newest] = await keeping.history('typed', '?limit=1');
    expect(newest?.reason).toBe(kept);

    const { value: _, ...changes } = sent;
    expect((await keeping.change('PATCH', 'typed', '/items/C', changes)).version).toBe(2);
    const lists = { typed: { items: [sent] } };
    expect(await (await keeping.send('POST', '/plan', { lists })).json()).toEqual({ changes: [], counts: {} });
  });

  test('is the same code as in NFC', async () => {
    await make('same', { codes: { s: kept } });
    const response = await keeping.send('PATCH', '/same/items/B', { codes: { s: typed } }, 1);
    expect([response.status, (await faultsOf(response))[0]?.field]).toEqual([400, 'codes.s']);
  });

  test('a reason that looks blank is refused, for a document as well', async () => {
    await make('reasons');
    const response = await keeping.send('PATCH', '/reasons/items/A', { label: 'x', reason: ' \u2800' }, 1);
    expect([response.status, (await faultsOf(response))[0]?.field]).toEqual([400, 'reason']);
    const applied = await keeping.send('POST', '/apply?reason=a%E2%80%A8b', { lists: {} });
    expect([applied.status, (await faultsOf(applied))[0]?.field]).toEqual([400, 'reason']);
  });
});

describe('a parent', () => {
  test('may be retired, and may be in a list that the same document creates or extends', async () => {
    const lists = {
      city: { items: [{ value: 'BERLIN', label: 'Berlin', parents: { region: ['EAST'], country: ['DD', 'FR'] } }] },
      region: { items: [{ value: 'EAST', label: 'East' }] },
      country: { items: [{ value: 'FR', label: 'France' }] },
    };
    const planned = await keeping.send('POST', '/plan', { lists });
    expect(planned.status).toBe(200);
    const response = await keeping.send('POST', '/apply', { lists });
    expect(response.status).toBe(200);
    expect(await kept('city', 'BERLIN')).toMatchObject({ parents: { region: ['EAST'], country: ['DD', 'FR'] } });
  });

  test('may be in a list called constructor, if there is one', async () => {
    await make('odd');
    const body = { parents: { constructor: ['A'] } };
    const refused = await keeping.send('PATCH', '/odd/items/A', body, 1);
    expect([refused.status, (await faultsOf(refused))[0]?.message]).toEqual([
      400,
      'must be a list that exists and that you may read',
    ]);
    const items = [{ value: 'A', label: 'a', ...body }];
    expect((await keeping.send('POST', '/plan', { lists: { odd: { items } } })).status).toBe(400);
    await make('constructor');
    await keeping.change('PATCH', 'odd', '/items/A', body);
    expect(Object.entries((await kept('odd', 'A'))?.parents ?? {})).toEqual([['constructor', ['A']]]);
  });
});
