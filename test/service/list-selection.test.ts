// What forms can request beyond the plain list: filters, search, limits and fields.
import { beforeAll, describe, expect, test } from 'bun:test';
import { loadContract } from '../support/contract.ts';

import { startListKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);
beforeAll(async () => {
  await keeping.apply('country', [
    { value: 'DE', label: 'Germany' },
    { value: 'AT', label: 'Austria' },
    { value: 'JP', label: 'Japan' },
  ]);
  await keeping.apply('constructor', [{ value: 'X', label: 'X' }]);
  await keeping.apply(
    'grade',
    [
      { value: 'A', label: 'Apprentice', tags: ['junior', 'paid'], codes: { workday: 'JP-113', sap: 'a:b' } },
      {
        value: 'B',
        label: 'Büroleitung',
        labels: { ja: '事務長' },
        parents: { country: ['AT', 'DE'] },
        tags: ['paid'],
      },
      { value: 'C', label: 'Chief Clerk', parents: { country: ['JP'], position: ['ACCOUNTANT'] } },
      {
        value: 'D',
        label: 'Deputy clerk',
        description: 'Stands in for the chief clerk',
        parents: { position: ['PAYROLL_CLERK'] },
      },
      { value: 'E', label: 'Ended', retired: true, tags: ['paid'], codes: { workday: 'OLD' } },
      { value: 'F', label: 'Future', validFrom: '2999-01-01', tags: ['paid'] },
    ].map((item, index) => ({ sortOrder: index, ...item })) as object[],
  );
});

type Shown = Record<string, unknown> & { value: string };
const ask = (query: string, headers: Record<string, string> = {}) =>
  keeping.get(`/employee/grade${query}`, { ...headers });
const itemsOf = async (query: string, headers?: Record<string, string>) =>
  (await (await ask(query, headers)).json()) as Shown[];
const valuesOf = async (query: string, language = 'en') =>
  (await itemsOf(query, { 'accept-language': language })).map(({ value }) => value).join('');

describe('which items', () => {
  test.each([
    ['', 'ABCD'],
    // An item without parents in the named list is offered with every value of that list.
    ['?where=country:DE', 'ABD'],
    ['?where=country:JP', 'ACD'],
    ['?where=country:FR', 'AD'],
    ['?where=country:JP&where=country:AT', 'ABCD'],
    ['?where=country:DE&where=position:PAYROLL_CLERK', 'ABD'],
    ['?where=country:JP&where=position:PAYROLL_CLERK', 'AD'],
    ['?where=country:JP&where=position:ACCOUNTANT', 'AC'],
    ['?where=employee-level:LEAD', 'ABCD'],
    ['?where=constructor:X', 'ABCD'],
    ['?tag=paid', 'AB'],
    ['?tag=paid&tag=junior', 'A'],
    ['?tag=Paid', ''],
    ['?code=workday:JP-113', 'A'],
    ['?code=sap:a:b', 'A'],
    ['?code=sap:JP-113', ''],
    ['?code=constructor:x', ''],
    ['?code=workday:OLD', ''],
    ['?q=cl', 'CD'],
    ['?q=CLERK%20chi', 'C'],
    ['?q=lerk', ''],
    ['?q=buro', 'B'],
    ['?q=', 'ABCD'],
    ['?limit=1', 'A'],
    ['?limit=1000', 'ABCD'],
    ['?limit=2&where=country:JP', 'AC'],
    ['?q=cl&limit=1', 'C'],
    ['?tag=paid&where=country:AT&q=b&limit=5', 'B'],
    // Included despite dates, retirement, filters and the limit.
    ['?include=E', 'ABCDE'],
    ['?include=E&limit=1', 'AE'],
    ['?include=A&limit=2', 'AB'],
    ['?include=F&include=C&where=country:DE', 'ABCDF'],
    ['?include=B&q=clerk', 'BCD'],
    ['?include=B&code=workday:JP-113', 'AB'],
    ['?include=C&tag=junior', 'AC'],
    ['?include=UNKNOWN&limit=1', 'A'],
    ['?asOf=2999-01-01&tag=paid', 'ABF'],
    ['?colour=red&utm_source=x', 'ABCD'],
  ])('%s: %s', async (query, values) => {
    expect(await valuesOf(query)).toBe(values);
  });

  test('a parent that was replaced counts as its replacement, even over several steps', async () => {
    await keeping.apply(
      'region',
      ['OLD', 'MIDDLE', 'NEW', 'OTHER'].map((value) => ({ value, label: value })),
    );
    await keeping.apply('town', [
      { value: 'A', label: 'A', parents: { region: ['OLD'] } },
      { value: 'B', label: 'B', parents: { region: ['OTHER'] } },
      { value: 'C', label: 'C', parents: { region: ['OLD', 'OTHER'] }, retired: true },
    ]);
    const townsOf = async (region: string) => {
      const items = (await (await keeping.get(`/employee/town?where=region:${region}`)).json()) as Shown[];
      return items.map(({ value }) => value).join('');
    };
    const ofEach = async () => [
      await townsOf('OLD'),
      await townsOf('MIDDLE'),
      await townsOf('NEW'),
      await townsOf('OTHER'),
    ];
    expect(await ofEach()).toEqual(['A', '', '', 'B']);
    const retire = (value: string, replacedBy: string) =>
      keeping.change('POST', 'region', `/items/${value}/retire`, { replacedBy });
    // Children that are retired themselves do not count.
    expect(await retire('OLD', 'MIDDLE')).toMatchObject({ list: 'region', children: 1 });
    expect(await ofEach()).toEqual(['A', 'A', '', 'B']);
    expect(await retire('MIDDLE', 'NEW')).toMatchObject({ children: 0 });
    expect(await ofEach()).toEqual(['A', 'A', 'A', 'B']);
  });

  test('a plan says how many children each retired value will have', async () => {
    const retired = { region: { items: [{ value: 'OTHER', label: 'OTHER', retired: true }] } };
    const moved = { town: { items: [{ value: 'B', label: 'B', parents: { region: ['NEW'] } }] } };
    const planned = async (lists: object) => {
      const { changes } = (await (await keeping.send('POST', '/plan', { lists })).json()) as {
        changes: { value: string; children?: number }[];
      };
      return changes.map(({ value, children }) => [value, children]);
    };
    expect(await planned(retired)).toEqual([['OTHER', 1]]);
    expect(await planned({ ...retired, ...moved })).toEqual([
      ['OTHER', undefined],
      ['B', undefined],
    ]);
  });

  test('the label that is shown is searched, and no other', async () => {
    expect(await valuesOf('?q=務', 'ja')).toBe('B');
    expect(await valuesOf('?q=務', 'de')).toBe('');
    expect(await valuesOf('?q=buro', 'ja')).toBe('');
    expect(await valuesOf('?q=cle', 'ja')).toBe('CD');
  });

  test('Content-Language depends on the items in the answer', async () => {
    const languageOf = async (query: string) =>
      (await ask(query, { 'accept-language': 'ja' })).headers.get('content-language');
    expect([await languageOf(''), await languageOf('?limit=1'), await languageOf('?limit=2')]).toEqual([
      'ja',
      null,
      'ja',
    ]);
    expect([await languageOf('?where=country:JP'), await languageOf('?where=country:JP&include=B')]).toEqual([
      null,
      'ja',
    ]);
  });
});

describe('fields', () => {
  const plain = { label: 'Apprentice', value: 'A', sortOrder: 0 };

  test('are always present, after the usual members and in a fixed order', async () => {
    const [a, , , d] = await itemsOf('?fields=codes,tags,description,parents');
    expect(Object.keys(a ?? {})).toEqual([
      'id',
      'label',
      'value',
      'sortOrder',
      'codes',
      'tags',
      'description',
      'parents',
    ]);
    expect<object | undefined>(a).toEqual({
      id: expect.any(Number),
      ...plain,
      codes: { sap: 'a:b', workday: 'JP-113' },
      tags: ['junior', 'paid'],
      description: null,
      parents: {},
    });
    expect([d?.codes, d?.tags, d?.description, d?.parents]).toEqual([
      {},
      [],
      'Stands in for the chief clerk',
      { position: ['PAYROLL_CLERK'] },
    ]);
  });

  test('are those that are requested, however the parameter is written', async () => {
    for (const query of ['?fields=tags,codes', '?fields=codes&fields=tags', '?fields=codes,tags,codes']) {
      const [a] = await itemsOf(`${query}&limit=1`);
      expect([query, Object.keys(a ?? {})]).toEqual([query, ['id', 'label', 'value', 'sortOrder', 'codes', 'tags']]);
    }
    const [c] = await itemsOf('?fields=parents&where=country:JP&q=chief');
    expect(c?.parents).toEqual({ country: ['JP'], position: ['ACCOUNTANT'] });
  });

  test('are not in the plain answer or in any other', async () => {
    for (const query of ['', '?tag=paid', '?include=E', '?q=a']) {
      for (const item of await itemsOf(query)) expect(Object.keys(item)).toEqual(['id', 'label', 'value', 'sortOrder']);
    }
  });

  test('are answered as the contract says', async () => {
    const { findFault } = await loadContract(keeping.desk.url);
    for (const query of ['', '?fields=codes,tags,description,parents', '?fields=tags', '?q=x', '?where=nowhere:X']) {
      const response = await ask(query);
      expect([query, findFault('GET /employee/{list}', response, await response.text())]).toEqual([query, undefined]);
    }
  });
});

describe('each answer is a complete document, like the plain one', () => {
  test.each([
    '?where=country:DE',
    '?q=clerk',
    '?fields=codes',
    '?limit=1',
    '?tag=paid',
    '?code=workday:JP-113',
    '?asOf=2030-01-01',
  ])('%s is answered privately, with an ETag and Vary, and then with 304', async (query) => {
    const response = await ask(query);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}(-\w+)?"$/);
    expect(response.headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const again = await ask(query, { 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('the ETag changes with the list', async () => {
    const before = await ask('?tag=fresh');
    expect(await before.json()).toEqual([]);
    await keeping.change('PATCH', 'grade', '/items/D', { tags: ['fresh'] });
    expect(await valuesOf('?tag=fresh')).toBe('D');
    await keeping.change('PATCH', 'grade', '/items/D', { tags: [] });
    expect(await valuesOf('?tag=fresh')).toBe('');
  });
});

describe('a wrong parameter is 400, with a reason', () => {
  const faultsIn = async (response: Response) =>
    ((await response.json()) as { errors: { field: string; message: string }[] }).errors;
  const many = (name: string, value: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}=${value}${index}`).join('&');
  test.each([
    ['fields=salary', 'fields.0', 'must be one of codes, tags, description, parents'],
    ['fields=', 'fields.0', 'must be one of codes, tags, description, parents'],
    [`fields=${'tags,'.repeat(20)}tags`, 'fields', 'must have at most 20 values'],
    ['where=country', 'where.0', 'must be a list and a value, like country:DE'],
    ['where=Country:DE', 'where.0', 'must be a list and a value, like country:DE'],
    ['where=country:de', 'where.0', 'must be a list and a value, like country:DE'],
    ['where=planet:MARS', 'where', 'there is no list planet that you may read'],
    [many('where', 'country:V', 101), 'where', 'must have at most 100 values'],
    ['tag=', 'tag.0', 'must be letters, digits, ".", "_" and "-", beginning with a letter or digit'],
    [`tag=${'t'.repeat(51)}`, 'tag.0', 'must be at most 50 characters'],
    [many('tag', 't', 21), 'tag', 'must have at most 20 values'],
    ['code=JP-113', 'code', 'must be a system and its code, like workday:JP-113'],
    ['code=workday:', 'code', 'must be a system and its code, like workday:JP-113'],
    [`code=workday:${'1'.repeat(150)}`, 'code', 'must be at most 151 characters'],
    ['code=a:1&code=b:2', 'code', 'must be given once, with a system and its code, like workday:JP-113'],
    [`q=${'x'.repeat(101)}`, 'q', 'must be at most 100 characters'],
    ['q=a&q=b', 'q', 'must be given once, with the words to search for'],
    ['limit=0', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=1001', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=1.5', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=ten', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=1&limit=2', 'limit', 'must be a whole number from 1 to 1000'],
    [many('include', 'V', 101), 'include', 'must have at most 100 values'],
    ['as_of=2027-01-01', 'asOf', 'must be written asOf, not as_of'],
    ['as-of=2027-01-01', 'asOf', 'must be written asOf, not as-of'],
    ['AsOf=2027-01-01', 'asOf', 'must be written asOf, not AsOf'],
    ['asof=2027-01-01', 'asOf', 'must be written asOf, not asof'],
    ['Where=country:DE', 'where', 'must be written where, not Where'],
    ['INCLUDE=A', 'include', 'must be written include, not INCLUDE'],
    ['Q=a', 'q', 'must be written q, not Q'],
    ['_limit=1', 'limit', 'must be written limit, not _limit'],
  ])('%s', async (query, field, message) => {
    expect(await faultsIn(await ask(`?${query}`))).toEqual([{ field, message }]);
    await expectProblem(await ask(`?${query}`), 'invalid-request', 400);
  });

  test('several faults are reported at once', async () => {
    const faults = await faultsIn(await ask('?limit=x&as_of=2027-01-01&fields=a'));
    expect(faults.map(({ field }) => field).sort()).toEqual(['asOf', 'fields.0', 'limit']);
  });

  test('an unknown list is 404, with any query', async () => {
    const response = await keeping.get('/employee/nothing?where=nowhere:X');
    await expectProblem(response, 'not-found', 404);
  });
});
