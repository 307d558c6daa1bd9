// The order of a list's items in every answer and file. The database does not sort them, because the two engines sort
// text differently.

import { baseLanguage } from './label-language.ts';

export interface Sortable {
  sortOrder: number;
  /** The label shown. */
  label: string;
  value: string;
}

/** Sorts by sortOrder, then by the label shown (sorted as its language does), then by value. Plain labels sort as English. */
export function displayOrder<T extends Sortable>(
  language = baseLanguage,
  labelOf: (item: T) => string = ({ label }) => label,
): (a: T, b: T) => number {
  const { compare } = new Intl.Collator(language === baseLanguage ? 'en' : language);
  return (a, b) => a.sortOrder - b.sortOrder || compare(labelOf(a), labelOf(b)) || (a.value < b.value ? -1 : 1);
}
