// What the items of a list were before each change, from the text of its history.
import { z } from 'zod';
import { ItemBefore, type ItemState } from '../changing/change.ts';
import { changeTexts } from '../changing/stored-changes.ts';
import type { Pauses } from '../pauses.ts';

export interface PastChange {
  version: number;
  value: string;
  /** Null: it was not there. */
  before: ItemState | null;
}

/** Of a change of the list itself, nothing is taken. */
const StoredChange = z.object({ value: z.string().nullable(), before: z.unknown() });

export async function parsePastChanges(version: number, text: string, pauses: Pauses): Promise<PastChange[]> {
  const parsed: PastChange[] = [];
  await pauses.map(changeTexts(text), (change) => {
    const { value, before } = StoredChange.parse(JSON.parse(change));
    if (value !== null) parsed.push({ version, value, before: ItemBefore.parse(before) });
  });
  return parsed;
}

/** For the items that were changed after a version: what they were at it. The oldest change after it says so. */
export function addBefore(found: Map<string, ItemState | null>, changes: readonly PastChange[], after: number): void {
  for (const { version, value, before } of changes) {
    if (version > after && !found.has(value)) found.set(value, before);
  }
}
