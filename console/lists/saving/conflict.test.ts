import { describe, expect, test } from 'bun:test';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import type { HistoryEntry, ItemChanges } from '../../shell/api.ts';
import type { ItemState } from '../items/item-fields.ts';
import { chosenChanges, conflictRows, isConflict } from './conflict.ts';

const base: ItemState = {
  ...emptyItem,
  value: 'CLERK',
  label: 'Clerk',
  labels: { de: 'Kraft', fr: 'Employé' },
  sortOrder: 10,
  codes: { workday: 'JP-1' },
  tags: ['office'],
  parents: { country: ['DE', 'AT'] },
};

let version = 1;
function entry(byName: string, before: ItemState | null, after: ItemState | null, value = 'CLERK'): HistoryEntry {
  version++;
  const at = `2027-01-01T00:00:${String(version).padStart(2, '0')}Z`;
  return { version, at, by: `E-${version}`, byName, reason: null, changes: [{ value, before, after }] };
}
/** The rows of the conflict between `mine` and `changes`, which Ada Park has saved. */
function rowsWith(mine: ItemChanges, changes: Partial<ItemState>) {
  const latest = { ...base, ...changes };
  return conflictRows(base, mine, latest, [entry('Ada Park', base, latest)]);
}
const short = (rows: ReturnType<typeof conflictRows>) =>
  rows.map(({ field, base: was, mine, theirs: now, changedBy }) => [field, was, mine, now, changedBy]);

describe('the rows of a conflict', () => {
  test('separate the fields that both sides changed from the fields that only one side changed', () => {
    const mine = { label: 'Officer', validTo: '2030-01-01' };
    const rows = rowsWith(mine, { label: 'Assistant', description: 'In the office' });
    expect(short(rows)).toEqual([
      ['label', 'Clerk', 'Officer', 'Assistant', 'both'],
      ['validTo', null, '2030-01-01', null, 'mine'],
      ['description', null, 'In the office', 'In the office', 'theirs'],
    ]);
    expect(rows.map((row) => row.author?.byName)).toEqual(['Ada Park', undefined, 'Ada Park']);
  });

  test('list each translation and each code separately', () => {
    const mine = { labels: { de: 'Fachkraft', fr: null }, codes: { sap: '7' } };
    const changed = { labels: { de: 'Kraft', fr: 'Commis' }, codes: { workday: 'JP-2' } };
    expect(short(rowsWith(mine, changed))).toEqual([
      ['labels.de', 'Kraft', 'Fachkraft', 'Kraft', 'mine'],
      ['labels.fr', 'Employé', null, 'Commis', 'both'],
      ['codes.sap', null, '7', null, 'mine'],
      ['codes.workday', 'JP-1', 'JP-2', 'JP-2', 'theirs'],
    ]);
  });

  test('contain no conflict if both sides made the same change, or if sets differ only in order', () => {
    const mine = { label: 'Officer', parents: { country: ['AT', 'DE'] } };
    const rows = rowsWith(mine, { label: 'Officer' });
    expect(rows.filter(isConflict)).toEqual([]);
    expect(chosenChanges(rows, {})).toEqual({});
  });

  test('name the last person who changed a field, and ignore other values', () => {
    const renamed = { ...base, label: 'Assistant' };
    const entries = [
      entry('Cy', base, { ...base, label: 'Other' }, 'PORTER'),
      entry('Bo', renamed, { ...renamed, description: 'x' }),
      entry('Ada', base, renamed),
    ];
    const rows = conflictRows(base, { label: 'Officer' }, { ...renamed, description: 'x' }, entries);
    expect(rows.map((row) => [row.field, row.author?.byName])).toEqual([
      ['label', 'Ada'],
      ['description', 'Bo'],
    ]);
  });

  test('show a retirement, and a value that is gone', () => {
    const retired = rowsWith({ label: 'X' }, { status: 'retired', replacedBy: 'OFFICER' });
    expect(short(retired)).toContainEqual(['status', 'active', 'retired', 'retired', 'theirs']);
    const gone = conflictRows(base, { label: 'X' }, null, [entry('Ada', base, null)]);
    expect(short(gone)[0]).toEqual(['label', 'Clerk', 'X', null, 'both']);
  });
});

describe('what is sent after the choice', () => {
  const mine = { label: 'Officer', labels: { de: null }, tags: ['desk'], validTo: '2030-01-01' };
  const rows = rowsWith(mine, { label: 'Assistant', labels: { de: 'Hilfe' }, tags: [] });

  test('is my change, if I chose it or if only I changed the field', () => {
    expect(chosenChanges(rows, { label: 'mine', 'labels.de': 'theirs', tags: 'mine' })).toEqual({
      label: 'Officer',
      tags: ['desk'],
      validTo: '2030-01-01',
    });
  });

  test('leaves out a conflict without a choice, and removes what I removed', () => {
    expect(chosenChanges(rows, {})).toEqual({ validTo: '2030-01-01' });
    expect(chosenChanges(rows, { 'labels.de': 'mine' })).toEqual({ labels: { de: null }, validTo: '2030-01-01' });
  });

  test('never contains a status: only retiring changes it', () => {
    const retired = rowsWith({ label: 'X' }, { status: 'retired' });
    expect(chosenChanges(retired, { status: 'mine' })).toEqual({ label: 'X' });
  });
});
