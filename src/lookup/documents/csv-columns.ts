// The columns of lists as CSV: those that every file may have, and one for each language, system and parent list.
import type { z } from 'zod';
import { LanguageTag, ListName, MachineName } from '../fields.schema.ts';

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
  const [prefix = ''] = name.split(':', 1);
  if (prefix === name || !isPrefix(prefix)) return undefined;
  return { field: columnsByKey[prefix], key: name.slice(prefix.length + 1) };
}

/** The column of an item's field, and of an entry in it. */
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
