// The columns of a list file: one for each plain field, and one for each key of a field with keys, such as `labels`.
import {
  type FieldName,
  fieldNames,
  type ItemState,
  itemFields,
  type KeyedField,
  keyedFields,
  ruleOf,
} from './item.ts';

type Rules = typeof itemFields;
type ColumnOf<F extends FieldName> = Rules[F] extends { column: infer Column } ? Column : F;
export type PlainColumn = NonNullable<{ [F in FieldName]: F extends KeyedField ? never : ColumnOf<F> }[FieldName]>;

/** Maps each column without a key to its field. */
export const plainColumns: ReadonlyMap<string, Exclude<FieldName, KeyedField>> = new Map(
  fieldNames.flatMap((name) => {
    const { column = name } = ruleOf(name);
    return column === null || isKeyed(name) ? [] : [[column, name]];
  }),
);

function isKeyed(name: string): name is KeyedField {
  return keyedFields.some((each) => each === name);
}

/** Returns the column for a field and a key: `label:de` for `labels` and `de`. */
export const columnOf = (field: string, key: string) => (isKeyed(field) ? `${itemFields[field].column}:${key}` : field);

/** The field and the key of a column like `label:de`. Case before the colon is ignored. */
export function keyedColumn(column: string): { field: KeyedField; key: string } | undefined {
  const colon = column.indexOf(':');
  const prefix = column.slice(0, Math.max(0, colon)).toLowerCase();
  const field = keyedFields.find((name) => itemFields[name].column === prefix);
  return field && { field, key: column.slice(colon + 1) };
}

/**
 * Returns the text of an item under a key, or null. Ignores inherited keys, because a key may be `constructor`.
 */
export const contentAt = (item: ItemState, field: KeyedField, key: string) =>
  Object.hasOwn(item[field], key) ? (item[field][key] ?? null) : null;
