// Converts lists to a table with readable headers. Importing the unchanged table changes nothing.
import { contentAt, keyedColumn, plainColumns } from '../../../src/lookup/rules/columns.ts';
import { itemFields, type KeyedField } from '../../../src/lookup/rules/item.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { columnOrder, type Field, fieldTitle } from '../columns/headers.ts';
import { itemColumnTexts as texts } from '../columns/texts.ts';
import { compareDisplayOrder } from '../items/value-order.ts';

/** Null for an empty cell. */
export type TableCell = string | number | { day: string } | null;

export interface ListTable {
  columns: { field: Field; header: string }[];
  rows: TableCell[][];
}

type ExportedList = Pick<KeptList, 'list' | 'items'>;

export function tableOfLists(lists: readonly ExportedList[], hasListColumn = false): ListTable {
  const fields = fieldsOf(lists, hasListColumn);
  const rows = lists.flatMap(({ list, items }) =>
    items.toSorted(compareDisplayOrder).map((item) => fields.map((field) => cellOf(field, list, item))),
  );
  return { columns: fields.map((field) => ({ field, header: fieldTitle(field) })), rows };
}

/** Returns a table without rows. The columns for the order and for retired values are left out. */
export function templateOfList(list: ExportedList): ListTable {
  const left = new Set<Field>(['sortOrder', 'retired', 'replacedBy']);
  const columns = tableOfLists([list]).columns.filter(({ field }) => !left.has(field));
  return { columns, rows: [] };
}

function fieldsOf(lists: readonly ExportedList[], hasLists: boolean): Field[] {
  return columnOrder.flatMap((column) => {
    if (column === 'list') return hasLists ? [column] : [];
    const keyed = keyedColumn(column);
    return keyed === undefined ? [column] : keysIn(lists, keyed.field).map((key) => column + key);
  });
}

function keysIn(lists: readonly ExportedList[], field: KeyedField): string[] {
  const keys = lists.flatMap(({ items }) => items.flatMap((item) => Object.keys(item[field])));
  return [...new Set(keys)].sort();
}

function cellOf(field: Field, list: string, item: KeptItem): TableCell {
  const keyed = keyedColumn(field);
  if (keyed !== undefined) return asCell(contentAt(item, keyed.field, keyed.key));
  const name = plainColumns.get(field);
  if (name === undefined) return list;
  if (name === 'status') return item.status === 'retired' ? texts.yes : null;
  const content = item[name];
  return itemFields[name].holds === 'day' && typeof content === 'string' ? { day: content } : asCell(content);
}

const asCell = (content: string | number | readonly string[] | null) =>
  typeof content === 'object' ? content?.join(' ') || null : content;
