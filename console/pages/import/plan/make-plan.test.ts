import { expect, test } from 'bun:test';
import { FrontdeskError } from '../../../../client/src/index.ts';
import type { Api, KeptItem, KeptList, ListSummary, LookupDocument } from '../../../shell/api.ts';
import type { Cell, TableFile } from '../file/cells.ts';
import { firstChoices } from './choices.ts';
import { planOtherRows, planTable } from './make-plan.ts';

const blank: KeptItem = {
  ...{ id: 1, value: 'CLERK', label: 'Clerk', labels: {}, sortOrder: 10, status: 'active', validFrom: null },
  ...{ validTo: null, replacedBy: null, retiredAt: null, codes: {}, tags: [], description: null, parents: {} },
};
const kept: KeptList = {
  ...{ list: 'position', title: 'Positions', titles: {}, description: null, descriptions: {}, archived: false },
  ...{ readers: null, keepers: null },
  ...{ version: 4, items: [blank, { ...blank, id: 2, value: 'DRIVER', label: 'Driver', sortOrder: 20 }] },
};

/** A service that refuses the values in `refused`, one in each answer. */
function sourceOf(refused: readonly string[] = []) {
  const sent: LookupDocument[] = [];
  const plan = async (body: { text: string }) => {
    const document = JSON.parse(body.text) as LookupDocument;
    const index = document.lists.position?.items?.findIndex(({ value }) => refused.includes(value)) ?? -1;
    const errors = [{ field: `lists.position.items.${index}.codes.sap`, message: 'Is taken' }];
    if (index >= 0) throw new FrontdeskError({ status: 400, errors });
    sent.push(document);
    return { changes: [], counts: {} };
  };
  const lists = [{ list: 'position', title: 'Positions' }] as ListSummary[];
  return { sent, source: { api: { plan } as unknown as Api, lists, load: async () => kept } };
}

function importOf(rows: Cell[][]) {
  const file: TableFile = { kind: 'table', sheets: [{ name: '', rows }], isFrom1904: false };
  return { file, choices: firstChoices(file, { systems: [], lists: [] }, 'position') };
}

const rows: Cell[][] = [
  ['Value', 'Label', 'Available from', 'Retired', 'Replaced by'],
  ['CLERK', 'Senior clerk', null, null, null],
  ['COOK', 'Cook', 'soon', null, null],
  ['PORTER', 'Porter', null, null, null],
  // Left out, because the row of its replacement is left out.
  ['DRIVER', 'Driver', null, 'yes', 'COOK'],
  ['NURSE', 'Nurse', null, null, null],
];

test('rows without faults are planned, except rows that need a faulty row', async () => {
  const { source, sent } = sourceOf(['NURSE']);
  const { file, choices } = importOf(rows);
  const found = await planTable(source, file, choices, false);
  expect(found).toMatchObject({ kind: 'faults', count: 1, otherRows: 4 });
  if (found.kind !== 'faults') return;
  expect([...found.badRows.keys()]).toEqual([3]);
  const outcome = await planOtherRows(source, file, choices, found.badRows);
  if (outcome.kind !== 'planned') throw new Error(outcome.kind);
  expect(sent.map(({ lists }) => lists.position?.items?.map(({ value }) => value))).toEqual([['CLERK', 'PORTER']]);
  expect(sent[0]?.lists.position?.version).toBe(4);
  // Each row that is left out has its reason.
  expect([...(outcome.planned.leftOut ?? [])].map(([row, [fault]]) => [row, fault?.column])).toEqual([
    [3, 2],
    [5, 4],
    [6, null],
  ]);
  expect(found.badRows.size).toBe(1);
});

test('a value whose row is left out is never retired as missing from the file', async () => {
  const { source, sent } = sourceOf();
  const { file, choices } = importOf([rows[0] ?? [], ['CLERK', 'Senior clerk', null], ['DRIVER', 'Driver', 'soon']]);
  const found = await planTable(source, file, choices, true);
  if (found.kind !== 'faults') throw new Error(found.kind);
  const outcome = await planOtherRows(source, file, choices, found.badRows);
  expect(outcome).toMatchObject({ kind: 'planned', planned: { missing: 0 } });
  expect(sent[0]?.lists.position?.items).toEqual([{ value: 'CLERK', label: 'Senior clerk' }]);
});

test.each([
  [
    'a fault of a column',
    [
      ['Value', 'Label', 'Label: !!'],
      ['CLERK', 'Clerk', 'x'],
    ],
    (index: number) => (index === 2 ? 'code:!!' : undefined),
  ],
  ['a missing column', [['Tags'], ['a/b']], undefined],
] as const)('%s cannot be left out', async (_, given, fieldOf) => {
  const { file, choices } = importOf(given.map((row) => [...row]));
  const columns = choices.columns.map((column) => ({ ...column, field: fieldOf?.(column.index) ?? column.field }));
  const found = await planTable(sourceOf().source, file, { ...choices, columns }, false);
  expect(found).toMatchObject({ kind: 'faults', otherRows: 0 });
});

test('if every row is faulty, there is nothing to import', async () => {
  const { file, choices } = importOf([rows[0] ?? [], rows[2] ?? []]);
  expect(await planTable(sourceOf().source, file, choices, false)).toMatchObject({ kind: 'faults', otherRows: 0 });
});

test.each(['Guard', 'Driver'])(
  'the second row of a label without values is called the same label: %p',
  async (label) => {
    const { file, choices } = importOf([['Label'], [label], ['Cook'], [label.toUpperCase()]]);
    const found = await planTable(sourceOf().source, file, choices, false);
    expect(found).toMatchObject({ kind: 'faults', count: 1 });
    if (found.kind !== 'faults') return;
    expect(found.badRows.get(4)?.[0]?.message).toStartWith('The same label is in row 2');
  },
);
