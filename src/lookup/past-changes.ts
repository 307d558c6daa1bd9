// What the items of a list were before each change, from the text of its history.
import { z } from 'zod';
import { ItemBefore, type ItemState } from './change.ts';
import type { Pauses } from './pauses.ts';

export interface PastChange {
  version: number;
  value: string;
  /** Null: it was not there. */
  before: ItemState | null;
}

/** Of a change of the list itself, nothing is taken. */
const StoredChange = z.object({ value: z.string().nullable(), before: z.unknown() });

// Quotes inside a text are escaped, so this is only found between two changes.
const between = '},{"value":';
const piece = 64 * 1024;

export async function parsePastChanges(version: number, text: string, pauses: Pauses): Promise<PastChange[]> {
  const parsed: PastChange[] = [];
  for (const part of piecesOf(text)) {
    for (const { value, before } of StoredChange.array().parse(JSON.parse(part))) {
      if (value !== null) parsed.push({ version, value, before: ItemBefore.parse(before) });
    }
    await pauses.ifDue();
  }
  return parsed;
}

/** An array of changes as several: parsing that of 50,000 at once would hold up other requests. */
export function* piecesOf(text: string): Generator<string> {
  let start = 0;
  for (let cut = text.indexOf(between, piece); cut !== -1; cut = text.indexOf(between, start + piece)) {
    yield `${start === 0 ? '' : '['}${text.slice(start, cut + 1)}]`;
    start = cut + 2;
  }
  yield `${start === 0 ? '' : '['}${text.slice(start)}`;
}

/** For the items that were changed after a version: what they were at it. The oldest change after it says so. */
export function addBefore(found: Map<string, ItemState | null>, changes: readonly PastChange[], after: number): void {
  for (const { version, value, before } of changes) {
    if (version > after && !found.has(value)) found.set(value, before);
  }
}
