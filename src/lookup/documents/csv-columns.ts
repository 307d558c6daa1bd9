// The columns of CSV files: the fixed ones, and one for each language, system and parent list.
import type { z } from 'zod';
import { columnOf, keyedColumn, plainColumns } from '../rules/columns.ts';
import type { KeyedField } from '../rules/item.ts';
import { canonicalTag } from '../rules/label-language.ts';
import { LanguageTag, ListName, MachineName } from '../stored/fields.schema.ts';

export const requiredColumns = ['list', 'value', 'label'];
const firstColumns = [...requiredColumns, 'sortOrder', 'validFrom', 'validTo', 'retired', 'replacedBy', 'description'];
export const csvColumns = [...new Set([...firstColumns, ...plainColumns.keys()])];

const keySchemas: Record<KeyedField, z.ZodType> = { labels: LanguageTag, codes: MachineName, parents: ListName };

/** The column that a header means. Case is ignored, except in the names of systems. */
export function columnNamed(header: string): string {
  const column = keyedColumn(header);
  if (column === undefined) return csvColumns.find((name) => name.toLowerCase() === header.toLowerCase()) ?? header;
  const { field, key } = column;
  const named = { labels: () => canonicalTag(key) ?? key, codes: () => key, parents: () => key.toLowerCase() };
  return columnOf(field, named[field]());
}

export function columnFault(name: string): string | undefined {
  if (csvColumns.includes(name)) return undefined;
  const column = keyedColumn(name);
  if (column === undefined) return 'Unknown column';
  return keySchemas[column.field].safeParse(column.key).error?.issues[0]?.message;
}
