import { describe, expect, test } from 'bun:test';
import { rowOffsets, rowsInView } from './rows-in-view.ts';

describe('rows in view', () => {
  const offsets = rowOffsets(
    Array.from({ length: 1000 }, (_, index) => index),
    (row) => (row === 500 ? 100 : 40),
  );

  test('are those in view and a few around them', () => {
    expect(rowsInView(offsets, 0, 400)).toEqual({ from: 0, to: 17 });
    expect(rowsInView(offsets, 20_000, 400)).toEqual({ from: 494, to: 515 });
    expect(rowsInView(offsets, 1_000_000, 400)).toEqual({ from: 993, to: 1000 });
    expect(offsets.at(-1)).toBe(40_060);
  });

  test('are none in an empty table', () => {
    expect(
      rowsInView(
        rowOffsets([], () => 40),
        0,
        400,
      ),
    ).toEqual({ from: 0, to: 0 });
  });
});
