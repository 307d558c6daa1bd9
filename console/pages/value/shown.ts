import type { FieldName, Fields } from '../../lists/items/item-fields.ts';

export function textIn(fields: Fields, name: FieldName): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Null where there is none. */
export function dayIn(fields: Fields, name: 'validFrom' | 'validTo'): string | null {
  return textIn(fields, name) || null;
}

export function valuesIn(fields: Fields, name: FieldName): readonly string[] {
  const value = fields[name];
  return value === undefined || value === null || typeof value === 'string' ? [] : value;
}
