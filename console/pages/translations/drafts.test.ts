import { describe, expect, test } from 'bun:test';
import { LookupDocument } from '../../../src/lookup/changing/lookup-document.schema.ts';
import { parseBlock } from '../../lists/items/pasted-values.ts';
import {
  afterSaving,
  cellOf,
  conflictsIn,
  countsWith,
  type GridItem,
  keepMine,
  languagesIn,
  noDrafts,
  savedCounts,
  takeTheirs,
  untranslatedOnly,
  withoutSaved,
  withTexts,
} from './drafts.ts';
import {
  cellFault,
  cellOfFault,
  largestSaveBytes,
  sizeOfDocument,
  translationDocument,
} from './translation-document.ts';
import { applyPaste, planPaste, undoPaste } from './translation-paste.ts';

const item = (value: string, labels: Record<string, string> = {}, status: GridItem['status'] = 'active'): GridItem => ({
  value,
  label: `Label of ${value}`,
  labels,
  status,
});
const byValue = (items: readonly GridItem[]) => new Map(items.map((each) => [each.value, each]));
const clerk = item('CLERK', { de: 'Sachbearbeiter' });
const lead = item('LEAD');
const items = byValue([clerk, lead]);

describe('what is typed', () => {
  test('is a draft only if it differs from what is saved', () => {
    const drafts = withTexts(noDrafts, items, [
      { value: 'CLERK', tag: 'de', text: ' Sachbearbeiter ' },
      { value: 'LEAD', tag: 'de', text: 'Leitung' },
      { value: 'LEAD', tag: 'fr', text: '  ' },
    ]);
    expect([...drafts.keys()]).toEqual(['LEAD de']);
    expect(withTexts(drafts, items, [{ value: 'LEAD', tag: 'de', text: '' }]).size).toBe(0);
  });

  test('is stored in one line and in normal form', () => {
    const drafts = withTexts(noDrafts, items, [{ value: 'LEAD', tag: 'de', text: 'Gru\u0308n\r\nund rot' }]);
    expect(cellOf(lead, 'de', drafts).text).toBe('Grün und rot');
  });

  test('counts in the progress, but not for retired values', () => {
    const all = [clerk, lead, item('OLD', {}, 'retired')];
    const drafts = withTexts(noDrafts, byValue(all), [{ value: 'LEAD', tag: 'de', text: 'Leitung' }]);
    expect(savedCounts(all)).toEqual(new Map([['de', 1]]));
    expect(countsWith(savedCounts(all), drafts, byValue(all)).get('de')).toBe(2);
    const removed = withTexts(drafts, byValue(all), [
      { value: 'CLERK', tag: 'de', text: '' },
      { value: 'OLD', tag: 'de', text: 'Alt' },
    ]);
    expect(countsWith(savedCounts(all), removed, byValue(all)).get('de')).toBe(1);
  });

  test('in a cell that is being saved stays, and does not conflict with what was saved', () => {
    const sent = withTexts(noDrafts, items, [
      { value: 'LEAD', tag: 'de', text: 'Leitung' },
      { value: 'LEAD', tag: 'fr', text: 'Chef' },
    ]);
    const typed = withTexts(sent, items, [{ value: 'LEAD', tag: 'de', text: 'Leitungskraft' }]);
    const left = afterSaving(typed, sent);
    expect([...left.keys()]).toEqual(['LEAD de']);
    expect(conflictsIn(left, byValue([item('LEAD', { de: 'Leitung', fr: 'Chef' })]))).toEqual([]);
  });

  test('a row with a missing translation stays untranslated until it is saved', () => {
    expect(untranslatedOnly([clerk, lead], ['de'])).toEqual([lead]);
    expect(untranslatedOnly([clerk, lead], ['de', 'fr'])).toEqual([clerk, lead]);
    expect(untranslatedOnly([clerk, lead], [])).toEqual([]);
  });

  test('the languages of a list are sorted by number of labels', () => {
    expect(languagesIn([clerk, item('A', { fr: 'a', de: 'a' }), item('B', { ar: 'b' })])).toEqual(['de', 'ar', 'fr']);
  });
});

describe('a change by a colleague', () => {
  const drafts = withTexts(noDrafts, items, [
    { value: 'CLERK', tag: 'de', text: 'Bürokraft' },
    { value: 'LEAD', tag: 'de', text: 'Leitung' },
  ]);
  const theirs = item('CLERK', { de: 'Angestellte' });
  const changed = byValue([theirs, lead]);

  test('to the same cell is a conflict with mine and theirs', () => {
    expect(cellOf(theirs, 'de', drafts)).toEqual({ text: 'Bürokraft', isChanged: true, theirs: 'Angestellte' });
    expect(conflictsIn(drafts, changed).map(({ value }) => value)).toEqual(['CLERK']);
    const more = withTexts(drafts, changed, [{ value: 'CLERK', tag: 'de', text: 'Bürofachkraft' }]);
    expect(cellOf(theirs, 'de', more).theirs).toBe('Angestellte');
  });

  test('to a different cell is not a conflict', () => {
    const other = byValue([item('CLERK', { de: 'Sachbearbeiter', fr: 'Employé' }), lead]);
    expect(conflictsIn(drafts, other)).toEqual([]);
  });

  test('to the same text leaves nothing to save', () => {
    const same = byValue([item('CLERK', { de: 'Bürokraft' }), lead]);
    expect(conflictsIn(drafts, same)).toEqual([]);
    expect([...withoutSaved(drafts, same).keys()]).toEqual(['LEAD de']);
    expect(withoutSaved(drafts, changed)).toBe(drafts);
  });

  test('is decided cell by cell', () => {
    expect(conflictsIn(keepMine(drafts, theirs, 'de'), changed)).toEqual([]);
    expect(cellOf(theirs, 'de', keepMine(drafts, theirs, 'de')).text).toBe('Bürokraft');
    const given = takeTheirs(drafts, { value: 'CLERK', tag: 'de' });
    expect(cellOf(theirs, 'de', given)).toEqual({ text: 'Angestellte', isChanged: false, theirs: undefined });
  });
});

describe('a block from a spreadsheet', () => {
  test.each([
    [
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"two\nlines"\t"say ""yes"""', [['two\nlines', 'say "yes"']]],
    ['"Acting" clerk\tb', [['"Acting" clerk', 'b']]],
    ['"open\tb', [['"open', 'b']]],
    ['a\t\tc\t', [['a', '', 'c', '']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['one', [['one']]],
    ['', []],
  ])('%j is read as %j', (text, rows) => {
    expect(parseBlock(text)).toEqual(rows);
  });

  test('reports cells without a row or a language', () => {
    const block = parseBlock('a\tb\nc\td\ne\t\n');
    const plan = planPaste(block, [clerk, lead], ['de', 'fr'], { row: 1, column: 1 });
    expect(plan.texts).toEqual([{ value: 'LEAD', tag: 'fr', text: 'a' }]);
    expect(plan).toMatchObject({ outside: 4, missingRows: 2, missingLanguages: 1 });
    expect(planPaste(block, [clerk, lead], ['de', 'fr'], { row: 0, column: 0 })).toMatchObject({ outside: 1 });
  });

  test('is undone as a whole, and later input stays', () => {
    const before = withTexts(noDrafts, items, [{ value: 'LEAD', tag: 'fr', text: 'Chef' }]);
    const { drafts, record } = applyPaste(before, items, [
      { value: 'CLERK', tag: 'de', text: 'Eins' },
      { value: 'CLERK', tag: 'fr', text: 'Un' },
      { value: 'LEAD', tag: 'de', text: '' },
      { value: 'LEAD', tag: 'fr', text: 'Deux' },
    ]);
    expect(record.length).toBe(3);
    expect(undoPaste(drafts, record)).toEqual(before);
    const typed = withTexts(drafts, items, [{ value: 'CLERK', tag: 'fr', text: 'Autre' }]);
    expect([...undoPaste(typed, record).values()].map(({ text }) => text).sort()).toEqual(['Autre', 'Chef']);
  });

  test('is read in linear time, even with 256 KiB', () => {
    expect(parseBlock('"'.repeat(200_000)).length).toBe(1);
    expect(parseBlock('"a\t\n'.repeat(60_000)).length).toBe(60_000);
  });
});

describe('the document', () => {
  const drafts = withTexts(noDrafts, items, [
    { value: 'LEAD', tag: 'de', text: 'Leitung' },
    { value: 'CLERK', tag: 'de', text: '' },
    { value: 'CLERK', tag: 'fr', text: 'Employé' },
  ]);
  const document = translationDocument({ list: 'position', version: 7, items: [...items.values()] }, drafts);

  test('has only the changed values, and null for each removed label', () => {
    expect(document).toEqual({
      lists: {
        position: {
          version: 7,
          items: [
            { value: 'CLERK', label: 'Label of CLERK', labels: { de: null, fr: 'Employé' } },
            { value: 'LEAD', label: 'Label of LEAD', labels: { de: 'Leitung' } },
          ],
        },
      },
    });
    expect(LookupDocument.safeParse(document).success).toBeTrue();
  });

  test('is measured in bytes, and the drafts that fit are known', () => {
    const many = Array.from({ length: 3000 }, (_, index) => item(`V${index}`));
    const texts = many.map(({ value }) => ({ value, tag: 'ja', text: '職'.repeat(50) }));
    const all = withTexts(noDrafts, byValue(many), texts);
    const { bytes, isTooLarge, fitting } = sizeOfDocument('position', many, all);
    expect(isTooLarge).toBeTrue();
    expect(bytes).toBeGreaterThan(largestSaveBytes);
    const part = translationDocument({ list: 'position', version: 1, items: many }, fitting);
    const size = new TextEncoder().encode(JSON.stringify(part)).length;
    expect(size).toBeLessThanOrEqual(largestSaveBytes);
    expect(size).toBeGreaterThan(largestSaveBytes - 500);
    expect(sizeOfDocument('position', many, fitting).isTooLarge).toBeFalse();
    expect(sizeOfDocument('position', [...items.values()], drafts).fitting).toEqual(drafts);
  });

  test('a fault that the service reports is assigned to its cell', () => {
    expect(cellOfFault('lists.position.items.1.labels.de', 'position', document)).toEqual({ value: 'LEAD', tag: 'de' });
    expect(cellOfFault('lists.position.items.1.label', 'position', document)).toBeUndefined();
    expect(cellOfFault('lists.other.items.1.labels.de', 'position', document)).toBeUndefined();
  });

  test('faults are found before the service refuses them', () => {
    expect(cellFault('𝔸'.repeat(200))).toBeUndefined();
    expect(cellFault('a'.repeat(201))).toBe('too-long');
    expect(cellFault('a\u0007b')).toBe('control-character');
  });
});
