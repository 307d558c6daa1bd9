// Converts the grid's drafts to a document that changes the list. Pure.
import { hasAtMost, lineRules } from '../../../src/lookup/rules/text.ts';
import type { LookupDocument } from '../../shell/api.ts';
import { type CellPlace, cellKey, type Draft, type Drafts, type GridItem } from './drafts.ts';

const longestLabel = 200;

/** The service merges labels by language; null removes a label. The plain label is required, so it is sent unchanged. */
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

/** Maximum size of one save. */
export const largestSaveBytes = 256 * 1024;

export interface DocumentSize {
  bytes: number;
  isTooLarge: boolean;
  /** The drafts that fit into one save, in row order. */
  fitting: Drafts;
}

/** Serializes each row only once. */
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

type CellFault = 'too-long' | 'control-character';

/** Finds the faults that can be reported while the user types. */
export function cellFault(text: string): CellFault | undefined {
  if (!hasAtMost(longestLabel, text)) return 'too-long';
  return lineRules.control(text) && lineRules.separator(text) ? undefined : 'control-character';
}

/** The cell that a fault such as `lists.position.items.3.labels.de` refers to. */
export function cellOfFault(field: string, list: string, document: LookupDocument): CellPlace | undefined {
  const prefix = `lists.${list}.items.`;
  if (!field.startsWith(prefix)) return undefined;
  const [index, part, tag] = field.slice(prefix.length).split('.');
  const value = document.lists[list]?.items?.[Number(index)]?.value;
  return part === 'labels' && value !== undefined && tag !== undefined ? { value, tag } : undefined;
}
