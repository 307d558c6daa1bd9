// Finds lists that need attention, from their summaries.
import type { ListSummary } from '../../shell/api.ts';

export interface Attention {
  list: ListSummary;
  scheduled: number;
  /** Number of missing labels in all languages of the list. */
  missing: number;
  /** Incomplete languages, most missing labels first. */
  languages: string[];
}

/** Only lists that the user may change and that are not archived; most missing labels first. */
export function findAttention(lists: readonly ListSummary[]): Attention[] {
  return lists
    .filter(({ mayKeep, archived }) => mayKeep && !archived)
    .map(attentionOf)
    .filter(({ scheduled, missing }) => scheduled > 0 || missing > 0)
    .sort((one, other) => other.missing - one.missing || other.scheduled - one.scheduled);
}

function attentionOf(list: ListSummary): Attention {
  // A language counts as soon as one value has a label in it.
  const incomplete = Object.entries(list.translations)
    .filter(([, count]) => count > 0 && count < list.active)
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
