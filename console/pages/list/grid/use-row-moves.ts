// Moves rows by their handle (with pointer or keyboard), by the up and down buttons, and by the row's menu.
import { type KeyboardEvent, useRef } from 'react';
import type { DropPosition } from '../../../lists/items/value-order.ts';
import type { KeptItem } from '../../../shell/api.ts';
import { listTexts } from '../texts.ts';
import type { useMoving } from './use-moving.ts';

interface RowMovesOptions {
  /** The visible rows in list order, with retired values last. */
  rows: readonly KeptItem[];
  moving: ReturnType<typeof useMoving>;
  selection: ReadonlySet<string>;
  announce: (text: string) => void;
  /** Scrolls a row into view once it is rendered. */
  reveal: (value: string | undefined) => void;
}

/** Number of rows for Page Up and Page Down. */
const pageRows = 10;

export function useRowMoves({ rows, moving, selection, announce, reveal }: RowMovesOptions) {
  const { held, step, collect, pickUp, drop, cancel } = moving;
  const heldValues = useRef<ReadonlySet<string>>(undefined);
  heldValues.current = held;
  /** Number of rows that can be moved. Retired values cannot be moved. */
  const count = countActive(rows);

  const labelOf = (values: ReadonlySet<string>) => {
    const [first] = values;
    if (values.size > 1 || first === undefined) return listTexts.values(values.size);
    return rows.find(({ value }) => value === first)?.label ?? first;
  };
  const positionOf = (values: ReadonlySet<string>, order: readonly string[]) =>
    order.findIndex((value) => values.has(value)) + 1;

  /** If the value is selected, all selected values move together. */
  function valuesWith(value: string): ReadonlySet<string> {
    if (!selection.has(value)) return new Set([value]);
    return new Set(rows.slice(0, count).flatMap((row) => (selection.has(row.value) ? [row.value] : [])));
  }

  /** Moves the values to the row at `index`. */
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

  /** Moves the values by a number of rows (negative for up), at most to the first or last row. */
  function moveBy(values: ReadonlySet<string>, by: number): void {
    const isMoved = ({ value }: KeptItem) => values.has(value);
    reveal(rows.find(isMoved)?.value);
    place(values, by + (by < 0 ? rows.findIndex(isMoved) : rows.findLastIndex(isMoved)));
  }

  function moveNow(value: string, by: number): void {
    moveBy(valuesWith(value), by);
    collect();
  }

  /** Moves to the beginning or the end of the whole list, even if only a part of it is shown. */
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
    // Other keys are left alone. They may move the focus, which cancels the move.
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

/** Counts the rows before the first retired one: in list order, retired rows come last. */
function countActive(rows: readonly KeptItem[]): number {
  const firstRetired = rows.findIndex(({ status }) => status === 'retired');
  return firstRetired < 0 ? rows.length : firstRetired;
}
