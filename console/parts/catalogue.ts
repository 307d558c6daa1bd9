// The console's texts in the reader's language.
import { chainOf, shownLanguage } from '../../src/lookup/rules/label-language.ts';

type Texts = Record<string, unknown>;
/** The same names and parameters in a second language. */
type Translation<T extends Texts> = { [Name in keyof T]: T[Name] extends string ? string : T[Name] };

type TextLanguage = 'en' | 'de';

const rangesOf = (wanted: readonly string[]) => wanted.map((tag) => ({ name: tag.toLowerCase(), weight: 1 }));

/** German if the browser prefers it, otherwise English. Chosen by the same rules as labels in the service. */
export function chooseLanguage(wanted: readonly string[]): TextLanguage {
  return chainOf(rangesOf(wanted), ['de']).length > 0 ? 'de' : 'en';
}

const browserLanguages = globalThis.navigator?.languages ?? [];
export const textLanguage = chooseLanguage(browserLanguages);

/** The plain text or one of its translations. Chosen by the same rules as labels in the service. */
export function translatedText<P extends string | null>(
  plain: P,
  translations: Readonly<Record<string, string>>,
  wanted: readonly string[] = browserLanguages,
): P | string {
  const chain = chainOf(rangesOf(wanted), Object.keys(translations));
  return translations[shownLanguage({ labels: translations }, chain)] ?? plain;
}

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

/** Spreadsheet programs expect a semicolon where the comma is the decimal sign. */
export const csvSeparator = formatNumber(0.5).includes(',') ? ';' : ',';

/** A line of a CSV file (RFC 4180). A leading quote keeps spreadsheets from running a cell as a formula. */
export function csvLine(cells: readonly string[], separator: string): string {
  const written = cells.map((text) => {
    const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${written.join(separator)}\r\n`;
}
/** The instant at which a day like 2027-01-31 begins in the reader's time zone. `later` adds a number of days. */
export function startOfDay(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Whether the text is a day like 2027-01-31. */
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
