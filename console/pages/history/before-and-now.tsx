import { ArrowRight } from 'lucide-react';
import { fieldText } from '../../lists/items/field-texts.ts';
import type { FieldName, FieldValue } from '../../lists/items/item-fields.ts';
import type { KeptList } from '../../shell/api.ts';
import { versionTexts as texts } from './texts.ts';

interface BeforeAndNowProps {
  name: string;
  /** Null if there was or is none. */
  before: string | null;
  now: string | null;
}

/** `Label: Clerk → Senior clerk` */
export function BeforeAndNow({ name, before, now }: BeforeAndNowProps) {
  return (
    <div className="difference">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {before === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}{' '}
        <ArrowRight aria-hidden="true" size={14} className="flips" />
        <span className="unseen">{texts.now}</span>{' '}
        {now === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <ins>
            <bdi>{now}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}

type SettingName = 'title' | 'description' | 'readers' | 'keepers' | 'archived';

/** A field or setting in words; null if empty. `labelOf` gives the label of a value of the list. */
export function textOfField(field: FieldName, value: FieldValue, labelOf: (value: string) => string): string | null {
  if (value === null || value.length === 0) return null;
  return field === 'replacedBy' && typeof value === 'string' ? labelOf(value) : fieldText(field, value);
}

export function textOfSetting(value: KeptList[SettingName]): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'string' ? value : value.join(', ');
}
