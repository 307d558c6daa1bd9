// Keyboard control of the grid: Tab moves to the current row, arrow keys move to other rows.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { KeptItem } from '../../../shell/api.ts';

interface RowKeysOptions {
  body: RefObject<HTMLElement | null>;
  rows: readonly KeptItem[];
  mayKeep: boolean;
  canMove: boolean;
  open: (value: string) => void;
  toggle: (value: string, isRange: boolean) => void;
  extend: (from: string, to: string) => void;
  selectAll: () => void;
  clearSelection: () => boolean;
  startRename: (value: string) => void;
  moveUp: (value: string) => void;
  moveDown: (value: string) => void;
}

const pageRows = 10;

export function useRowKeys(options: RowKeysOptions) {
  const { body, rows, mayKeep, canMove } = options;
  const [current, setCurrent] = useState<string>();
  const isToFocus = useRef(false);

  useLayoutEffect(() => {
    if (!isToFocus.current) return;
    isToFocus.current = false;
    const row = rowOf(body.current, current);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  });

  function focusRow(value: string | undefined): void {
    if (value === undefined) return;
    isToFocus.current = true;
    setCurrent(value);
    // A row that becomes the current one is focused after rendering. If it is the current one already, nothing is
    // rendered, so it is focused here.
    if (value === current) rowOf(body.current, value)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-value]');
    const value = row?.dataset.value;
    if (row === null || value === undefined) return;
    if (handleKey(event, row, value)) event.preventDefault();
  }

  /** Returns true if the key was handled. */
  function handleKey(event: KeyboardEvent, row: HTMLElement, value: string): boolean {
    const { key, altKey, shiftKey } = event;
    const isOnRow = event.target === row;
    const index = rows.findIndex((item) => item.value === value);
    const goTo = (to: number) => {
      const next = rows[Math.max(0, Math.min(to, rows.length - 1))];
      if (shiftKey && mayKeep && next !== undefined) options.extend(value, next.value);
      focusRow(next?.value);
      return true;
    };
    if (altKey) {
      if (!canMove || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false;
      options[key === 'ArrowUp' ? 'moveUp' : 'moveDown'](value);
      return true;
    }
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() !== 'a' || !mayKeep) return false;
      options.selectAll();
      return true;
    }
    switch (key) {
      case 'ArrowUp':
        return goTo(index - 1);
      case 'ArrowDown':
        return goTo(index + 1);
      case 'PageUp':
        return goTo(index - pageRows);
      case 'PageDown':
        return goTo(index + pageRows);
      case 'Home':
        return goTo(0);
      case 'End':
        return goTo(rows.length - 1);
      case 'ArrowLeft':
      case 'ArrowRight':
        return focusInRow(row, event.target as HTMLElement, key === 'ArrowRight');
      case 'Escape':
        if (!isOnRow) focusRow(value);
        return !isOnRow || options.clearSelection();
      case 'F2':
        if (mayKeep) options.startRename(value);
        return mayKeep;
    }
    if (!isOnRow) return false;
    if (key === 'Enter') options.open(value);
    else if (key === ' ' && mayKeep) options.toggle(value, shiftKey);
    else return false;
    return true;
  }

  return { current, setCurrent, focusRow, onKeyDown };
}

const rowOf = (body: HTMLElement | null, value: string | undefined) =>
  value === undefined ? null : (body?.querySelector<HTMLElement>(`[data-value="${value}"]`) ?? null);

/** Moves through the focusable elements of a row in reading order. */
function focusInRow(row: HTMLElement, from: HTMLElement, isRight: boolean): boolean {
  const parts = [row, ...row.querySelectorAll<HTMLElement>('button, input')].filter(
    (part) => part.offsetParent !== null,
  );
  const isForward = isRight === (getComputedStyle(row).direction === 'ltr');
  parts[parts.indexOf(from) + (isForward ? 1 : -1)]?.focus();
  return true;
}
