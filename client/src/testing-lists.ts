// The lists of the Frontdesk for tests: their items on a day, in a language, and for a selection.
import { type FinalOf, hasWords, passes, type Selection } from './testing-selection.ts';
import type { LookupItem } from './types.ts';

export interface TestItem {
  value: string;
  label: string;
  /** Translations, by language: `{ de: 'Buchhalterin' }`. */
  labels?: Readonly<Record<string, string>>;
  /** By default, the position in the array. */
  sortOrder?: number;
  isRetired?: boolean;
  /** When it was retired, as validate() returns it. */
  retiredAt?: string;
  replacedBy?: string;
  /** Dates such as 2027-01-31: the first and the last day on which it can be chosen. */
  validFrom?: string;
  validTo?: string;
  /** The fields that `fields` can request. */
  codes?: Readonly<Record<string, string>>;
  tags?: readonly string[];
  description?: string;
  /** By list: the values that this one is offered with, such as `{ country: ['DE'] }`. */
  parents?: Readonly<Record<string, readonly string[]>>;
}

export const today = () => new Date().toISOString().slice(0, 10);

export const isValidOn = ({ validFrom = '', validTo = '9999' }: TestItem, day: string) =>
  validFrom <= day && day <= validTo;

/** If the time of its retirement is known, it was on the list before that. */
const wasRetired = ({ isRetired = false, retiredAt = '' }: TestItem, day: string) =>
  isRetired && (day >= today() || retiredAt.slice(0, 10) <= day);

/** The translation into the first requested language. The service weighs all of them. */
export function labelIn({ label, labels = {} }: TestItem, acceptLanguage = ''): string {
  const [wanted = ''] = acceptLanguage.split(/[,;]/);
  return labels[wanted] ?? labels[wanted.replace(/-.*/, '')] ?? label;
}

/** The final replacement of a value. */
export function finalValue(items: readonly TestItem[], value: string): string {
  const find = (wanted: string | undefined) => items.find((item) => item.value === wanted);
  let last = find(value);
  // Bounded, because replacements in a document may form a cycle.
  for (const _ of items) {
    const next = find(last?.replacedBy);
    if (next === undefined) break;
    last = next;
  }
  return last?.value ?? value;
}

export function itemsOf(
  items: readonly TestItem[],
  selection: Selection,
  finalOf: FinalOf = (_, value) => value,
): LookupItem[] {
  const {
    include = [],
    asOf = today(),
    language,
    fields = [],
    words = '',
    limit = Number.POSITIVE_INFINITY,
  } = selection;
  const { compare } = new Intl.Collator(language ?? 'en');
  const isMatching = (item: TestItem, label: string) =>
    !wasRetired(item, asOf) && isValidOn(item, asOf) && passes(item, selection, finalOf) && hasWords(label, words);
  let count = 0;
  return items
    .map((item, index) => {
      const label = labelIn(item, language);
      const shown = { id: index + 1, label, value: item.value, sortOrder: item.sortOrder ?? (index + 1) * 10 };
      return { item, shown, isMatching: isMatching(item, label) };
    })
    .sort(
      ({ shown: a }, { shown: b }) =>
        a.sortOrder - b.sortOrder || compare(a.label, b.label) || (a.value < b.value ? -1 : 1),
    )
    .filter((each) => (each.isMatching && count++ < limit) || include.includes(each.item.value))
    .map(({ item, shown }) => {
      const { codes = {}, tags = [], description = null, parents = {} } = item;
      const others = Object.entries({ codes, tags, description, parents });
      return { ...shown, ...Object.fromEntries(others.filter(([name]) => fields.includes(name))) };
    });
}
