// A form for one value: a new one, or one that is changed.
import { useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import type { ItemChanges, KeptItem, NewItem } from '../data/admin.ts';
import { valuePattern } from '../data/patterns.ts';
import { faultOf, TextField } from '../parts/parts.tsx';
import { Translations } from '../parts/translations.tsx';
import { FormDialog, ReasonField, valueFrom } from './form-dialog.tsx';

interface ItemDialogProps {
  onClose: () => void;
}

type NewOrChanged =
  | { item?: undefined; onAdd: (item: NewItem) => Promise<boolean> }
  | { item: KeptItem; onChange: (changes: ItemChanges) => Promise<boolean> };

export function ItemDialog(props: ItemDialogProps & NewOrChanged) {
  const { item, onClose } = props;
  const [begun] = useState(item);
  const [value, setValue] = useState(item?.value ?? '');
  const [isOwnValue, setOwnValue] = useState(false);
  const [label, setLabel] = useState(item?.label ?? '');
  const [labels, setLabels] = useState(Object.entries(item?.labels ?? {}));
  const [validFrom, setValidFrom] = useState(item?.validFrom ?? '');
  const [validTo, setValidTo] = useState(item?.validTo ?? '');
  const [reason, setReason] = useState('');

  const rename = (text: string) => {
    setLabel(text);
    if (item === undefined && !isOwnValue) setValue(valueFrom(text));
  };
  /** Only what was edited here: others may have changed the rest meanwhile. */
  const save = async () => {
    const entries = labels.filter(([language, text]) => language !== '' || text !== '');
    expectOneForEachLanguage(entries);
    const translations = Object.fromEntries(entries);
    const dates = { validFrom: validFrom || null, validTo: validTo || null };
    const wanted = { label: label.trim(), ...dates };
    const why = reason === '' ? {} : { reason };
    if (props.item === undefined) return props.onAdd({ value, ...wanted, labels: translations, ...why });
    return props.onChange({ ...differences(begun, wanted), ...labelChanges(begun?.labels, translations), ...why });
  };

  return (
    <FormDialog
      title={item === undefined ? 'Add a value' : `Edit ${item.value}`}
      action="Save"
      onClose={onClose}
      onSave={save}
    >
      {(error) => (
        <>
          <TextField
            label="Label"
            hint="What people see"
            fault={faultOf(error, 'label')}
            dir="auto"
            required
            value={label}
            onChange={rename}
          />
          {item === undefined && (
            <TextField
              label="Value"
              hint="What applications store. Can’t be changed later"
              fault={faultOf(error, 'value')}
              required
              pattern={valuePattern}
              title="Capital letters and digits, joined by underscores"
              value={value}
              onChange={(text) => {
                setOwnValue(true);
                setValue(text.toUpperCase().replaceAll(/[^A-Z0-9_]/g, ''));
              }}
            />
          )}
          <Translations labels={labels} onChange={setLabels} fault={faultOf(error, 'labels')} />
          <div className="columns">
            <TextField
              label="Available from"
              fault={faultOf(error, 'validFrom')}
              type="date"
              value={validFrom}
              onChange={setValidFrom}
            />
            <TextField
              label="Available until"
              fault={faultOf(error, 'validTo')}
              type="date"
              value={validTo}
              onChange={setValidTo}
            />
          </div>
          <ReasonField reason={reason} onChange={setReason} fault={faultOf(error, 'reason')} />
        </>
      )}
    </FormDialog>
  );
}

/** As the keys of an object, the second would silently replace the first. */
function expectOneForEachLanguage(entries: [string, string][]): void {
  const byLanguage = Map.groupBy(entries, ([language]) => language.toLowerCase());
  const [repeated] = [...byLanguage.values()].flatMap(([first, second]) => (first && second ? [first[0]] : []));
  if (repeated === undefined) return;
  const message = `There are two translations for ${repeated}. Remove one of them.`;
  throw new FrontdeskError({ status: 400, errors: [{ field: 'labels', message }] });
}

type Details = Pick<KeptItem, 'label' | 'validFrom' | 'validTo'>;

function differences(before: Details | undefined, after: Details): Partial<Details> {
  return {
    ...(after.label !== before?.label && { label: after.label }),
    ...(after.validFrom !== before?.validFrom && { validFrom: after.validFrom }),
    ...(after.validTo !== before?.validTo && { validTo: after.validTo }),
  };
}

/** The languages that are different: the service keeps those that are left out, and null removes one. */
function labelChanges(before: Record<string, string> = {}, after: Record<string, string>): Pick<ItemChanges, 'labels'> {
  const languages = Object.keys({ ...before, ...after }).filter((language) => before[language] !== after[language]);
  if (languages.length === 0) return {};
  return { labels: Object.fromEntries(languages.map((language) => [language, after[language] ?? null])) };
}
