// The changes of a version as the history stores them: one JSON text, of ten thousand changes and more. It is divided
// before it is parsed, so that what an answer does not show costs next to nothing, and the rest can be parsed in slices.

import type { Pauses } from '../pauses.ts';
import { Change, type ItemState, isItemChange } from './change.ts';

/** As a text that `changeTexts` divides. Most items have no codes, tags, description or parents, which are left out then. */
export async function changesText(changes: readonly Change[], pauses: Pauses): Promise<string> {
  const texts: string[] = [];
  await pauses.inSlices(changes, (slice) => texts.push(JSON.stringify(slice.map(toStore)).slice(1, -1)));
  return `[${texts.join(',')}]`;
}

function toStore(change: Change): object {
  if (!isItemChange(change)) return change;
  const { value, before, after } = change;
  return { value, before: before && withoutEmpty(before), after: withoutEmpty(after) };
}

/** JSON leaves out what is undefined; parsing it gives these fields what they are without it. */
function withoutEmpty(item: ItemState): object {
  return {
    ...item,
    codes: isEmpty(item.codes) ? undefined : item.codes,
    tags: item.tags.length === 0 ? undefined : item.tags,
    description: item.description ?? undefined,
    parents: isEmpty(item.parents) ? undefined : item.parents,
  };
}

function isEmpty(entries: object): boolean {
  for (const _ in entries) return false;
  return true;
}

// A quote within a text is escaped, and no item has objects in an array: this stands between two changes only.
const between = '},{"value":';

/** Each change as a text of its own. */
export function changeTexts(stored: string): string[] {
  if (stored === '[]') return [];
  if (!stored.startsWith('[{"value":')) throw new Error('a version whose changes are not stored as expected');
  const parts = stored.slice(1, -1).split(between);
  const last = parts.length - 1;
  return parts.map((part, index) => `${index === 0 ? '' : '{"value":'}${part}${index === last ? '' : '}'}`);
}

/** With what the change of a value begins, and nothing else: an item has its label behind its value. */
export const startOfChange = (value: string) => `{"value":${JSON.stringify(value)},"before":`;

/**
 * The first change of a text that begins with one and may have been cut after so many characters. Undefined: the change
 * is longer.
 */
export function firstChangeText(text: string, characters: number): string | undefined {
  const end = text.indexOf(between);
  if (end !== -1) return text.slice(0, end + 1);
  // The last one, with the end of the array behind it. A character may be two in JavaScript, and none less.
  const isWhole = text.length < characters || Array.from(text).length < characters;
  return isWhole ? text.slice(0, -1) : undefined;
}

export function parseChanges(texts: readonly string[], pauses: Pauses): Promise<Change[]> {
  return pauses.map(texts, (text) => Change.parse(JSON.parse(text)));
}
