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

export function fieldText(field: FieldName, value: FieldValue): string {
  if (value === null || value.length === 0) return texts.none;
  if (typeof value !== 'string') return value.join(', ');
  return field === 'validFrom' || field === 'validTo' ? formatDay(value) : value;
}

export function settingText(value: KeptList[SettingName]): string {
  if (value === null) return texts.none;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'string' ? value : value.join(', ');
}
