// What forms get to see of a list: on a day, in the languages wanted, in order.
import { contentLanguage, labelFor } from './languages.ts';
import { currentOf, type Item, type List } from './list.ts';

export interface Question {
  /** Undefined: today. */
  day: string | undefined;
  wishes: readonly string[];
  include: readonly string[];
}

export interface ShownItem {
  label: string;
  value: string;
  sortOrder: number;
}

export interface ShownList {
  language: string | null;
  items: ShownItem[];
}

export function showList(list: List, { day, wishes, include }: Question, today: string): ShownList {
  const items = Object.values(currentOf(list).items).filter(
    (item) => include.includes(item.value) || (item.status === 'active' && isValidOn(item, day ?? today)),
  );
  return inOrder(items, wishes);
}

export const isValidOn = ({ validFrom, validTo }: Item, day: string) =>
  (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);

/** By sortOrder, then by the label shown as the language of the answer sorts, then by value. */
function inOrder(items: readonly Item[], wishes: readonly string[]): ShownList {
  const shown = items.map((item) => ({ item, ...labelFor(item, wishes) }));
  const language = contentLanguage(shown);
  const { compare } = new Intl.Collator(language ?? 'en');
  const sorted = shown.sort(
    (a, b) =>
      a.item.sortOrder - b.item.sortOrder || compare(a.label, b.label) || (a.item.value < b.item.value ? -1 : 1),
  );
  return { language, items: sorted.map(({ label, item: { value, sortOrder } }) => ({ label, value, sortOrder })) };
}

/** As those see it who keep it: everything, by the plain label. */
export function keptItems(list: List): Item[] {
  const { items } = currentOf(list);
  return inOrder(Object.values(items), []).items.map(({ value }) => items[value] as Item);
}
