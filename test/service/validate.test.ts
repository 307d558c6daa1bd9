// The results for stored values: POST /lookups/validate.
import { beforeAll, describe, expect, test } from 'bun:test';
import { bearer } from '../support/frontdesk.ts';
import { startListKeeping } from '../support/lists.ts';
import { shared } from '../support/shared.ts';

let employee: string;
const keeping = shared(startListKeeping);
beforeAll(async () => {
  employee = await keeping.desk.signIn('E-1003');
  await keeping.apply('country', [
    { value: 'DE', label: 'Germany' },
    { value: 'FR', label: 'France' },
    { value: 'GDR', label: 'East Germany', retired: true },
    { value: 'PRUSSIA', label: 'Prussia', retired: true, replacedBy: 'FRG' },
    { value: 'FRG', label: 'West Germany', retired: true, replacedBy: 'DE' },
  ]);
  await keeping.apply('office', [
    { value: 'MUNICH', label: 'Munich', parents: { country: ['DE', 'GDR'] } },
    { value: 'OLD', label: 'Old', parents: { country: ['DE'] }, retired: true },
    { value: 'LATER', label: 'Later', parents: { country: ['DE'] }, validFrom: '2999-01-01' },
    { value: 'EARLIER', label: 'Earlier', parents: { country: ['DE'] }, validTo: '2020-01-01' },
    { value: 'BERLIN', label: 'Berlin' },
    { value: 'KIEL', label: 'Kiel', parents: { country: ['PRUSSIA'] } },
    { value: 'BONN', label: 'Bonn', retired: true, replacedBy: 'COLOGNE' },
    {
      value: 'COLOGNE',
      label: 'Cologne',
      labels: { de: 'Köln', fr: 'Cologne (F)' },
      retired: true,
      replacedBy: 'ESSEN',
    },
    { value: 'ESSEN', label: 'Essen' },
    { value: 'GONE', label: 'Gone', retired: true },
    { value: 'CLOSED', label: 'Closed', validTo: '2020-01-01' },
    { value: 'PLANNED', label: 'Planned', validFrom: '2999-01-01' },
    { value: 'WAS_PLANNED', label: 'Was planned', validFrom: '2999-01-01', retired: true },
    { value: 'WAS_CLOSED', label: 'Was closed', validTo: '2020-01-01', retired: true, replacedBy: 'BONN' },
  ]);
  const items = [
    { value: 'KNOWN', label: 'Known' },
    { value: 'GONE', label: 'Gone', retired: true, replacedBy: 'KNOWN' },
  ];
  const settings = {
    secret: { readers: ['BOARD'] },
    old: { archived: true },
    'old-secret': { readers: ['BOARD'], archived: true },
  };
  for (const [list, setting] of Object.entries(settings)) {
    await keeping.apply(list, items);
    await keeping.change('PATCH', list, '', setting);
  }
});

interface Outcome {
  list: string;
  value: string;
  status: string;
  label: string | null;
  replacedBy: string | null;
  retiredAt: string | null;
}

function send(body: string, type = 'application/json', headers = {}): Promise<Response> {
  return fetch(`${keeping.desk.url}/lookups/validate`, {
    method: 'POST',
    headers: { ...bearer(employee), 'content-type': type, ...headers },
    body,
  });
}

async function judge(stored: Record<string, unknown>, headers = {}) {
  const response = await send(JSON.stringify(stored), 'application/json', headers);
  expect(response.status).toBe(200);
  return (await response.json()) as { valid: boolean; results: Outcome[] };
}

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('one status for each value, the first that applies:', () => {
  test.each<[string, string, string, string | null, string | null, unknown]>([
    ['active', 'office', 'BERLIN', 'Berlin', null, null],
    ['unknown-list', 'nowhere', 'BERLIN', null, null, null],
    ['unknown-list', 'constructor', 'BERLIN', null, null, null],
    ['unknown-list', 'No List', 'BERLIN', null, null, null],
    ['unknown', 'office', 'PARIS', null, null, null],
    ['unknown', 'office', 'berlin', null, null, null],
    ['unknown', 'office', '', null, null, null],
    ['retired', 'office', 'GONE', 'Gone', null, at],
    ['retired', 'office', 'COLOGNE', 'Cologne', 'ESSEN', at],
    ['retired', 'office', 'BONN', 'Bonn', 'ESSEN', at],
    ['retired', 'office', 'WAS_PLANNED', 'Was planned', null, at],
    ['retired', 'office', 'WAS_CLOSED', 'Was closed', 'ESSEN', at],
    ['scheduled', 'office', 'PLANNED', 'Planned', null, null],
    ['expired', 'office', 'CLOSED', 'Closed', null, null],
  ])('%s: %s %s', async (status, list, value, label, replacedBy, retiredAt) => {
    expect(await judge({ [list]: value })).toEqual({
      valid: status === 'active',
      results: [{ list, value, status, label, replacedBy, retiredAt: retiredAt as string | null }],
    });
  });
});

describe('for a list that the person may not read, the answer says only that:', () => {
  test.each([
    ['forbidden', 'secret'],
    ['forbidden', 'old-secret'],
  ])('%s: %s', async (status, list) => {
    const values = ['KNOWN', 'GONE', 'NEVER'];
    expect(await judge({ [list]: values, office: 'BERLIN' })).toMatchObject({
      valid: false,
      results: [
        ...values.map((value) => ({ list, value, status, label: null, replacedBy: null, retiredAt: null })),
        { value: 'BERLIN', status: 'active' },
      ],
    });
  });

  test.each([
    ['active', 'secret', 'KNOWN'],
    ['retired', 'secret', 'GONE'],
    ['archived', 'old', 'KNOWN'],
    ['archived', 'old-secret', 'GONE'],
    ['unknown', 'old-secret', 'NEVER'],
  ])('but a keeper of the list is told %s: %s %s', async (status, list, value) => {
    expect((await judge({ [list]: value }, bearer(keeping.token))).results).toMatchObject([{ status }]);
  });
});

test('values of an archived list keep their labels and replacements, and a value that it never had is unknown', async () => {
  expect((await judge({ old: ['KNOWN', 'GONE', 'NEVER'] })).results).toEqual([
    { list: 'old', value: 'KNOWN', status: 'archived', label: 'Known', replacedBy: null, retiredAt: null },
    { list: 'old', value: 'GONE', status: 'archived', label: 'Gone', replacedBy: 'KNOWN', retiredAt: at },
    { list: 'old', value: 'NEVER', status: 'unknown', label: null, replacedBy: null, retiredAt: null },
  ]);
});

describe('together with values of the list on which it depends:', () => {
  test.each<[string, string, unknown, boolean]>([
    ['active', 'MUNICH', undefined, true],
    ['active', 'MUNICH', [], true],
    ['active', 'MUNICH', 'DE', true],
    ['active', 'MUNICH', ['FR', 'DE'], true],
    // The parent itself is retired, which its own result reports.
    ['active', 'MUNICH', 'GDR', false],
    // A parent that was replaced counts as its replacement, both in the item and in the request.
    ['active', 'KIEL', 'DE', true],
    ['active', 'KIEL', 'FRG', false],
    ['active', 'MUNICH', 'PRUSSIA', false],
    ['not-with-parent', 'KIEL', 'FR', false],
    ['not-with-parent', 'KIEL', 'GDR', false],
    ['not-with-parent', 'MUNICH', 'FR', false],
    ['not-with-parent', 'MUNICH', ['FR', 'NOWHERE'], false],
    ['active', 'BERLIN', 'FR', true],
    ['unknown', 'PARIS', 'FR', false],
    ['retired', 'OLD', 'FR', false],
    ['scheduled', 'LATER', 'FR', false],
    ['expired', 'EARLIER', 'FR', false],
  ])('%s: %s beside %j', async (status, office, country, isValid) => {
    const { valid, results } = await judge({ ...(country !== undefined && { country }), office });
    expect([results.at(-1)?.status, valid]).toEqual([status, isValid]);
  });
});

test('valid only if all are active; one result for each value, in the order sent', async () => {
  const { valid, results } = await judge({ office: ['ESSEN', 'GONE', 'ESSEN'], position: 'ACCOUNTANT' });
  expect([valid, results.map(({ value }) => value)]).toEqual([false, ['ESSEN', 'GONE', 'ESSEN', 'ACCOUNTANT']]);
  expect((await judge({ office: ['ESSEN', 'BERLIN'], position: 'ACCOUNTANT' })).valid).toBe(true);
});

test.each([
  [undefined, 'Cologne', 'Bonn'],
  ['de', 'Köln', 'Bonn'],
  ['de-AT', 'Köln', 'Bonn'],
  ['it, fr;q=0.5, de;q=0.4', 'Cologne (F)', 'Bonn'],
  ['it', 'Cologne', 'Bonn'],
])('labels are those that the lists show for Accept-Language %s', async (language, cologne, bonn) => {
  const { results } = await judge(
    { office: ['COLOGNE', 'BONN', 'PARIS'] },
    language === undefined ? {} : { 'accept-language': language },
  );
  expect(results.map(({ label }) => label)).toEqual([cologne, bonn, null]);
});

test('a chain of replacements is followed to its end, however long it is', async () => {
  const chain = Array.from({ length: 2000 }, (_, index) => ({
    value: `V${index}`,
    label: 'V',
    retired: true,
    replacedBy: `V${index + 1}`,
  }));
  await keeping.apply('long', [...chain, { value: 'V2000', label: 'Last' }]);
  const { results } = await judge({ long: chain.slice(0, 1000).map(({ value }) => value) });
  expect([results.length, new Set(results.map(({ replacedBy }) => replacedBy))]).toEqual([1000, new Set(['V2000'])]);
});

test('a name that no list can have is reported', async () => {
  expect((await send('{"__proto__":"X"}')).status).toBe(400);
});

describe('how many values are judged at once', () => {
  const many = (count: number, value: unknown = 'ACCOUNTANT') => Array.from({ length: count }, () => value);
  const tooMany = [{ field: '', message: 'must have at most 1000 values, in all lists together' }];

  test('at most a thousand, in all lists together', async () => {
    const response = await send(JSON.stringify({ position: many(998), a: 'X', b: ['X'] }));
    const { results } = (await response.json()) as { results: unknown[] };
    expect([response.status, results.length]).toEqual([200, 1000]);
  });

  test.each([
    ['in one list', { position: many(1001) }],
    ['in several', { position: many(500), a: many(500), b: 'X' }],
    ['each in its own list', Object.fromEntries(many(1001).map((_, index) => [`list-${index}`, 'X']))],
    ['of which none is text', { position: many(60_000, 1) }],
  ])('more are refused: %s', async (_, body) => {
    const response = await send(JSON.stringify(body));
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect([response.status, errors]).toEqual([400, tooMany]);
  });

  test('a body is required, and may be empty', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const response = await send('', type);
      const { errors } = (await response.json()) as { errors: unknown[] };
      expect([response.status, errors]).toEqual([400, [{ field: '', message: 'is required' }]]);
    }
    expect(await (await send('{}')).json()).toEqual({ valid: true, results: [] });
  });
});
