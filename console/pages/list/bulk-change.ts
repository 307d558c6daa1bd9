// Builds a document that changes several values at once, which becomes one history entry. Pure.
import { isInOrder } from '../../../src/lookup/rules/list-on-day.ts';
import type { DocumentItem, KeptItem, KeptList, LookupDocument } from '../../shell/api.ts';

export type BulkChange =
  | { kind: 'retire' }
  | { kind: 'restore' }
  | { kind: 'from' | 'until'; day: string | null }
  | { kind: 'tag'; tag: string };

/** Maximum number of values selected by hand. Larger changes belong in a file. */
export const maxAtOnce = 1000;

/** The document is built from the version it is applied to, and contains only the selected values. */
export function bulkDocument(
  { list, version, items }: KeptList,
  values: ReadonlySet<string>,
  change: BulkChange,
): LookupDocument {
  const changed = items.filter(({ value }) => values.has(value)).map((item) => changedItem(item, change));
  return { lists: { [list]: { version, items: changed } } };
}

function changedItem(item: KeptItem, change: BulkChange): DocumentItem {
  const { value, label } = item;
  switch (change.kind) {
    case 'retire':
      return { value, label, retired: true };
    case 'restore':
      return { value, label, retired: false };
    case 'from':
      return { value, label, validFrom: change.day };
    case 'until':
      return { value, label, validTo: change.day };
    case 'tag':
      return { value, label, tags: [...new Set([...item.tags, change.tag])].sort() };
  }
}

/** The items whose last day would be before their first day. */
export function withDatesInReverse(items: readonly KeptItem[], change: BulkChange): KeptItem[] {
  if (change.kind !== 'from' && change.kind !== 'until') return [];
  return items.filter(({ validFrom, validTo }) => {
    const [from, until] = change.kind === 'from' ? [change.day, validTo] : [validFrom, change.day];
    return !isInOrder(from, until);
  });
}
