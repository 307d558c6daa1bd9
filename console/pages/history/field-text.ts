// The fields of a value and the settings of a list, in words.
import type { KeptList } from '../../data/api.ts';
import { type FieldName, type FieldValue, splitField } from '../../data/item-fields.ts';
import { languageName } from '../../data/language-names.ts';
import { formatDay } from '../../parts/format.ts';
import { fieldNames, versionTexts as texts } from '../../texts/versions.ts';

export type SettingName = 'title' | 'description' | 'readers' | 'keepers' | 'archived';

export function fieldTitle(field: FieldName): string {
  const [group, key] = splitField(field);
  if (group === 'labels') return texts.labelIn(languageName(key));
  if (group === 'codes') return texts.codeOf(key);
  if (group === 'parents') return texts.parentsIn(key);
  return fieldNames[group as keyof typeof fieldNames];
}

/** Null where there is none. `labelOf` is of a value of the list. */
export function fieldText(field: FieldName, value: FieldValue, labelOf: (value: string) => string): string | null {
  if (value === null || value.length === 0) return null;
  if (typeof value !== 'string') return value.join(', ');
  if (field === 'replacedBy') return labelOf(value);
  return field === 'validFrom' || field === 'validTo' ? formatDay(value) : value;
}

export function settingText(value: KeptList[SettingName]): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'string' ? value : value.join(', ');
}
