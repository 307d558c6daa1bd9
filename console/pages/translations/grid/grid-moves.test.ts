import { describe, expect, test } from 'bun:test';
import { moveFor } from './grid-moves.ts';

const size = { rows: 10, columns: 3, page: 4 };
const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
const typing = { isInText: false, isRightToLeft: false };
const from = { row: 5, column: 1 };
type Row = [key: string, place: { row: number; column: number } | undefined, held?: Partial<typeof plain>];

describe('keys of the grid', () => {
  const rows: Row[] = [
    ['ArrowUp', { row: 4, column: 1 }],
    ['ArrowDown', { row: 6, column: 1 }],
    ['ArrowLeft', { row: 5, column: 0 }],
    ['ArrowRight', { row: 5, column: 2 }],
    ['Enter', { row: 6, column: 1 }],
    ['Enter', { row: 4, column: 1 }, { shiftKey: true }],
    ['Tab', { row: 5, column: 2 }],
    ['Tab', { row: 5, column: 0 }, { shiftKey: true }],
    ['Home', { row: 5, column: 0 }],
    ['End', { row: 5, column: 2 }],
    ['Home', { row: 0, column: 0 }, { ctrlKey: true }],
    ['End', { row: 9, column: 2 }, { metaKey: true }],
    ['PageUp', { row: 1, column: 1 }],
    ['PageDown', { row: 9, column: 1 }],
    ['a', undefined],
    ['ArrowLeft', undefined, { shiftKey: true }],
    ['ArrowLeft', undefined, { altKey: true }],
    ['ArrowLeft', undefined, { ctrlKey: true }],
  ];
  test.each(rows)('%s leads to %j with %j', (key, place, held = {}) => {
    expect(moveFor({ ...plain, ...held, key }, from, size, typing)).toEqual(place);
  });

  test('after F2, arrows move within the text; Enter and Tab still move to another cell', () => {
    const inText = { ...typing, isInText: true };
    expect(moveFor({ ...plain, key: 'ArrowLeft' }, from, size, inText)).toBeUndefined();
    expect(moveFor({ ...plain, key: 'Home' }, from, size, inText)).toBeUndefined();
    expect(moveFor({ ...plain, key: 'Enter' }, from, size, inText)).toEqual({ row: 6, column: 1 });
    expect(moveFor({ ...plain, key: 'Tab' }, from, size, inText)).toEqual({ row: 5, column: 2 });
  });

  test('in right-to-left languages, the left arrow moves to the next column', () => {
    const mode = { isInText: false, isRightToLeft: true };
    expect(moveFor({ ...plain, key: 'ArrowLeft' }, from, size, mode)).toEqual({ row: 5, column: 2 });
  });

  test('Tab continues in the next row, and leaves the grid at the first and last cell', () => {
    const tab = { ...plain, key: 'Tab' };
    expect(moveFor(tab, { row: 5, column: 2 }, size, typing)).toEqual({ row: 6, column: 0 });
    expect(moveFor(tab, { row: 9, column: 2 }, size, typing)).toBeUndefined();
    expect(moveFor({ ...tab, shiftKey: true }, { row: 0, column: 0 }, size, typing)).toBeUndefined();
    expect(moveFor({ ...plain, key: 'Enter' }, { row: 9, column: 2 }, size, typing)).toEqual({ row: 9, column: 2 });
  });
});
