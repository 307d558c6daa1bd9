// The lists of the Frontdesk for tests: their items, which of them are offered on a day, and what replaces them.
import type { ItemFields } from './types.ts';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export interface TestItem extends Partial<DeepReadonly<ItemFields>> {
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
  /** Dates such as 2027-01-31: the first and the last day on which the item can be chosen. */
  validFrom?: string;
  validTo?: string;
}

export interface TestTitle {
  title: string;
  /** Translations, by language: `{ de: 'Stelle' }`. */
  titles?: Readonly<Record<string, string>>;
  description?: string;
  descriptions?: Readonly<Record<string, string>>;
}

export const today = () => new Date().toISOString().slice(0, 10);

export const isValidOn = ({ validFrom = '', validTo = '9999' }: TestItem, day: string) =>
  validFrom <= day && day <= validTo;

/** If the time of the retirement is known, the item was on the list before that day. */
const wasRetired = ({ isRetired = false, retiredAt = '' }: TestItem, day: string) =>
  isRetired && (day >= today() || retiredAt.slice(0, 10) <= day);

export const isOnList = (item: TestItem, day: string) => !wasRetired(item, day) && isValidOn(item, day);

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
