// The fields of a value and what they hold, in words.
import { formatDay } from '../../parts/format.ts';
import { conflictTexts as texts } from '../saving/texts.ts';
import { valueTexts } from '../../pages/value/texts.ts';
import { type FieldName, type FieldValue, splitField } from './item-fields.ts';
import { languageName } from '../languages/language-names.ts';

const plainNames: Record<string, string> = {
  label: valueTexts.label,
  description: valueTexts.description,
  validFrom: valueTexts.from,
  validTo: valueTexts.until,
  tags: valueTexts.tags,
  status: texts.status,
  replacedBy: valueTexts.replacedBy,
};

/** `titleOf`: what another list is called. */
export function fieldName(field: FieldName, titleOf: (list: string) => string = (list) => list): string {
  const [group, key] = splitField(field);
  if (group === 'labels') return texts.translation(languageName(key));
  if (group === 'codes') return valueTexts.codeIn(key);
  if (group === 'parents') return valueTexts.valuesOf(titleOf(key));
  return plainNames[group] ?? group;
}

export function fieldText(field: FieldName, value: FieldValue): string {
  if (value === null || value.length === 0) return texts.empty;
  if (typeof value !== 'string') return value.join(', ');
  if (field === 'validFrom' || field === 'validTo') return formatDay(value);
  if (field === 'status') return value === 'retired' ? valueTexts.retired : valueTexts.active;
  return value;
}
