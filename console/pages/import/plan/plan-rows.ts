// Converts the changes of a plan to table rows. Each row contains the value, and its fields before and after. Pure.
import { columnOf } from '../../../../src/lookup/rules/columns.ts';
import { columnOrder, type Field } from '../../../lists/columns/headers.ts';
import {
  type FieldValue,
  fieldsOf,
  type ItemState,
  isSameValue,
  namesOf,
  splitField,
} from '../../../lists/items/item-fields.ts';
import type { Plan, PlanChange } from '../../../shell/api.ts';

export type PlanFilter = 'all' | 'add' | 'change' | 'retire' | 'restore' | 'list';

export interface PlanDifference {
  /** The field of a column, or a setting of the list. */
  field: Field;
  before: FieldValue;
  after: FieldValue;
}

interface PlanRow {
  kind: PlanChange['kind'];
  /** Null for a change to the list itself. */
  value: string | null;
  /** The new label, or the list's title. */
  label: string;
  differences: PlanDifference[];
}

/** Changes to the list itself share one filter. */
export function filterOf(kind: PlanChange['kind']): PlanFilter {
  return kind === 'title' || kind === 'settings' ? 'list' : kind;
}

export function countByFilter(counts: Plan['counts']): Map<PlanFilter, number> {
  const found = new Map<PlanFilter, number>([['all', countOf(counts)]]);
  for (const [kind, count] of Object.values(counts).flatMap((ofList) => Object.entries(ofList))) {
    const filter = filterOf(kind as PlanChange['kind']);
    found.set(filter, (found.get(filter) ?? 0) + count);
  }
  return found;
}

/** Counts all changes, including those that the answer leaves out. */
export const countOf = (counts: Plan['counts']) =>
  Object.values(counts)
    .flatMap((ofList) => Object.values(ofList))
    .reduce((sum, count) => sum + count, 0);

export function planRow({ kind, list, value, before, after }: PlanChange): PlanRow {
  if (value === null) {
    const differences = settingsDifferences(before ?? {}, after ?? {});
    return { kind, value, label: list, differences };
  }
  const [was, is] = [before as ItemState | null, after as ItemState | null];
  return { kind, value, label: is?.label ?? was?.label ?? value, differences: itemDifferences(was, is) };
}

function itemDifferences(before: ItemState | null, after: ItemState | null): PlanDifference[] {
  const was = before === null ? {} : fieldsOf(before);
  const is = after === null ? {} : fieldsOf(after);
  const names = new Set([...namesOf(was), ...namesOf(is)]);
  // Not repeated: the kind of change already implies the status, and the row of a new item shows its label.
  names.delete('status');
  if (before === null) names.delete('label');
  const differences = [...names]
    .filter((name) => !isSameValue(was[name], is[name]))
    .map((name): PlanDifference => {
      return { field: columnOf(...splitField(name)), before: was[name] ?? null, after: is[name] ?? null };
    });
  if (before !== null && after !== null && before.sortOrder !== after.sortOrder) {
    differences.push({ field: 'sortOrder', before: String(before.sortOrder), after: String(after.sortOrder) });
  }
  return differences.sort((a, b) => placeOf(a.field) - placeOf(b.field));
}

/** The position of a field in an export. Fields with the same prefix have the same position. */
function placeOf(field: Field): number {
  return columnOrder.indexOf(field.replace(/:.*/, ':'));
}

function settingsDifferences(before: object, after: object): PlanDifference[] {
  const [was, is] = [before, after].map(settingTexts);
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .map((field) => ({ field, before: was?.get(field) ?? null, after: is?.get(field) ?? null }))
    .filter((difference) => !isSameValue(difference.before, difference.after));
}

/** Each translation has a field of its own, such as `titles:de`. */
function settingTexts(settings: object): Map<string, FieldValue> {
  return new Map(
    Object.entries(settings).flatMap(([name, setting]: [string, unknown]): [string, FieldValue][] => {
      if (typeof setting !== 'object' || setting === null || Array.isArray(setting)) return [[name, asText(setting)]];
      return Object.entries(setting).map(([tag, text]) => [`${name}:${tag}`, asText(text)]);
    }),
  );
}

function asText(setting: unknown): FieldValue {
  if (setting === null || setting === undefined) return null;
  return Array.isArray(setting) ? setting.map(String) : String(setting);
}
