// Sentences are built from templates and the names of languages, values and lists.
import { browserLocale, textLanguage } from '../../parts/catalogue.ts';
import { type HistoryTexts, historyTexts } from './texts.ts';

export interface SentenceContext {
  texts: HistoryTexts;
  languageName: (tag: string) => string;
  formatDay: (day: string) => string;
  formatMoment: (moment: string) => string;
  /** The label of a value of the list that the sentences describe. */
  labelOf: (value: string) => string | undefined;
  /** The title of another list. */
  titleOf: (list: string) => string | undefined;
}

const longestShown = 120;

/** A description has up to 500 characters. A sentence shows only the beginning. */
export function shorten(written: string): string {
  const characters = Array.from(written);
  return characters.length > longestShown ? `${characters.slice(0, longestShown - 1).join('')}…` : written;
}

interface ContextOptions extends Partial<Pick<SentenceContext, 'labelOf' | 'titleOf' | 'texts'>> {
  /** The language of the templates and of language names. */
  language?: string;
  /** The locale for formatting days. */
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
  // A day is the same in every time zone.
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    texts,
    languageName: (tag) => languageName(names, tag),
    formatDay: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    formatMoment: (moment) => moments.format(new Date(moment)),
    labelOf,
    titleOf,
  };
}

/** Falls back to the tag: tags like `x-warehouse` are allowed but have no name. */
function languageName(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

// A sentence is split into the console's text and text written by people, so that the page can isolate a right-to-left
// label from the text around it.

/** `isIsolated` marks text from the console that has its own direction, such as a formatted day. */
type SentencePart = { text: string; isIsolated?: true } | { label: string };
export type Sentence = readonly SentencePart[];

export const plain = (text: string): Sentence => [{ text }];
export const isolated = (text: string): Sentence => [{ text, isIsolated: true }];
export const label = (written: string): Sentence => [{ label: written }];

/** Joins labels as `A, B, C`. If there are too many, the rest is replaced by `more`. */
export function labels(written: readonly string[], more: (count: number) => string, most = 5): Sentence {
  const shown = written.slice(0, most).flatMap((each, index) => [...(index > 0 ? plain(', ') : []), ...label(each)]);
  return written.length > most ? [...shown, ...plain(` ${more(written.length - most)}`)] : shown;
}

/** Fills a template such as `renamed {before} to {after}`. */
export function fill(template: string, holes: Record<string, Sentence>): Sentence {
  return template.split(/\{(\w+)\}/).flatMap((piece, index) => {
    if (index % 2 === 1) return holes[piece] ?? [];
    return piece === '' ? [] : plain(piece);
  });
}
