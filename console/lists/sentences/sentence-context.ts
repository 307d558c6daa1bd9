// What the sentences of a history are written with: the words, the names of languages, of values and of lists.
import { browserLocale, textLanguage } from '../../parts/catalogue.ts';
import { type HistoryTexts, historyTexts } from './texts.ts';

export interface SentenceContext {
  texts: HistoryTexts;
  languageName: (tag: string) => string;
  formatDay: (day: string) => string;
  /** Of a value of this list. */
  labelOf: (value: string) => string | undefined;
  /** Of another list. */
  titleOf: (list: string) => string | undefined;
}

const longestShown = 120;

/** Descriptions are up to 500 characters long: the beginning is enough in a sentence. */
export function shorten(written: string): string {
  const characters = Array.from(written);
  return characters.length > longestShown ? `${characters.slice(0, longestShown - 1).join('')}…` : written;
}

interface ContextOptions extends Partial<Pick<SentenceContext, 'labelOf' | 'titleOf' | 'texts'>> {
  /** Of the words: the names of languages must match them. */
  language?: string;
  /** Of days. */
  locale?: string | undefined;
}

export function sentenceContext({
  texts = historyTexts,
  language = textLanguage,
  locale = browserLocale,
  labelOf = () => undefined,
  titleOf = () => undefined,
}: ContextOptions = {}): SentenceContext {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  // Days are UTC, whatever the zone of the reader.
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    texts,
    languageName: (tag) => languageName(names, tag),
    formatDay: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    labelOf,
    titleOf,
  };
}

/** Tags such as `x-warehouse` are allowed, and have no name. */
function languageName(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
