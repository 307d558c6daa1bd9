// What a value's field and a list's setting hold, in words; null where there is nothing.
import type { KeptList } from '../../shell/api.ts';
import { fieldText } from '../../lists/items/field-texts.ts';
import type { FieldName, FieldValue } from '../../lists/items/item-fields.ts';
import { versionTexts as texts } from './texts.ts';

type SettingName = 'title' | 'description' | 'readers' | 'keepers' | 'archived';

/** `labelOf` is of a value of the list. */
export function textOfField(field: FieldName, value: FieldValue, labelOf: (value: string) => string): string | null {
  if (value === null || value.length === 0) return null;
  return field === 'replacedBy' && typeof value === 'string' ? labelOf(value) : fieldText(field, value);
}

export function textOfSetting(value: KeptList[SettingName]): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'string' ? value : value.join(', ');
}
