// What moves rows: the handle by pointer or keyboard, the buttons up and down, the row's menu.
import { type KeyboardEvent, useRef } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import type { DropPosition } from '../../../lists/items/value-order.ts';
import { listTexts } from '../texts.ts';
import type { useMoving } from './use-moving.ts';

interface RowMovesOptions {
  /** The rows as they are shown, in the list's own order: retired ones last. */
  rows: readonly KeptItem[];
  moving: ReturnType<typeof useMoving>;
  selection: ReadonlySet<string>;
  announce: (text: string) => void;
  /** Brings a row into view once it is drawn. */
  reveal: (value: string | undefined) => void;
}

/** Rows that Page Up and Page Down move by. */
const pageRows = 10;

export function useRowMoves({ rows, moving, selection, announce, reveal }: RowMovesOptions) {
  const { held, step, collect, pickUp, drop, cancel } = moving;
  const heldValues = useRef<ReadonlySet<string>>(undefined);
  heldValues.current = held;
  /** Retired values have no place in the order. */
  const count = countActive(rows);

  const labelOf = (values: ReadonlySet<string>) => {
    const [first] = values;
    if (values.size > 1 || first === undefined) return listTexts.values(values.size);
    return rows.find(({ value }) => value === first)?.label ?? first;
  };
  const positionOf = (values: ReadonlySet<string>, order: readonly string[]) =>
    order.findIndex((value) => values.has(value)) + 1;

  /** With a value that is selected, all that are selected move. */
  function valuesWith(value: string): ReadonlySet<string> {
    if (!selection.has(value)) return new Set([value]);
    return new Set(rows.slice(0, count).flatMap((row) => (selection.has(row.value) ? [row.value] : [])));
  }

  /** Puts the values at the place of the row at `index`. */
  function place(values: ReadonlySet<string>, index: number): void {
    const target = rows[Math.max(0, Math.min(index, count - 1))];
    const first = rows.findIndex(({ value }) => values.has(value));
    if (target === undefined || first < 0) return;
    const isThere = values.has(target.value);
    announcePosition(values, isThere ? moving.order : step(values, target.value, index < first ? 'before' : 'after'));
  }

  function announcePosition(values: ReadonlySet<string>, order: readonly string[]): void {
    announce(listTexts.nowAt(labelOf(values), positionOf(values, order), order.length));
  }

  /** By so many rows; the ends of the list are as far as it goes. */
  function moveBy(values: ReadonlySet<string>, by: number): void {
    const isMoved = ({ value }: KeptItem) => values.has(value);
    reveal(rows.find(isMoved)?.value);
    place(values, by + (by < 0 ? rows.findIndex(isMoved) : rows.findLastIndex(isMoved)));
  }

  function moveNow(value: string, by: number): void {
    moveBy(valuesWith(value), by);
    collect();
  }

  /** Of the whole list, also where a part of it is shown. */
  function moveToEnd(value: string, position: DropPosition): void {
    const values = valuesWith(value);
    const isOther = (each: string) => !values.has(each);
    const target = position === 'before' ? moving.order.find(isOther) : moving.order.findLast(isOther);
    if (target === undefined) return;
    reveal(value);
    announcePosition(values, step(values, target, position));
    collect();
  }

  function dropHeld(values: ReadonlySet<string>): void {
    announce(listTexts.dropped(labelOf(values), positionOf(values, moving.order), moving.order.length));
    drop();
  }

  function cancelHeld(): void {
    announce(listTexts.notMoved);
    cancel();
  }

  const steps: Record<string, number> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -pageRows,
    PageDown: pageRows,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };

  function onHandleKeyDown(event: KeyboardEvent, value: string): void {
    const isHeld = held?.has(value) === true;
    const by = steps[event.key];
    if (event.key === ' ' || event.key === 'Enter') {
      if (isHeld) dropHeld(held);
      else {
        const values = valuesWith(value);
        pickUp(values);
        announce(listTexts.pickedUp(labelOf(values)));
      }
    } else if (isHeld && event.key === 'Escape') cancelHeld();
    else if (isHeld && by !== undefined) moveBy(held, by);
    // Leaving the handle is noticed there.
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    moveUp: (value: string) => moveNow(value, -1),
    moveDown: (value: string) => moveNow(value, 1),
    moveToTop: (value: string) => moveToEnd(value, 'before'),
    moveToBottom: (value: string) => moveToEnd(value, 'after'),
    onHandleKeyDown,
    onHandleBlur: (value: string) => {
      if (held?.has(value)) cancelHeld();
    },
    startDrag: (value: string) => {
      const values = valuesWith(value);
      heldValues.current = values;
      pickUp(values);
    },
    dragOver: (index: number) => {
      const values = heldValues.current;
      const target = rows[Math.max(0, Math.min(index, count - 1))];
      if (values !== undefined && target !== undefined && !values.has(target.value)) place(values, index);
    },
    endDrag: () => heldValues.current !== undefined && dropHeld(heldValues.current),
    cancelDrag: cancelHeld,
  };
}

/** Rows in the list's own order end with those that are retired. */
function countActive(rows: readonly KeptItem[]): number {
  const firstRetired = rows.findIndex(({ status }) => status === 'retired');
  return firstRetired < 0 ? rows.length : firstRetired;
}
