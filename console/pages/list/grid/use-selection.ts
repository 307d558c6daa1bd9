// The values selected for a bulk change.
import { useRef, useState } from 'react';
import type { KeptItem } from '../../../shell/api.ts';

export interface Selection {
  values: ReadonlySet<string>;
  /** With `isRange`, selects all rows from the last toggled row to this one. */
  toggle: (value: string, isRange: boolean) => void;
  /** Selects both rows and all rows between them. */
  extend: (from: string, to: string) => void;
  /** Selects all visible rows, or none if all are selected. */
  selectAll: () => void;
  /** Returns false if nothing was selected. */
  clearSelection: () => boolean;
  countOf: (rows: readonly KeptItem[]) => 'none' | 'some' | 'all';
}

const nothing: ReadonlySet<string> = new Set();

export function useSelection(rows: readonly KeptItem[]): Selection {
  const [values, setValues] = useState(nothing);
  const last = useRef<string>(undefined);

  function extend(from: string, to: string): void {
    const [first, second] = [from, to].map((value) => rows.findIndex((row) => row.value === value));
    last.current = to;
    if (first === undefined || second === undefined || first < 0 || second < 0) return;
    const between = rows.slice(Math.min(first, second), Math.max(first, second) + 1);
    setValues(new Set([...values, ...between.map(({ value }) => value)]));
  }

  function toggle(value: string, isRange: boolean): void {
    if (isRange && last.current !== undefined) {
      extend(last.current, value);
      return;
    }
    const next = new Set(values);
    if (!next.delete(value)) next.add(value);
    last.current = value;
    setValues(next);
  }

  function countOf(shown: readonly KeptItem[]): 'none' | 'some' | 'all' {
    if (values.size === 0 || shown.length === 0) return 'none';
    if (values.size >= shown.length && shown.every(({ value }) => values.has(value))) return 'all';
    return shown.some(({ value }) => values.has(value)) ? 'some' : 'none';
  }

  return {
    values,
    toggle,
    extend,
    selectAll: () => setValues(countOf(rows) === 'all' ? nothing : new Set(rows.map(({ value }) => value))),
    clearSelection() {
      setValues(nothing);
      return values.size > 0;
    },
    countOf,
  };
}
