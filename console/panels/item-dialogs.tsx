// Forms for one value: its details, and its retirement.
import { useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import type { ItemChanges, KeptItem, NewItem } from '../data/admin.ts';
import { valuePattern } from '../data/patterns.ts';
import { Field, faultOf, TextField } from '../parts/parts.tsx';
import { FormDialog, ReasonField, valueFrom } from './form-dialog.tsx';

interface ItemDialogProps {
  /** Absent for a new one. */
  item?: KeptItem;
  onClose: () => void;
  onSave: (item: NewItem | ItemChanges) => Promise<boolean>;
}

export function ItemDialog({ item, onClose, onSave }: ItemDialogProps) {
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
  const translate = (index: number, entry: [string, string]) =>
    setLabels(labels.map((each, other) => (other === index ? entry : each)));
  /** Only what is different from what it was: somebody else may have changed the rest. */
  const save = async () => {
    const entries = labels.filter(([language, text]) => language !== '' || text !== '');
    expectOneForEachLanguage(entries);
    const translations = Object.fromEntries(entries);
    const wanted = {
      label: label.trim(),
      validFrom: validFrom || null,
      validTo: validTo || null,
    };
    const different = Object.entries(wanted).filter(
      ([field, text]) => JSON.stringify(text) !== JSON.stringify(begun?.[field as keyof typeof wanted]),
    );
    const why = reason === '' ? {} : { reason };
    if (begun === undefined) return onSave({ value, ...wanted, labels: translations, ...why });
    const changed = { ...Object.fromEntries(different), ...labelChanges(begun.labels, translations) };
    return onSave({ ...changed, ...why });
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
              hint="What applications store. It can never be changed"
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
          <fieldset>
            <legend>Translations</legend>
            {labels.map(([language, text], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; its language is being typed
              <div className="row" key={index}>
                <input
                  className="short"
                  aria-label={`Language ${index + 1}`}
                  placeholder="de"
                  value={language}
                  onChange={(event) => translate(index, [event.target.value, text])}
                />
                <input
                  aria-label={`Translation ${index + 1}`}
                  dir="auto"
                  lang={language}
                  value={text}
                  onChange={(event) => translate(index, [language, event.target.value])}
                />
                <button
                  type="button"
                  className="plain"
                  aria-label={`Remove translation ${index + 1}`}
                  onClick={() => setLabels(labels.filter((_, other) => other !== index))}
                >
                  ✕
                </button>
              </div>
            ))}
            <button type="button" className="plain" onClick={() => setLabels([...labels, ['', '']])}>
              Add a translation
            </button>
            {faultOf(error, 'labels') !== undefined && <p className="fault">{faultOf(error, 'labels')}</p>}
          </fieldset>
          <div className="columns">
            <TextField
              label="On the list from"
              fault={faultOf(error, 'validFrom')}
              type="date"
              value={validFrom}
              onChange={setValidFrom}
            />
            <TextField
              label="On the list until"
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

/** An object takes the last of two without a word. */
function expectOneForEachLanguage(entries: [string, string][]): void {
  const languages = entries.map(([language]) => language.toLowerCase());
  const second = languages.findIndex((language, index) => languages.indexOf(language) !== index);
  if (second < 0) return;
  const first = entries[languages.indexOf(languages[second] ?? '')]?.[0] ?? '';
  const message = `There are two translations for ${first}. Remove one of them.`;
  throw new FrontdeskError({ status: 400, errors: [{ field: 'labels', message }] });
}

/** The languages that are different: the service keeps those it is not told of, and null takes one away. */
function labelChanges(before: Record<string, string>, after: Record<string, string>): Pick<ItemChanges, 'labels'> {
  const languages = Object.keys({ ...before, ...after }).filter((language) => before[language] !== after[language]);
  if (languages.length === 0) return {};
  return { labels: Object.fromEntries(languages.map((language) => [language, after[language] ?? null])) };
}

interface RetireDialogProps {
  item: KeptItem;
  others: KeptItem[];
  onClose: () => void;
  onSave: (body: { replacedBy?: string; reason?: string }) => Promise<boolean>;
}

export function RetireDialog({ item, others, onClose, onSave }: RetireDialogProps) {
  const [replacedBy, setReplacedBy] = useState('');
  const [reason, setReason] = useState('');
  const save = () => onSave({ ...(replacedBy !== '' && { replacedBy }), ...(reason !== '' && { reason }) });
  return (
    <FormDialog title={`Retire “${item.label}”`} action="Retire" onClose={onClose} onSave={save}>
      {(error) => (
        <>
          <p>It leaves the list. What applications have stored keeps its meaning, and it can come back.</p>
          <Field label="Replaced by" fault={faultOf(error, 'replacedBy')}>
            {(id, note) => (
              <select
                id={id}
                aria-describedby={note}
                value={replacedBy}
                onChange={(event) => setReplacedBy(event.target.value)}
              >
                <option value="">nothing</option>
                {others.map(({ value, label }) => (
                  <option key={value} value={value} dir="auto">
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <ReasonField reason={reason} onChange={setReason} fault={faultOf(error, 'reason')} />
        </>
      )}
    </FormDialog>
  );
}
