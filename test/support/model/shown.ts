// What forms get from a list: the items on a day that match the selection, sorted, with labels in the accepted languages.
import { contentLanguage, labelFor, type Shown } from './languages.ts';
import { currentOf, type Item, type List } from './list.ts';
import { itemsOn } from './past.ts';
import { passes, type Selection } from './selection.ts';

export type Field = 'codes' | 'tags' | 'description' | 'parents';

export interface Question extends Selection {
  /** Undefined means today. */
  day: string | undefined;
  wishes: readonly string[];
  include: readonly string[];
  limit: number | undefined;
  fields: readonly Field[];
}

export type ShownItem = Pick<Item, 'label' | 'value' | 'sortOrder'> & Partial<Pick<Item, Field>>;

export interface ShownList {
  language: string | null;
  items: ShownItem[];
}

export const plainQuestion: Question = {
  day: undefined,
  wishes: [],
  include: [],
  where: [],
  finalOf: (_, value) => value,
  tags: [],
  code: undefined,
  q: undefined,
  limit: undefined,
  fields: [],
};

export function showList(list: List, question: Question, today: string): ShownList {
  const { day = today, wishes, include, limit, fields } = question;
  const all = itemsOn(list, day, today).map((each) => ({ ...each, ...labelFor(each.item, wishes) }));
  const passing = new Set(all.filter((each) => each.isOffered && passes(each.item, each, question)));
  const isIncluded = ({ item }: { item: Item }) => include.includes(item.value);
  const sorted = inOrder(all.filter((each) => passing.has(each) || isIncluded(each)));
  const first = new Set(sorted.filter((each) => passing.has(each)).slice(0, limit));
  const shown = sorted.filter((each) => first.has(each) || isIncluded(each));
  return {
    language: contentLanguage(shown),
    items: shown.map(({ label, item }) => ({
      label,
      value: item.value,
      sortOrder: item.sortOrder,
      ...Object.fromEntries(fields.map((field) => [field, item[field]])),
    })),
  };
}

/** Sorts by sortOrder, then by the shown label in its language's order, then by value. */
function inOrder<T extends Shown & { item: Item }>(shown: readonly T[]): T[] {
  const { compare } = new Intl.Collator(contentLanguage(shown) ?? 'en');
  return shown.toSorted(
    (a, b) =>
      a.item.sortOrder - b.item.sortOrder || compare(a.label, b.label) || (a.item.value < b.item.value ? -1 : 1),
  );
}

/** All items as the list's keepers see them, with items of the same sortOrder sorted by their plain labels. */
export const keptItems = (list: List): Item[] =>
  inOrder(Object.values(currentOf(list).items).map((item) => ({ item, ...labelFor(item, []) }))).map(
    ({ item }) => item,
  );
