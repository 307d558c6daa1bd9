import { describe, expect, test } from 'bun:test';
import { blankItem } from '../../../src/lookup/rules/item.ts';
import type { KeptItem } from '../../shell/api.ts';
import { addingDocument, checkRows, hasSeveralLines, readPaste } from './pasted-values.ts';
import { valueFromLabel } from './value-from-label.ts';

const item = (value: string, label: string, more: Partial<KeptItem> = {}): KeptItem => ({
  ...blankItem(value, label, 10),
  id: 1,
  ...more,
});
const rowsOf = (text: string) => {
  const paste = readPaste(text);
  if (paste === 'too many') throw new Error(paste);
  return paste;
};

describe('a paste', () => {
  test('has several lines or is one label', () => {
    expect(['Welder', 'Welder\r\n', ' Welder\tX ', 'Welder\nPlumber', 'A\rB'].map(hasSeveralLines)).toEqual([
      ...[false, false, false],
      ...[true, true],
    ]);
  });

  test('has labels in its first column, and values in the second if they look like values', () => {
    expect(rowsOf('Welder\nPlumber \n\n  \nA  b')).toEqual({
      rows: ['Welder', 'Plumber', 'A b'].map((label) => ({ label, value: null })),
      hasValues: false,
      hasMore: false,
    });
    expect(rowsOf('Label\tValue\nWelder\tWELD\nPlumber\t')).toEqual({
      rows: [
        { label: 'Label', value: null },
        { label: 'Welder', value: 'WELD' },
        { label: 'Plumber', value: null },
      ],
      hasValues: true,
      hasMore: false,
    });
    expect(rowsOf('Welder\tWELD\nPlumber\tsince 2020')).toMatchObject({ hasValues: false, hasMore: true });
    expect(rowsOf('Welder\tWELD\tx')).toMatchObject({ hasValues: true, hasMore: true });
  });

  test('is refused if it is too large', () => {
    expect(rowsOf('a\n'.repeat(500)).rows).toHaveLength(500);
    expect(readPaste('a\n'.repeat(501))).toBe('too many');
    expect(readPaste('a'.repeat(500_001))).toBe('too many');
  });
});

describe('pasted rows', () => {
  const items = [item('PORTER', 'Porter'), item('GIG', 'Gig worker', { status: 'retired' })];
  const check = (text: string) => checkRows(rowsOf(text).rows, items, valueFromLabel);

  test('are left out if the list already has them, even as retired values, or if the paste repeats them', () => {
    expect(
      check('Position\nporter\ngig Worker\nWelder\nWELDER').map(({ isChosen, doubt }) => [isChosen, doubt?.kind]),
    ).toEqual([
      [false, 'heading'],
      [false, 'exists'],
      [false, 'exists'],
      [true, undefined],
      [false, 'repeated'],
    ]);
  });

  test('each get a value that is not taken', () => {
    expect(check('Welder\nWelder!\nPorter?').map(({ value }) => value)).toEqual(['WELDER', 'WELDER_2', 'PORTER_2']);
    const rows = [
      { label: 'A', value: 'SAME' },
      { label: 'B', value: 'SAME' },
      { label: '', value: 'C' },
      { label: '…', value: null },
    ];
    expect(
      checkRows(rows, items, valueFromLabel).map(({ labelFault, valueFault }) => [labelFault, valueFault]),
    ).toEqual([
      [undefined, undefined],
      [undefined, 'Already exists (may be retired)'],
      ['Required', undefined],
      [undefined, 'Required'],
    ]);
  });

  test('are added at the end, in the order in which they were pasted', () => {
    const list = { list: 'position', version: 7, items: [item('PORTER', 'Porter', { sortOrder: 40 })] };
    const document = addingDocument(list as Parameters<typeof addingDocument>[0], check('Welder\nPlumber'));
    expect(document).toEqual({
      lists: {
        position: {
          version: 7,
          items: [
            { value: 'WELDER', label: 'Welder', sortOrder: 50 },
            { value: 'PLUMBER', label: 'Plumber', sortOrder: 60 },
          ],
        },
      },
    });
  });
});
