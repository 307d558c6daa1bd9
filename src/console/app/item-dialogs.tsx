// Forms for one value, and for a new list.
import { type ReactNode, useState } from 'react';
import type { ItemChanges, KeptItem, NewItem } from './admin.ts';
import { Dialog, ErrorNote, Field, faultOf } from './parts.tsx';

interface FormDialogProps {
  title: string;
  action: string;
  children: (error: unknown) => ReactNode;
  onClose: () => void;
  /** False when it is not saved after all; what is thrown is shown, and what was typed stays. */
  onSave: () => Promise<boolean>;
}

function FormDialog({ title, action, children, onClose, onSave }: FormDialogProps) {
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  // Not while it is being saved: whether that went well would be told to nobody.
  const close = () => {
    if (!isSaving) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          setSaving(true);
          setError(undefined);
          try {
            if (await onSave()) onClose();
          } catch (reason) {
            setError(reason);
          } finally {
            setSaving(false);
          }
        }}
      >
        <ErrorNote error={error} wrong="Something is not right yet" />
        {children(error)}
        <p className="row">
          <button type="submit" className="primary" disabled={isSaving}>
            {isSaving ? 'Saving…' : action}
          </button>
          <button type="button" onClick={close} disabled={isSaving}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

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
  const save = () => {
    const wanted = {
      label: label.trim(),
      labels: Object.fromEntries(labels.filter(([language, text]) => language !== '' || text !== '')),
      validFrom: validFrom || null,
      validTo: validTo || null,
    };
    const different = Object.entries(wanted).filter(
      ([field, text]) => JSON.stringify(text) !== JSON.stringify(begun?.[field as keyof typeof wanted]),
    );
    const why = reason === '' ? {} : { reason };
    return onSave(begun === undefined ? { value, ...wanted, ...why } : { ...Object.fromEntries(different), ...why });
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
          <Field label="Label" hint="What people see" fault={faultOf(error, 'label')}>
            {(id, note) => (
              <input
                id={id}
                aria-describedby={note}
                dir="auto"
                required
                value={label}
                onChange={(event) => rename(event.target.value)}
              />
            )}
          </Field>
          {item === undefined && (
            <Field
              label="Value"
              hint="What applications store. It can never be changed"
              fault={faultOf(error, 'value')}
            >
              {(id, note) => (
                <input
                  id={id}
                  aria-describedby={note}
                  required
                  pattern="[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"
                  title="Capital letters and digits, joined by underscores"
                  value={value}
                  onChange={(event) => {
                    setOwnValue(true);
                    setValue(event.target.value.toUpperCase().replaceAll(/[^A-Z0-9_]/g, ''));
                  }}
                />
              )}
            </Field>
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
            <Field label="On the list from" fault={faultOf(error, 'validFrom')}>
              {(id, note) => (
                <input
                  id={id}
                  aria-describedby={note}
                  type="date"
                  value={validFrom}
                  onChange={(event) => setValidFrom(event.target.value)}
                />
              )}
            </Field>
            <Field label="On the list until" fault={faultOf(error, 'validTo')}>
              {(id, note) => (
                <input
                  id={id}
                  aria-describedby={note}
                  type="date"
                  value={validTo}
                  onChange={(event) => setValidTo(event.target.value)}
                />
              )}
            </Field>
          </div>
          <ReasonField reason={reason} onChange={setReason} fault={faultOf(error, 'reason')} />
        </>
      )}
    </FormDialog>
  );
}

/** `Account manager` as a value: `ACCOUNT_MANAGER`. */
function valueFrom(label: string): string {
  return label
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 64);
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

export function ReasonField({
  reason,
  onChange,
  fault,
}: {
  reason: string;
  onChange: (reason: string) => void;
  fault?: string | undefined;
}) {
  return (
    <Field label="Why" hint="For the history; may be left empty" fault={fault}>
      {(id, note) => (
        <input
          id={id}
          aria-describedby={note}
          dir="auto"
          value={reason}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function NewListDialog({
  onClose,
  onSave,
}: {
  onClose: () => void;
  onSave: (list: string, title: string) => Promise<void>;
}) {
  const [title, setTitle] = useState('');
  const [list, setList] = useState('');
  const [isOwnName, setOwnName] = useState(false);
  return (
    <FormDialog
      title="New list"
      action="Make it"
      onClose={onClose}
      onSave={async () => {
        await onSave(list, title.trim());
        return true;
      }}
    >
      {(error) => (
        <>
          <Field label="Title" hint="For those who keep it" fault={faultOf(error, 'title')}>
            {(id, note) => (
              <input
                id={id}
                aria-describedby={note}
                dir="auto"
                required
                value={title}
                onChange={(event) => {
                  setTitle(event.target.value);
                  if (!isOwnName) setList(valueFrom(event.target.value).toLowerCase().replaceAll('_', '-'));
                }}
              />
            )}
          </Field>
          <Field
            label="Name"
            hint="Its address: /employee/name. It can never be changed"
            fault={faultOf(error, 'list')}
          >
            {(id, note) => (
              <input
                id={id}
                aria-describedby={note}
                required
                pattern="[a-z][a-z0-9]*(-[a-z0-9]+)*"
                title="Lower-case words joined by hyphens"
                value={list}
                onChange={(event) => {
                  setOwnName(true);
                  setList(event.target.value);
                }}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
