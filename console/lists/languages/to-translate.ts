// Finds the languages that a list is to be translated into, and how much of the list is translated. The pages of the
// list, Home and Lists all use these rules.
import type { ListSummary } from '../../shell/api.ts';

export type Translations = Pick<ListSummary, 'archived' | 'translations'>;

/**
 * The languages in which active values of the list have labels. If there are none, the languages of all lists that are
 * not archived.
 */
export function languagesToTranslate(
  translations: ListSummary['translations'],
  lists: readonly Translations[],
): string[] {
  const own = languagesOf(translations);
  if (own.length > 0) return own.sort();
  return [
    ...new Set(lists.filter(({ archived }) => !archived).flatMap((list) => languagesOf(list.translations))),
  ].sort();
}

const languagesOf = (translations: ListSummary['translations']) =>
  Object.keys(translations).filter((language) => (translations[language] ?? 0) > 0);

/**
 * The percentage of translations that exist, for all active values and all these languages. Rounded down, so that 100
 * means complete. Null if there is nothing to translate.
 */
export function translatedPercent(
  { active, translations }: Pick<ListSummary, 'active' | 'translations'>,
  languages: readonly string[],
): number | null {
  if (languages.length === 0 || active === 0) return null;
  const there = languages.reduce((sum, language) => sum + (translations[language] ?? 0), 0);
  return Math.floor((100 * there) / (active * languages.length));
}
