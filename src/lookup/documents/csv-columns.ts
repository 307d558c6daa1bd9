// The columns of CSV files: the fixed ones, and one for each language, system and parent list.
import type { z } from 'zod';
import { canonicalTag } from '../rules/language-tag.ts';
import { LanguageTag, ListName, MachineName } from '../stored/fields.schema.ts';

export const csvColumns = [
  'list',
  'value',
  'label',
  'sortOrder',
  'validFrom',
  'validTo',
  'retired',
  'replacedBy',
  'description',
  'tags',
];
export const requiredColumns = ['list', 'value', 'label'];

/** `label:de` is the entry `de` of the item's `labels`. */
export const columnsByKey = { label: 'labels', code: 'codes', parent: 'parents' } as const;

interface KeyedColumn {
  field: (typeof columnsByKey)[keyof typeof columnsByKey];
  key: string;
}

const keySchemas: Record<KeyedColumn['field'], z.ZodType> = {
  labels: LanguageTag,
  codes: MachineName,
  parents: ListName,
};

export function keyedColumn(name: string): KeyedColumn | undefined {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(0, colon)).toLowerCase();
  return isPrefix(prefix) ? { field: columnsByKey[prefix], key: name.slice(colon + 1) } : undefined;
}

/** The column that a header means. Case is ignored, except in the names of systems. */
export function columnNamed(header: string): string {
  const column = keyedColumn(header);
  if (column === undefined) return csvColumns.find((name) => name.toLowerCase() === header.toLowerCase()) ?? header;
  const { field, key } = column;
  const named = { labels: () => canonicalTag(key) ?? key, codes: () => key, parents: () => key.toLowerCase() };
  return columnOf(field, named[field]());
}

/** The column of an item's field, or of one key in it. */
export function columnOf(field: PropertyKey, key: string): string {
  const prefix = Object.keys(columnsByKey).find((each) => isPrefix(each) && columnsByKey[each] === field);
  return prefix === undefined ? String(field) : `${prefix}:${key}`;
}

export function columnFault(name: string): string | undefined {
  if (csvColumns.includes(name)) return undefined;
  const column = keyedColumn(name);
  if (column === undefined) return 'Unknown column';
  return keySchemas[column.field].safeParse(column.key).error?.issues[0]?.message;
}

const isPrefix = (text: string): text is keyof typeof columnsByKey => Object.hasOwn(columnsByKey, text);
