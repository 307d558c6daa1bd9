// The console's texts in the reader's language.
import { chainOf } from '../../src/lookup/rules/label-language.ts';

type Texts = Record<string, unknown>;
/** The same names and parameters in a second language. */
type Translation<T extends Texts> = { [Name in keyof T]: T[Name] extends string ? string : T[Name] };

type TextLanguage = 'en' | 'de';

/** Chooses the language as the service chooses labels: German if the browser prefers it, otherwise English. */
export function chooseLanguage(wanted: readonly string[]): TextLanguage {
  const ranges = wanted.map((tag) => ({ name: tag.toLowerCase(), weight: 1 }));
  return chainOf(ranges, ['de']).length > 0 ? 'de' : 'en';
}

export const textLanguage = chooseLanguage(globalThis.navigator?.languages ?? []);

/** The locale for formatting dates and numbers. */
export const browserLocale: string | undefined = globalThis.navigator?.languages?.[0];

/** Takes texts in English and German. A text that is missing in one language does not compile. */
export function catalogue<const T extends Texts>(english: T, german: Translation<T>): Translation<T> {
  return textLanguage === 'de' ? german : (english as Translation<T>);
}

const numbers = new Intl.NumberFormat(browserLocale);
export const formatNumber = (count: number) => numbers.format(count);

/** Formats `1 value` or `12 values`. English and German both have one singular and one plural form. */
export const counted = (count: number, one: string, other: string) =>
  `${formatNumber(count)} ${count === 1 ? one : other}`;

/** The instant at which a day like 2027-01-31 begins in the reader's time zone, or a day that many days later. */
export function startOfDay(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Whether the text is a day like 2027-01-31. */
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
