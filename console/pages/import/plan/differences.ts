// Finds the fields in which a row differs from its item. Pure.

import { contentAt, keyedColumn, plainColumns } from '../../../../src/lookup/rules/columns.ts';
import { emptyItem, type KeyedField } from '../../../../src/lookup/rules/item.ts';
import { isInOrder } from '../../../../src/lookup/rules/list-on-day.ts';
import type { Field } from '../../../lists/columns/headers.ts';
import { itemFaults } from '../../../lists/items/texts.ts';
import type { DocumentItem, KeptItem } from '../../../shell/api.ts';
import type { FaultList } from './faults.ts';
import type { FoundItems, FoundRow } from './find-items.ts';
import { importFaultTexts as texts } from './texts.ts';

/** Returns undefined if the row changes nothing or has a fault. */
export function differenceOf(
  row: FoundRow,
  valueFor: FoundItems['valueFor'],
  columnOf: ReadonlyMap<Field, number>,
  faults: FaultList,
): DocumentItem | undefined {
  const { item, fields } = row;
  const columnFor = (field: Field) => columnOf.get(field) ?? null;
  const label = fields.get('label') ?? item?.label;
  if (typeof label !== 'string') {
    if (!faults.has(row.row)) faults.add(row.row, columnFor('label'), texts.labelRequired);
    return undefined;
  }
  const changes: Record<string, unknown> = {};
  for (const [field, content] of fields) {
    if (field === 'list' || field === 'value' || field === 'label') continue;
    const keyed = keyedColumn(field);
    if (keyed === undefined) setPlain(changes, field, content, item);
    else setKeyed(changes, keyed.field, keyed.key, content, item);
  }
  checkDates(row, faults, columnFor('validTo'));
  setReplacement(changes, row, valueFor, faults, columnFor('replacedBy'));
  const isSame = item !== undefined && item.label === label && Object.keys(changes).length === 0;
  return isSame ? undefined : { value: row.value, label, ...changes };
}

function setPlain(changes: Record<string, unknown>, field: Field, content: unknown, item: KeptItem | undefined): void {
  if (field === 'replacedBy') return;
  if (!isSame(content, currentOf(field, item))) changes[field] = content;
}

function currentOf(field: Field, item: KeptItem | undefined): unknown {
  if (field === 'retired') return item?.status === 'retired';
  // The service assigns a new item's sortOrder.
  if (field === 'sortOrder') return item?.sortOrder;
  const name = plainColumns.get(field);
  return name && (item ?? emptyItem)[name];
}

function setKeyed(
  changes: Record<string, unknown>,
  group: KeyedField,
  key: string,
  content: unknown,
  item: KeptItem | undefined,
): void {
  if (isSame(content, item === undefined ? null : contentAt(item, group, key))) return;
  changes[group] = { ...(changes[group] as object | undefined), [key]: content };
}

/** The order of tags and parent values does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.toSorted().join('\n') === other.toSorted().join('\n');
  return one === other;
}

function checkDates({ row, fields, item }: FoundRow, faults: FaultList, column: number | null): void {
  const day = (field: 'validFrom' | 'validTo') => (fields.has(field) ? fields.get(field) : item?.[field]);
  if (!isInOrder(day('validFrom'), day('validTo'))) faults.add(row, column, itemFaults.dates);
}

function setReplacement(
  changes: Record<string, unknown>,
  { row, fields, item }: FoundRow,
  valueFor: FoundItems['valueFor'],
  faults: FaultList,
  column: number | null,
): void {
  const wanted = fields.get('replacedBy');
  const isRetired = fields.get('retired') ?? item?.status === 'retired';
  if (typeof wanted === 'string') {
    const value = valueFor(wanted);
    if (value === undefined) faults.add(row, column, texts.noReplacement(wanted));
    else if (isRetired !== true) faults.add(row, column, texts.replacedButActive);
    else if (value !== item?.replacedBy) changes.replacedBy = value;
  } else if (wanted === null && isRetired === true && item !== undefined && item.replacedBy !== null) {
    changes.replacedBy = null;
  }
}
