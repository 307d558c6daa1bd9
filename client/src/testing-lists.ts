// The lists of the Frontdesk for tests: what is on them on a day, in a language, and what is said of stored values.
import type { LookupItem, ValidateResult } from './types.ts';

export interface TestItem {
  value: string;
  label: string;
  /** Translations, by language: `{ de: 'Buchhalterin' }`. */
  labels?: Readonly<Record<string, string>>;
  /** The place in the array, where it is left out. */
  sortOrder?: number;
  isRetired?: boolean;
  /** When it was retired, as validate() says it. */
  retiredAt?: string;
  replacedBy?: string;
  /** Dates like 2027-01-31: the first and the last day on which it can be chosen. */
  validFrom?: string;
  validTo?: string;
  /** By list: the values of it with which this one is offered, like `{ country: ['DE'] }`. */
  parents?: Readonly<Record<string, readonly string[]>>;
}

interface Selection {
  include?: readonly string[];
  /** A date; today where it is left out. */
  asOf?: string | undefined;
  language: string | undefined;
}

const today = () => new Date().toISOString().slice(0, 10);

const isValidOn = ({ validFrom = '', validTo = '9999' }: TestItem, day: string) => validFrom <= day && day <= validTo;

/** Where it is known when, it was on the list before that. */
const wasRetired = ({ isRetired = false, retiredAt = '' }: TestItem, day: string) =>
  isRetired && (day >= today() || retiredAt.slice(0, 10) <= day);

/** The translation into the first language that is asked for. The service weighs all of them. */
function labelIn({ label, labels = {} }: TestItem, acceptLanguage = ''): string {
  const [wanted = ''] = acceptLanguage.split(/[,;]/);
  return labels[wanted] ?? labels[wanted.replace(/-.*/, '')] ?? label;
}

export function itemsOf(
  items: readonly TestItem[],
  { include = [], asOf = today(), language }: Selection,
): LookupItem[] {
  const { compare } = new Intl.Collator(language ?? 'en');
  return items
    .map((item, index) => ({ item, id: index + 1, sortOrder: item.sortOrder ?? (index + 1) * 10 }))
    .filter(({ item }) => include.includes(item.value) || (!wasRetired(item, asOf) && isValidOn(item, asOf)))
    .map(({ item, id, sortOrder }) => ({ id, label: labelIn(item, language), value: item.value, sortOrder }))
    .sort((a, b) => a.sortOrder - b.sortOrder || compare(a.label, b.label) || (a.value < b.value ? -1 : 1));
}

type Lists = ReadonlyMap<string, { items: readonly TestItem[] }>;
type Outcome = ValidateResult['results'][number];

export function judgeAll(
  stored: Readonly<Record<string, string | string[]>>,
  lists: Lists,
  language: string | undefined,
): Outcome[] {
  return Object.entries(stored).flatMap(([list, values]) => {
    const items = lists.get(list)?.items ?? [];
    const find = (value: string | undefined) => items.find((item) => item.value === value);
    return [values].flat().map((value): Outcome => {
      const item = find(value);
      if (item === undefined) {
        const status = lists.has(list) ? 'unknown' : 'unknown-list';
        return { list, value, status, label: null, replacedBy: null, retiredAt: null };
      }
      let last = item;
      // So often at most: a chain of replacements may be a circle here.
      for (const _ of items) {
        const next = find(last.replacedBy);
        if (next === undefined) break;
        last = next;
      }
      const { retiredAt = null } = item;
      const replacedBy = last === item ? null : last.value;
      return { list, value, status: statusOf(item, stored), label: labelIn(item, language), replacedBy, retiredAt };
    });
  });
}

function statusOf(item: TestItem, stored: Readonly<Record<string, string | string[]>>): Outcome['status'] {
  const { isRetired, validFrom = '', parents = {} } = item;
  if (isRetired) return 'retired';
  if (today() < validFrom) return 'scheduled';
  if (!isValidOn(item, today())) return 'expired';
  const fits = Object.entries(parents).every(([list, fitting]) => {
    const sent = Object.hasOwn(stored, list) ? [stored[list] ?? []].flat() : [];
    return sent.length === 0 || sent.some((value) => fitting.includes(value));
  });
  return fits ? 'active' : 'not-with-parent';
}
