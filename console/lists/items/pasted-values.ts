// Values pasted as lines of text or as cells of a spreadsheet. Pure.
import { fold } from '../../../src/lookup/rules/fold.ts';
import { itemFields } from '../../../src/lookup/rules/item.ts';
import { isValue } from '../../../src/lookup/rules/names.ts';
import type { KeptItem, KeptList, LookupDocument } from '../../shell/api.ts';
import { columnNames } from '../columns/texts.ts';
import { lineFault, valueFault } from './item-fields.ts';
import { findLabel, labelKey, singleSpaced } from './item-search.ts';

/** Maximum number of values added at once. To add more, users import a file. */
export const maxPasted = 500;
const maxTextLength = 500_000;

/** A label is a single line, so each line becomes a value. */
export const hasSeveralLines = (text: string) => /[\r\n]/.test(text.trim());

/** Parses rows of cells that are separated by tabs. A quoted cell may contain tabs, line breaks and doubled quotes. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"' ? readQuoted(text, at) : undefined;
    const { cell, end } = quoted ?? readPlain(text, at);
    row.push(cell);
    at = end;
    if (text[at] === '\t') {
      at++;
      if (at < text.length) continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

interface ReadCell {
  cell: string;
  /** Position of the tab or line break after the cell. */
  end: number;
}

const cellEnd = /[\t\r\n]|$/g;

function readPlain(text: string, start: number): ReadCell {
  cellEnd.lastIndex = start;
  const end = cellEnd.exec(text)?.index ?? text.length;
  return { cell: text.slice(start, end), end };
}

/** Returns undefined for unquoted text that starts with a quote, such as `"Acting" clerk`. */
function readQuoted(text: string, start: number): ReadCell | undefined {
  const parts: string[] = [];
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') {
      const end = quote + 1;
      return end === text.length || /[\t\r\n]/.test(text[end] ?? '') ? { cell: parts.join(''), end } : undefined;
    }
    parts.push('"');
    at = quote + 2;
  }
}

/** A row as pasted and edited. */
export interface PastedRow {
  label: string;
  /** Null if it is proposed from the label. */
  value: string | null;
  /** Undefined until the user decides. Until then, the row is chosen unless there is a doubt about it. */
  isChosen?: boolean;
}

interface Paste {
  rows: PastedRow[];
  /** Whether the values come from the second column. */
  hasValues: boolean;
  /** Whether there are further columns, which are ignored. */
  hasMore: boolean;
}

/** Reads the labels from the first column, and the values from the second one if all its cells look like values. */
export function readPaste(text: string): Paste | 'too many' {
  if (text.length > maxTextLength) return 'too many';
  const cells = parseBlock(text).map((row) => row.map(singleSpaced));
  const block = cells.filter(([label = '']) => label !== '');
  if (block.length > maxPasted) return 'too many';
  const second = block.slice(isHeading(block[0]?.[0] ?? '') ? 1 : 0).flatMap(([, value = '']) => value || []);
  const hasValues = second.length > 0 && second.every(isValue);
  return {
    rows: block.map(([label = '', value = '']) => ({ label, value: hasValues && isValue(value) ? value : null })),
    hasValues,
    hasMore: block.some((row) => row.slice(hasValues ? 2 : 1).some((cell) => cell !== '')),
  };
}

const isHeading = (label: string) => columnNames.label.includes(fold(label));

export interface CheckedRow {
  label: string;
  value: string;
  isChosen: boolean;
  /** Why the row is left out unless the user chooses it. */
  doubt?: { kind: 'heading' } | { kind: 'exists'; item: KeptItem } | { kind: 'repeated'; line: number };
  labelFault?: string | undefined;
  valueFault?: string | undefined;
}

/** `propose` converts a label to a value that is not in `taken`. */
export function checkRows(
  rows: readonly PastedRow[],
  items: readonly KeptItem[],
  propose: (label: string, taken: ReadonlySet<string>) => string,
): CheckedRow[] {
  const taken = new Set(items.map(({ value }) => value));
  const labels = new Set(items.map(({ label }) => labelKey(label)));
  const lines = new Map<string, number>();
  return rows.map((row, index) => {
    const { label } = row;
    const key = labelKey(label);
    const item = labels.has(key) ? findLabel(items, label) : undefined;
    const earlier = lines.get(key);
    if (earlier === undefined) lines.set(key, index + 1);
    const doubt: CheckedRow['doubt'] =
      index === 0 && isHeading(label)
        ? { kind: 'heading' }
        : item !== undefined
          ? { kind: 'exists', item }
          : earlier !== undefined
            ? { kind: 'repeated', line: earlier }
            : undefined;
    const isChosen = row.isChosen ?? doubt === undefined;
    const value = row.value ?? propose(label, taken);
    const checked = { label, value, isChosen, ...(doubt && { doubt }) };
    if (!isChosen) return checked;
    const faults = {
      labelFault: lineFault(label, itemFields.label.most, true),
      valueFault: valueFault(value, taken),
    };
    taken.add(value);
    return { ...checked, ...faults };
  });
}

/** Adds the values after all others, in the order in which they were pasted. */
export function addingDocument({ list, version, items }: KeptList, rows: readonly CheckedRow[]): LookupDocument {
  const last = items.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder), 0);
  const added = rows.map(({ value, label }, index) => ({
    value,
    label: label.trim(),
    sortOrder: last + 10 * (index + 1),
  }));
  return { lists: { [list]: { version, items: added } } };
}
