// Finds the item of each row by value, then by label. If there is none, the row is a new item. Pure.
import { isValue } from '../../../../src/lookup/rules/names.ts';
import { type Field, plainLabel } from '../../../lists/columns/headers.ts';
import { valueFromLabel } from '../../../lists/items/value-from-label.ts';
import type { KeptItem } from '../../../shell/api.ts';
import type { FaultList } from './faults.ts';
import type { Pause, WantedRow } from './table-rows.ts';
import { importFaultTexts as texts } from './texts.ts';

export interface FoundRow extends WantedRow {
  value: string;
  /** Undefined for a new item. */
  item: KeptItem | undefined;
}

export interface FoundItems {
  rows: FoundRow[];
  /** The value that a text refers to, in the list or the file. */
  valueFor(text: string): string | undefined;
}

export async function findItems(
  rows: readonly WantedRow[],
  items: readonly KeptItem[],
  columnOf: ReadonlyMap<Field, number>,
  faults: FaultList,
  pause: Pause,
): Promise<FoundItems> {
  const byValue = new Map(items.map((item) => [item.value, item]));
  // Built only if a row has no value, since indexing a long list takes time.
  let labels: Map<string, KeptItem[]> | undefined;
  const withLabel = (label: string) => {
    labels ??= indexLabels(items);
    return labels.get(plainLabel(label)) ?? [];
  };
  const rowOfValue = new Map<string, number>();
  /** The rows without a value, by label. */
  const rowOfLabel = new Map<string, FoundRow>();
  const taken = new Set(byValue.keys());
  const columnFor = (field: Field) => columnOf.get(field) ?? columnOf.get('label') ?? null;
  // A proposed value must not clash with the value of a later row.
  for (const { fields } of rows) taken.add(asValue(fields.get('value'), byValue) ?? '');

  const found: FoundRow[] = [];
  const keep = (row: WantedRow, value: string, field: Field) => {
    const earlier = rowOfValue.get(value);
    if (earlier !== undefined) {
      faults.add(row.row, columnFor(field), texts.sameValueAsRow(earlier));
      return undefined;
    }
    rowOfValue.set(value, row.row);
    const foundRow = { ...row, value, item: byValue.get(value) };
    found.push(foundRow);
    return foundRow;
  };

  for (const row of rows) {
    await pause();
    const given = row.fields.get('value');
    const label = row.fields.get('label');
    if (typeof given === 'string') {
      const value = asValue(given, byValue);
      if (value === undefined) faults.add(row.row, columnFor('value'), texts.badValue(valueFromLabel(given)));
      else keep(row, value, 'value');
      continue;
    }
    if (typeof label !== 'string') {
      // If the label has a fault, it has already been reported.
      if (!faults.has(row.row)) faults.add(row.row, columnFor('label'), texts.labelRequired);
      continue;
    }
    const same = withLabel(label);
    const earlier = rowOfLabel.get(plainLabel(label));
    if (same.length > 1) {
      const values = same.slice(0, 5).map(({ value }) => value);
      faults.add(row.row, columnFor('label'), texts.severalWithLabel(values.join(', ')));
    } else if (earlier !== undefined) faults.add(row.row, columnFor('label'), texts.sameLabelAsRow(earlier.row));
    else {
      const value = same[0]?.value ?? valueFromLabel(label, taken);
      taken.add(value);
      if (value === '') faults.add(row.row, columnFor('label'), texts.noValueFromLabel);
      else {
        const kept = keep(row, value, 'label');
        if (kept !== undefined) rowOfLabel.set(plainLabel(label), kept);
      }
    }
  }
  let fileLabels: Map<string, string> | undefined;
  return {
    rows: found,
    valueFor(text) {
      const value = asValue(text, byValue);
      if (value !== undefined && (byValue.has(value) || rowOfValue.has(value))) return value;
      fileLabels ??= new Map(found.map((row) => [plainLabel(String(row.fields.get('label') ?? '')), row.value]));
      return fileLabels.get(plainLabel(text)) ?? withLabel(text)[0]?.value;
    },
  };
}

/** The value as written, or in capitals if the list contains that value. */
function asValue(given: unknown, byValue: ReadonlyMap<string, KeptItem>): string | undefined {
  if (typeof given !== 'string') return undefined;
  if (byValue.has(given) || isValue(given)) return given;
  const upper = given.toUpperCase();
  return byValue.has(upper) ? upper : undefined;
}

/** Retired items are ignored if an active item has the same label. */
function indexLabels(items: readonly KeptItem[]): Map<string, KeptItem[]> {
  const byLabel = new Map<string, KeptItem[]>();
  for (const item of items.toSorted((a, b) => Number(a.status === 'retired') - Number(b.status === 'retired'))) {
    const label = plainLabel(item.label);
    const same = byLabel.get(label);
    if (same === undefined) byLabel.set(label, [item]);
    else if (item.status === same[0]?.status) same.push(item);
  }
  return byLabel;
}
