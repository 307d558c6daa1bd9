// What was typed in the grid, as a document for one change of the list. Pure.
import type { LookupDocument } from '../../../src/lookup/lookup-document.schema.ts';
import { type CellPlace, cellKey, type Draft, type Drafts, type GridItem } from './translation-grid.ts';

const longestLabel = 200;

/** Labels are merged by language; null removes one. The plain label is required, and is sent as it is. */
export function translationDocument(
  { list, version, items }: { list: string; version: number; items: readonly GridItem[] },
  drafts: Drafts,
): LookupDocument {
  const byValue = Map.groupBy(drafts.values(), ({ value }) => value);
  const changed = items.flatMap(({ value, label }) => {
    const cells = byValue.get(value);
    if (cells === undefined) return [];
    const labels = Object.fromEntries(cells.map(({ tag, text }) => [tag, text === '' ? null : text]));
    return [{ value, label, labels }];
  });
  return { lists: { [list]: { version, items: changed } } };
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

/** What is saved at once: the rest is saved next. */
export const largestSaveBytes = 256 * 1024;

export interface DocumentSize {
  bytes: number;
  isTooLarge: boolean;
  /** As many of the changes, in the order of the rows, as can be saved at once. */
  fitting: Drafts;
}

/** Counted row by row, once. */
export function sizeOfDocument(list: string, items: readonly GridItem[], drafts: Drafts): DocumentSize {
  const byValue = Map.groupBy(drafts.values(), ({ value }) => value);
  const fitting = new Map<string, Draft>();
  let bytes = bytesOf(translationDocument({ list, version: Number.MAX_SAFE_INTEGER, items: [] }, drafts));
  for (const item of items) {
    const cells = byValue.get(item.value);
    if (cells === undefined) continue;
    const ofRow = new Map(cells.map((cell) => [cellKey(cell), cell]));
    const row = translationDocument({ list, version: 1, items: [item] }, ofRow).lists[list]?.items?.[0];
    bytes += bytesOf(row) + 1;
    if (bytes <= largestSaveBytes) for (const [key, cell] of ofRow) fitting.set(key, cell);
  }
  return { bytes, isTooLarge: bytes > largestSaveBytes, fitting };
}

export type CellFault = 'too-long' | 'control-character';

/** What the service would refuse, known while typing. */
export function cellFault(text: string): CellFault | undefined {
  if (text.length > longestLabel && Array.from(text).length > longestLabel) return 'too-long';
  return /\p{Cc}|[\p{Zl}\p{Zp}]/u.test(text) ? 'control-character' : undefined;
}

/** The cell that a fault of the service is about: `lists.position.items.3.labels.de`. */
export function cellOfFault(field: string, list: string, document: LookupDocument): CellPlace | undefined {
  const prefix = `lists.${list}.items.`;
  if (!field.startsWith(prefix)) return undefined;
  const [index, part, tag] = field.slice(prefix.length).split('.');
  const value = document.lists[list]?.items?.[Number(index)]?.value;
  return part === 'labels' && value !== undefined && tag !== undefined ? { value, tag } : undefined;
}
