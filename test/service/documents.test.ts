// Documents sent during other requests: those requests do not wait, and no change is lost between planning and writing.
import { beforeAll, expect, test } from 'bun:test';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import type { Plan } from '../../src/lookup/changing/lookup-document.schema.ts';
import { type PlannableDocument, plannedHere } from '../../src/lookup/changing/plan-document.ts';
import { planAdd } from '../../src/lookup/changing/planning.ts';
import { readLists } from '../../src/lookup/stored/list.queries.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { shapes } from '../support/document-shapes.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { type ListKeeping, listKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

// Without a rate limit, because the tests send many requests while a document is read.
const desk = shared(() => startFrontdesk({ RATE_LIMIT_API: '0' }));
let admin: string;
let employee: string;
beforeAll(async () => {
  admin = await desk.signIn('E-1001');
  employee = await desk.signIn('E-1003');
});

const send: ListKeeping['sendText'] = (...words) => listKeeping(desk, admin).sendText(...words);
/** A pause between two requests, so that the reading thread gets processor time. */
const pauseMs = 2;
const changesIn = async (response: Response) => ((await response.json()) as { changes: object[] }).changes;

const slow = shapes.filter(({ name }) => ['YAML, a flow map of many keys', 'CSV, many items'].includes(name));
test.each(slow.map((shape) => [shape.name, shape] as const))(
  'lists are answered while a document is read: %s',
  async (_, { type, make, isFine }) => {
    let isAnswered = false;
    const planning = send('plan', type, make(128 * 1024)).finally(() => {
      isAnswered = true;
    });
    let answeredBefore = 0;
    while (!isAnswered) {
      const response = await desk.get('/employee/position', bearer(employee));
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      answeredBefore++;
      await Bun.sleep(pauseMs);
    }
    expect((await planning).status).toBe(isFine ? 200 : 400);
    // If the event loop read the document, it would answer the other requests only afterwards.
    expect(answeredBefore).toBeGreaterThan(5);
  },
);

test('lists are answered while a document of thousands of items is applied', async () => {
  const rows = (label: string) => Array.from({ length: 4000 }, (_, index) => `long,V${index},${label}`).join('\n');
  for (const label of ['a', 'b']) {
    let isAnswered = false;
    const applying = send('apply', 'text/csv', `list,value,label\n${rows(label)}`).finally(() => {
      isAnswered = true;
    });
    let answeredBefore = 0;
    while (!isAnswered) {
      await (await desk.get('/employee/position', bearer(employee))).arrayBuffer();
      answeredBefore++;
      await Bun.sleep(pauseMs);
    }
    expect((await applying).status).toBe(200);
    expect(answeredBefore).toBeGreaterThan(10);
    const list = (await (await desk.get('/employee/long', bearer(employee))).json()) as { label: string }[];
    expect([list.length, new Set(list.map((item) => item.label))]).toEqual([4000, new Set([label])]);
  }
});

test('a list of thousands of items is exported, edited and applied again', async () => {
  const headers = { ...bearer(admin), accept: 'application/yaml' };
  const exported = await (await desk.get('/admin/lookups/long', headers)).text();
  const edited = exported.replaceAll('label: b\n', 'label: a longer label\n');
  expect(edited.length).toBeGreaterThan(256 * 1024);
  const response = await send('apply', 'application/yaml', edited);
  expect([response.status, await response.json()]).toMatchObject([200, { counts: { long: { change: 4000 } } }]);
});

test('several documents that are applied to one list at once all take effect', async () => {
  const document = (index: number) => `lists: { shared: { items: [{ value: V${index}, label: x }] } }`;
  const answers = await Promise.all([0, 1, 2, 3].map((index) => send('apply', 'application/yaml', document(index))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const list = (await (await desk.get('/employee/shared', bearer(employee))).json()) as { value: string }[];
  expect(list.map(({ value }) => value).sort()).toEqual(['V0', 'V1', 'V2', 'V3']);
});

test('documents of one person beyond the number that may wait are refused, with Retry-After', async () => {
  const body = slow[0]?.make(96 * 1024) ?? '';
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('plan', 'application/yaml', body)));
  const statuses = answers.map(({ status }) => status).sort();
  // One document is read, three wait, and the others are refused.
  expect(statuses).toEqual([400, 400, 400, 400, 503, 503, 503, 503]);
  for (const refused of answers.filter(({ status }) => status === 503)) {
    expect(refused.headers.get('retry-after')).toBe('2');
    await expectProblem(refused, 'documents-busy', 503);
  }
});

test('a change between planning and writing is not overwritten: the document is planned again', async () => {
  const storage = await openStorage(desk.config.database);
  provideAuditKey(storage.db, async () => Buffer.alloc(32));
  const listChanges = createListChanges(storage);
  const author = { by: 'test', reason: undefined, at: new Date(), mayKeepAll: true };
  await listChanges.create('raced', { title: 'Raced' }, author);
  const source = plannedHere({ lists: { raced: { items: [{ value: 'MINE', label: 'Mine' }] } } });
  // Somebody else changes the list during each of the first three plans. The fourth is made while nobody else can write.
  let others = 0;
  const raced: PlannableDocument<Plan> = {
    ...source,
    async plan(stored, given) {
      const version = stored[0]?.version ?? 0;
      if (++others <= 3) {
        await listChanges.change('raced', version, author, (list) =>
          planAdd(list, { value: `O${others}`, label: 'x' }),
        );
      }
      return source.plan(stored, given);
    },
  };
  await listChanges.apply(raced, author);
  const [list] = await readLists(storage.db, ['raced']);
  await storage.close();
  expect([others, list?.version]).toEqual([4, 5]);
  expect(list?.items.map(({ value, sortOrder }) => [value, sortOrder])).toEqual([
    ['O1', 10],
    ['O2', 20],
    ['O3', 30],
    ['MINE', 40],
  ]);
});

test('an item added to another list between planning and writing keeps its id: the document is planned again', async () => {
  const storage = await openStorage(desk.config.database);
  provideAuditKey(storage.db, async () => Buffer.alloc(32));
  const listChanges = createListChanges(storage);
  const author = { by: 'test', reason: undefined, at: new Date(), mayKeepAll: true };
  for (const name of ['planned', 'beside']) await listChanges.create(name, { title: name }, author);
  const source = plannedHere({ lists: { planned: { items: [{ value: 'MINE', label: 'Mine' }] } } });
  let plans = 0;
  const raced: PlannableDocument<Plan> = {
    ...source,
    async plan(stored, given) {
      if (++plans === 1)
        await listChanges.change('beside', 1, author, (list) => planAdd(list, { value: 'FIRST', label: 'x' }));
      return source.plan(stored, given);
    },
  };
  await listChanges.apply(raced, author);
  const lists = await readLists(storage.db, ['planned', 'beside']);
  await storage.close();
  const items = lists.flatMap(({ items }) => items).sort((a, b) => a.id - b.id);
  expect([plans, items.map(({ value }) => value)]).toEqual([2, ['FIRST', 'MINE']]);
});

test('an export, planned as YAML, JSON and CSV, changes nothing', async () => {
  const odd = `lists:
  odd:
    title: 'Odd: "things", # all of them'
    items:
      - { value: A, label: '=1+1', sortOrder: -5, labels: { de: '@x', ar: 'مرحبا', zh-Hant: '員工', fr: "''" } }
      - { value: B, label: 'say "hi", you', validFrom: 2027-01-01, validTo: 2027-12-31 }
      - { value: C, label: Gone, retired: true, replacedBy: A, sortOrder: 9007199254740991 }
      - { value: D, label: 'true', labels: { en: 'null', fr: '~', de: '1e3', es: '0x1F', it: '2027-01-01' } }
      - { value: E, label: "\\u2067مرحبا\\u2069 x", labels: { de: '- a', fr: '*x', es: '&x', it: '!x', pt: '%x' } }
      - value: G
        label: Everything
        description: '=SUM(A1), "and" more; of it'
        codes: { workday: '007', sap.hr: '-1+1', old: 'NO' }
        tags: [a-b, '2024', no]
        parents: { employment-type: [FULL_TIME, PART_TIME], employee-level: [LEAD] }
      - { value: F, label: "'quoted'", labels: { de: 'a: b', fr: '{a}', es: '[a]', it: '|', pt: '>' } }
`;
  const applied = await send('apply', 'application/yaml', odd);
  expect([applied.status, await changesIn(applied)]).toEqual([200, expect.any(Array)]);
  const exported = async (type: string) =>
    (await desk.get('/admin/lookups/odd', { ...bearer(admin), accept: type })).text();
  const yaml = await exported('application/yaml');
  for (const [type, body] of [
    ['application/yaml', yaml],
    // The export is parsed by a different YAML library from the one that wrote it.
    ['application/json', JSON.stringify(Bun.YAML.parse(yaml))],
    ['text/csv', await exported('text/csv')],
  ] as const) {
    const response = await send('plan', type, body);
    expect([type, response.status, await response.text()]).toEqual([type, 200, '{"changes":[],"counts":{}}']);
  }
});
