import { expect, test } from 'bun:test';
import { blankItem } from '../lookup/rules/item.ts';
import { describePlan, type ShownPlan } from './describe-changes.ts';

/** Removes the colours of a terminal. */
const described = async (plan: ShownPlan) => Bun.stripANSI(await describePlan(plan));
const item = blankItem('A', 'Auditor', 10);

test('a plan shows each field of an added item that has a value', async () => {
  const after = {
    ...item,
    codes: { workday: 'JP-113' },
    tags: ['core'],
    description: 'Audits',
    validFrom: '2027-01-01',
  };
  const changes = [
    { list: 'position', value: 'B', before: null, after: item },
    { list: 'position', value: 'A', before: null, after },
  ];
  expect(await described({ changes, counts: {} })).toBe(
    'position\n' +
      '  + B  "Auditor"\n' +
      '  + A  "Auditor"\n' +
      '      validFrom: "2027-01-01"\n' +
      '      codes: {"workday":"JP-113"}\n' +
      '      tags: ["core"]\n' +
      '      description: "Audits"\n',
  );
});

test('a plan shows each field that changes', async () => {
  const after = { ...item, parents: { country: ['DE'] }, description: 'Audits' };
  expect(await described({ changes: [{ list: 'position', value: 'A', before: item, after }], counts: {} })).toBe(
    'position\n  ~ A\n      description: none → "Audits"\n      parents: {} → {"country":["DE"]}\n',
  );
});

test('a plan says what happens to the children of a value that is retired', async () => {
  const change = { list: 'country', value: 'A', before: item, children: 12 };
  const retired = { ...item, status: 'retired' as const };
  const plan = {
    changes: [
      { ...change, after: retired },
      { ...change, after: { ...retired, replacedBy: 'B' } },
    ],
    counts: {},
  };
  const lines = (await described(plan)).split('\n').filter((line) => line.includes('children'));
  expect(lines).toEqual([
    '      children: 12 in other lists, no replacement',
    '      children: 12 in other lists, from now on offered when B is chosen',
  ]);
});

test('a plan that leaves changes out says how many, and how many there are of each kind', async () => {
  const retired = { list: 'position', value: 'A', before: item, after: { ...item, status: 'retired' } };
  const counts = { position: { retire: 1200 }, country: { add: 3, change: 1 } };
  expect(await described({ changes: [retired], counts, changesLeftOut: 1203 })).toBe(
    'position\n' +
      '  - A\n' +
      '      status: "active" → "retired"\n' +
      '  1200 items are retired\n' +
      '\n' +
      '1203 more changes are not shown. In all:\n' +
      '  position: retire 1200\n' +
      '  country: add 3, change 1\n',
  );
});
