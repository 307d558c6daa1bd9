// One dropdown of the sample form, filled as an application would fill it.
import { X } from 'lucide-react';
import { useId } from 'react';
import { useLookup } from '../../../client/src/react.ts';
import { changeIds } from '../../lists/use-changes.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../shell/error-note.tsx';
import { previewTexts } from './texts.ts';
import { shared } from '../../parts/texts.ts';

interface FormDropdownProps {
  list: string;
  title: string;
  language: string | undefined;
  value: string;
  onFocus: () => void;
  onChange: (value: string) => void;
  /** Of a list that was added to the form. */
  onRemove?: (() => void) | undefined;
}

export function FormDropdown({ list, title, language, value, onFocus, onChange, onRemove }: FormDropdownProps) {
  const id = useId();
  const version = changeIds.use()[list] ?? 0;
  // A value that was chosen stays in the dropdown, also when it is retired meanwhile.
  const include = value === '' ? [] : [value];
  const { data, error } = useLookup(list, { version, include, ...(language !== undefined && { language }) });
  return (
    <div className="field">
      <label htmlFor={id} className="field-label" dir="auto">
        {title}
      </label>
      <div className="preview-dropdown">
        <select
          id={id}
          className="input"
          value={value}
          disabled={data === undefined}
          onFocus={onFocus}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{data === undefined ? previewTexts.loading : previewTexts.choose}</option>
          {data?.map((item) => (
            <option key={item.value} value={item.value} dir="auto">
              {item.label}
            </option>
          ))}
        </select>
        {onRemove !== undefined && (
          <Button look="icon" aria-label={shared.remove(title)} onPress={onRemove}>
            <X aria-hidden="true" size={16} />
          </Button>
        )}
      </div>
      <ErrorNote error={error} />
    </div>
  );
}
