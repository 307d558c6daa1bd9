// Displays the names and contents of a value's fields, and says what is wrong with them.
import { type PlainColumn, plainColumns } from '../../../src/lookup/rules/columns.ts';
import { longestName, valuePattern } from '../../../src/lookup/rules/names.ts';
import { brokenRule, hasAtMost } from '../../../src/lookup/rules/text.ts';
import { formatDay } from '../../parts/format.tsx';
import { itemColumnTexts } from '../columns/texts.ts';
import { languageName } from '../languages/language-names.ts';
import { type FieldName, type FieldValue, splitField } from './item-fields.ts';
import { itemTexts, itemFaults as texts } from './texts.ts';

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
