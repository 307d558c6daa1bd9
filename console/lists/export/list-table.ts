// Lists as a table with readable headers. Importing the table changes nothing.
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { type Field, fieldTitle } from '../columns/headers.ts';
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

/** Headers only, without the columns that only retired values need. */
export function templateOfList(list: ExportedList): ListTable {
  const left = new Set<Field>(['sortOrder', 'retired', 'replacedBy']);
  const columns = tableOfLists([list]).columns.filter(({ field }) => !left.has(field));
  return { columns, rows: [] };
}

function fieldsOf(lists: readonly ExportedList[], hasLists: boolean): Field[] {
  const keys = { labels: new Set<string>(), codes: new Set<string>(), parents: new Set<string>() };
  for (const { items } of lists) {
    for (const item of items) {
      for (const group of ['labels', 'codes', 'parents'] as const) {
        for (const key of Object.keys(item[group])) keys[group].add(key);
      }
    }
  }
  const keyed = (prefix: string, group: keyof typeof keys) => [...keys[group]].sort().map((key) => `${prefix}:${key}`);
  return [
    ...(hasLists ? ['list'] : []),
    ...['value', 'label', ...keyed('label', 'labels'), 'description', 'validFrom', 'validTo', 'retired', 'replacedBy'],
    ...['tags', ...keyed('code', 'codes'), ...keyed('parent', 'parents'), 'sortOrder'],
  ];
}

function cellOf(field: Field, list: string, item: KeptItem): TableCell {
  switch (field) {
    case 'list':
      return list;
    case 'value':
    case 'label':
    case 'sortOrder':
    case 'description':
    case 'replacedBy':
      return item[field];
    case 'validFrom':
    case 'validTo':
      return item[field] === null ? null : { day: item[field] };
    case 'retired':
      return item.status === 'retired' ? texts.yes : null;
    case 'tags':
      return item.tags.join(' ') || null;
    default:
      return keyedCell(field, item);
  }
}

function keyedCell(field: Field, item: KeptItem): TableCell {
  const key = field.slice(field.indexOf(':') + 1);
  if (field.startsWith('label:')) return item.labels[key] ?? null;
  if (field.startsWith('code:')) return item.codes[key] ?? null;
  return item.parents[key]?.join(' ') ?? null;
}
