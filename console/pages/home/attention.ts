// What in the lists may need work, from their summaries alone.
import type { ListSummary } from '../../../src/lookup/lookup-admin.schema.ts';

export interface Attention {
  list: ListSummary;
  scheduled: number;
  /** Labels that are missing, in all languages that the list is translated to. */
  missing: number;
  /** Those languages, the one that lacks most first. */
  languages: string[];
}

/** Of lists that the person may change and that are in use; the list that lacks most comes first. */
export function findAttention(lists: readonly ListSummary[]): Attention[] {
  return lists
    .filter(({ mayKeep, archived }) => mayKeep && !archived)
    .map(attentionOf)
    .filter(({ scheduled, missing }) => scheduled > 0 || missing > 0)
    .sort((one, other) => other.missing - one.missing || other.scheduled - one.scheduled);
}

function attentionOf(list: ListSummary): Attention {
  // One label in a language means that the list is being translated to it.
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
