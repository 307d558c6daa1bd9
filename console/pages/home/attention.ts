// Finds lists that need attention, from their summaries.
import { languagesToTranslate } from '../../lists/languages/to-translate.ts';
import type { ListSummary } from '../../shell/api.ts';

export interface Attention {
  list: ListSummary;
  scheduled: number;
  /** Number of missing labels in all languages that the list is to be translated into. */
  missing: number;
  /** Incomplete languages, most missing labels first. */
  languages: string[];
}

/** Only lists that the user may change and that are not archived; most missing labels first. */
export function findAttention(lists: readonly ListSummary[]): Attention[] {
  return lists
    .filter(({ mayKeep, archived }) => mayKeep && !archived)
    .map((list) => attentionOf(list, lists))
    .filter(({ scheduled, missing }) => scheduled > 0 || missing > 0)
    .sort((one, other) => other.missing - one.missing || other.scheduled - one.scheduled);
}

function attentionOf(list: ListSummary, lists: readonly ListSummary[]): Attention {
  const incomplete = languagesToTranslate(list.translations, lists)
    .map((language) => [language, list.translations[language] ?? 0] as const)
    .filter(([, count]) => count < list.active)
    .sort(([, one], [, other]) => one - other);
  return {
    list,
    scheduled: list.scheduled,
    missing: incomplete.reduce((sum, [, count]) => sum + list.active - count, 0),
    languages: incomplete.map(([language]) => language),
  };
}

export const newestFirst = (lists: readonly ListSummary[]) =>
  [...lists].sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
