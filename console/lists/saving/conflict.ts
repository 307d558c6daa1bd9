// What two people changed in the same value, field by field.
import type { HistoryEntry, ItemChanges } from '../../shell/api.ts';
import {
  changesOfFields,
  type FieldName,
  type FieldValue,
  fieldsOf,
  fieldsOfChanges,
  type ItemState,
  isSameValue,
  namesOf,
} from '../items/item-fields.ts';
import { mergeField } from './merge.ts';

export type Side = 'mine' | 'theirs';
type Author = Pick<HistoryEntry, 'by' | 'byName' | 'at'>;

export interface ConflictRow {
  field: FieldName;
  base: FieldValue;
  mine: FieldValue;
  theirs: FieldValue;
  /** `both` if both sides changed the field differently. The same change by both sides counts as theirs. */
  changedBy: Side | 'both';
  /** Who else last changed this field, and when. Null if nobody else has. */
  author: Author | null;
}

export type Choices = Partial<Record<FieldName, Side>>;

/** `latest` is null if the value no longer exists. `theirs` contains the history entries since `base`, newest first. */
export function conflictRows(
  base: ItemState,
  mine: ItemChanges,
  latest: ItemState | null,
  theirs: readonly HistoryEntry[],
): ConflictRow[] {
  const [before, sent] = [fieldsOf(base), fieldsOfChanges(mine)];
  const now = latest === null ? {} : fieldsOf(latest);
  const authors = authorsByField(base.value, theirs);
  const names = new Set([...namesOf(sent), ...namesOf(before), ...namesOf(now)]);
  return [...names].flatMap((field): ConflictRow[] => {
    const row = { field, base: before[field] ?? null, theirs: now[field] ?? null };
    const wanted = field in sent && !isSameValue(sent[field], row.base) ? (sent[field] ?? null) : undefined;
    const { value: mine, changedBy } = mergeField(row.base, wanted, row.theirs, isSameValue);
    return changedBy === 'nobody' ? [] : [{ ...row, mine, changedBy, author: authors.get(field) ?? null }];
  });
}

export const isConflict = (row: ConflictRow) => row.changedBy === 'both';

/** The changes to apply to the latest version. A conflict without a choice keeps the other person's value. */
export function chosenChanges(rows: readonly ConflictRow[], choices: Choices): ItemChanges {
  const isSent = (row: ConflictRow) => row.changedBy === 'mine' || (isConflict(row) && choices[row.field] === 'mine');
  return changesOfFields(Object.fromEntries(rows.filter(isSent).map((row) => [row.field, row.mine])));
}

const changesTo = (value: string, entry: HistoryEntry) =>
  entry.changes
    .filter((change) => change.value === value)
    .map((change) => ({ before: change.before as ItemState | null, after: change.after as ItemState | null }));

function authorsByField(value: string, theirs: readonly HistoryEntry[]): Map<FieldName, Author> {
  const authors = new Map<FieldName, Author>();
  // Oldest first, so that the last author of a field wins.
  for (const entry of theirs.toReversed())
    for (const { before, after } of changesTo(value, entry)) {
      const [was, is] = [before, after].map((state) => (state === null ? {} : fieldsOf(state)));
      for (const field of new Set([...namesOf(was ?? {}), ...namesOf(is ?? {})]))
        if (!isSameValue(was?.[field], is?.[field])) authors.set(field, entry);
    }
  return authors;
}
