// Displays the names and contents of a value's fields.
import { type PlainColumn, plainColumns } from '../../../src/lookup/rules/columns.ts';
import { formatDay } from '../../parts/format.tsx';
import { itemColumnTexts } from '../columns/texts.ts';
import { languageName } from '../languages/language-names.ts';
import { type FieldName, type FieldValue, splitField } from './item-fields.ts';
import { itemTexts } from './texts.ts';

const isPlainColumn = (name: string): name is PlainColumn => plainColumns.has(name);

/** `titleOf` returns the title of a parent list. */
export function fieldName(field: FieldName, titleOf: (list: string) => string = (list) => list): string {
  const [group, key] = splitField(field);
  if (group === 'labels') return itemTexts.translation(languageName(key));
  if (group === 'codes') return itemTexts.codeIn(key);
  if (group === 'parents') return itemTexts.valuesOf(titleOf(key));
  if (group === 'status') return itemTexts.status;
  return isPlainColumn(group) ? itemColumnTexts[group] : group;
}

export function fieldText(field: FieldName, value: FieldValue): string {
  if (value === null || value.length === 0) return itemTexts.empty;
  if (typeof value !== 'string') return value.join(', ');
  if (field === 'validFrom' || field === 'validTo') return formatDay(value);
  if (field === 'status') return value === 'retired' ? itemTexts.retired : itemTexts.active;
  return value;
}
