// The one order of a list's items, for every answer and file. Not left to the database: engines disagree about text.
import { baseLanguage, labelIn } from './language.ts';

interface Sortable {
  value: string;
  label: string;
  labels: Readonly<Record<string, string>>;
  sortOrder: number;
}

/** By sortOrder, then by the label shown as its language sorts, then by value. Plain labels sort as English. */
export function inDisplayOrder<T extends Sortable>(items: readonly T[], language = baseLanguage): T[] {
  const { compare } = new Intl.Collator(language === baseLanguage ? 'en' : language);
  return items.toSorted(
    (a, b) =>
      a.sortOrder - b.sortOrder || compare(labelIn(a, language), labelIn(b, language)) || (a.value < b.value ? -1 : 1),
  );
}
