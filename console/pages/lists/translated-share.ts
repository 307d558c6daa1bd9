import type { ListSummary } from '../../shell/api.ts';

/**
 * The percentage of translations that exist, for all active values and all languages of the list. Rounded down, so that
 * 100 means complete. Null if there is nothing to translate.
 */
export function translatedPercent({
  active,
  translations,
}: Pick<ListSummary, 'active' | 'translations'>): number | null {
  const counts = Object.values(translations).filter((count) => count > 0);
  if (counts.length === 0 || active === 0) return null;
  const there = counts.reduce((sum, count) => sum + count, 0);
  return Math.floor((100 * there) / (active * counts.length));
}
