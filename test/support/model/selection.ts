// What a form may request of a list, and which items are selected.
import type { Shown } from './languages.ts';
import type { Item } from './list.ts';

export interface Selection {
  /** Pairs of a list and one of its values. */
  where: readonly (readonly [list: string, value: string])[];
  /** Returns the final replacement of a value, on the requested day. */
  finalOf: (list: string, value: string) => string;
  tags: readonly string[];
  code: readonly [system: string, code: string] | undefined;
  q: string | undefined;
}

export const passes = (item: Item, { label }: Shown, { where, finalOf, tags, code, q }: Selection): boolean =>
  isOfferedWith(item, where, finalOf) &&
  tags.every((tag) => item.tags.includes(tag)) &&
  (code === undefined || item.codes[code[0]] === code[1]) &&
  (q === undefined || isFound(label, q));

/** If the item has parents in a list that `where` names, `where` must name one of those parents. */
function isOfferedWith({ parents }: Item, where: Selection['where'], finalOf: Selection['finalOf']): boolean {
  return [...new Set(where.map(([list]) => list))].every((list) => {
    const wanted = where.filter((each) => each[0] === list).map((each) => finalOf(list, each[1]));
    return parents[list]?.some((value) => wanted.includes(finalOf(list, value))) ?? true;
  });
}

/** The label must have a word starting with each word of `q`. In scripts without spaces, the word may be anywhere. */
function isFound(label: string, q: string): boolean {
  const words = wordsOf(label);
  return wordsOf(q).every((wanted) =>
    /\p{Script=Han}/u.test(wanted)
      ? words.some((word) => word.includes(wanted))
      : words.some((word) => word.startsWith(wanted)),
  );
}

/** The words of a text, without case and accents. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
