// What two people changed in one value at the same time, field by field.
import type { HistoryEntry, ItemChanges } from '../../../src/lookup/lookup-admin.schema.ts';
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

export type Side = 'mine' | 'theirs';
type Author = Pick<HistoryEntry, 'by' | 'byName' | 'at'>;

export interface ConflictRow {
  field: FieldName;
  base: FieldValue;
  mine: FieldValue;
  theirs: FieldValue;
  /** Who changed this field; both where the two are different. Where they are equal it is theirs. */
  changedBy: Side | 'both';
  /** Who made the last of their changes to this field. */
  author: Author | null;
}

export type Choices = Partial<Record<FieldName, Side>>;

/** `latest` is null where the value is no longer there. `theirs` are the entries since the base, newest first. */
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
    const isTheirs = !isSameValue(row.base, row.theirs);
    const wanted = field in sent ? (sent[field] ?? null) : row.base;
    const isMine = !isSameValue(row.base, wanted) && !isSameValue(wanted, row.theirs);
    if (!isMine && !isTheirs) return [];
    const changedBy = isMine && isTheirs ? 'both' : isMine ? 'mine' : 'theirs';
    return [{ ...row, mine: isMine || !isTheirs ? wanted : row.theirs, changedBy, author: authors.get(field) ?? null }];
  });
}

export const isConflict = (row: ConflictRow) => row.changedBy === 'both';

/** What is to be sent on their version: nothing where theirs is kept. A conflict without a choice keeps theirs. */
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
  // Oldest first, so that the last one to change a field is kept.
  for (const entry of theirs.toReversed())
    for (const { before, after } of changesTo(value, entry)) {
      const [was, is] = [before, after].map((state) => (state === null ? {} : fieldsOf(state)));
      for (const field of new Set([...namesOf(was ?? {}), ...namesOf(is ?? {})]))
        if (!isSameValue(was?.[field], is?.[field])) authors.set(field, entry);
    }
  return authors;
}
