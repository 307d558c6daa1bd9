// How far a list is translated.
import type { ListSummary } from '../../../src/lookup/lookup-admin.schema.ts';

/**
 * In percent: of all values in use in all languages that the list has any label in, how many labels there are. Rounded
 * down, so that 100 means complete. Null where there is nothing to translate or no language is used.
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
