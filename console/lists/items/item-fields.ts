// Splits an item into single fields that can be edited, compared and sent separately: every translation, code and parent
// list is a field. The names are the same as in the service's faults: `labels.de`, `codes.workday`.
import {
  fieldNames,
  hasContent,
  type FieldName as ItemField,
  type KeyedField,
  keyedFields,
} from '../../../src/lookup/rules/item.ts';
import { longestName, valuePattern } from '../../../src/lookup/rules/names.ts';
import { brokenRule, hasAtMost } from '../../../src/lookup/rules/text.ts';
import type { ItemChanges, KeptItem } from '../../shell/api.ts';
import { itemFaults as texts } from './texts.ts';

const notInForms = ['value', 'sortOrder', 'status', 'replacedBy', 'retiredAt'] as const;
type FormField = Exclude<ItemField, KeyedField | (typeof notInForms)[number]>;
/** Only retiring and restoring change `status` and `replacedBy`. */
export type FieldName = FormField | 'status' | 'replacedBy' | `${KeyedField}.${string}`;
/** Null if the item does not have the field. */
export type FieldValue = string | readonly string[] | null;
export type Fields = Readonly<Partial<Record<FieldName, FieldValue>>>;
export type ItemState = Omit<KeptItem, 'id'>;

const others: readonly string[] = [...notInForms, ...keyedFields];
/** The fields that forms can change, except translations, codes and parents, which have keys. */
export const formFields = [...new Set<ItemField>(['label', 'description', ...fieldNames])].filter(
  (name): name is FormField => !others.includes(name),
);

/** Splits at the first dot: `codes.sap.hr` is the key `sap.hr` in the group `codes`. */
export function splitField(name: string): [group: string, key: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}

export const namesOf = (fields: Fields) => Object.keys(fields) as FieldName[];

/** Returns only the fields that the item has. */
export function fieldsOf(item: ItemState): Fields {
  const fields: Partial<Record<FieldName, FieldValue>> = {};
  for (const name of [...formFields, 'status', 'replacedBy'] as const)
    if (name === 'status' || hasContent(item, name)) fields[name] = item[name];
  for (const group of keyedFields)
    for (const [key, value] of Object.entries(item[group])) fields[`${group}.${key}`] = value;
  return fields;
}

export function isSameValue(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  return comparable(one) === comparable(other);
}

/** Order does not matter in sets; an empty set, an empty text and null are equal. */
function comparable(value: FieldValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : value.toSorted().join('\n');
}

/** The fields that a change sets. Null removes a field. */
export function fieldsOfChanges(changes: ItemChanges): Fields {
  const fields: Partial<Record<FieldName, FieldValue>> = {};
  for (const name of formFields) if (changes[name] !== undefined) fields[name] = changes[name];
  for (const group of keyedFields)
    for (const [key, value] of Object.entries(changes[group] ?? {})) fields[`${group}.${key}`] = value;
  return fields;
}

/** The body of the request that sets these fields. */
export function changesOfFields(fields: Fields): ItemChanges {
  const changes: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const name of namesOf(fields)) {
    const [group, key] = splitField(name);
    const value = fields[name] ?? null;
    if (group === 'status' || group === 'replacedBy') continue;
    if (key === '') changes[group] = group === 'tags' ? (value ?? []) : value;
    else {
      groups[group] ??= {};
      groups[group][key] = value;
    }
  }
  return { ...changes, ...groups };
}

export function withFields<Item extends ItemState>(item: Item, fields: Fields): Item {
  const { labels, codes, parents, reason: _, ...plain } = changesOfFields(fields);
  return {
    ...item,
    ...plain,
    labels: merged(item.labels, labels),
    codes: merged(item.codes, codes),
    parents: merged(item.parents, parents),
  };
}

function merged<V>(record: Record<string, V>, changes: Record<string, V | null> = {}): Record<string, V> {
  const entries = Object.entries({ ...record, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, V] => entry[1] !== null));
}

const itemValue = new RegExp(`^${valuePattern}$`);

/** What is wrong with the value of a new item. */
export function valueFault(value: string, taken: ReadonlySet<string>): string | undefined {
  if (value === '') return texts.required;
  if (!itemValue.test(value)) return texts.value;
  if (value.length > longestName.value) return texts.tooLong(longestName.value);
  return taken.has(value) ? texts.taken : undefined;
}

/** What is wrong with a line of text. */
export function lineFault(value: FieldValue, length: number, isRequired = false): string | undefined {
  const line = typeof value === 'string' ? value.trim() : '';
  if (line === '') return isRequired ? texts.required : undefined;
  const broken = brokenRule(line);
  if (broken === 'visible') return texts.unseen;
  if (broken === 'control' || broken === 'separator') return texts.control;
  if (!hasAtMost(length, line)) return texts.tooLong(length);
}
