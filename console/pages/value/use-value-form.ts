// The state of a value's form: input, faults and saving.
import { useEffect, useRef, useState } from 'react';
import { FrontdeskError } from '../../../client/src/index.ts';
import type { FieldName, FieldValue, ItemState } from '../../lists/items/item-fields.ts';
import { findLabel, labelKey } from '../../lists/items/item-search.ts';
import type { KeptItem } from '../../shell/api.ts';
import { translateSentence } from '../../shell/service/service-sentences.ts';
import { checkForm, type Faults, faultsByField } from './item-checks.ts';
import { afterSaving, emptyForm, hasInput, type ItemForm, shownFields, withField } from './item-form.ts';

interface Options {
  item: ItemState;
  /** All items of the list. */
  items: readonly KeptItem[];
  /** Set only for a new value. */
  added?: ((form: ItemForm) => { value: string; taken: ReadonlySet<string> }) | undefined;
  /** Resolves to false if the user keeps editing. */
  save: (form: ItemForm) => Promise<boolean>;
}

export type ValueForm = ReturnType<typeof useValueForm>;

export function useValueForm({ item, items, added, save }: Options) {
  const [form, setForm] = useState(emptyForm);
  const [faults, setFaults] = useState<Faults>({});
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  /** The label that Save has warned about, and the item that has it. */
  const [warning, setWarning] = useState<{ key: string; item: KeptItem }>();
  /** The form element, to focus the first field with a fault. */
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    ref.current?.querySelector<HTMLElement>('input[aria-invalid], textarea[aria-invalid], [aria-invalid]')?.focus();
  }, [faults]);

  const change = (next: (form: ItemForm) => ItemForm, ...faultsGone: string[]) => {
    setForm(next);
    if (faultsGone.some((name) => name in faults)) {
      setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !faultsGone.includes(name))));
    }
  };

  const fail = (reason: unknown) => {
    const errors = reason instanceof FrontdeskError ? reason.errors : [];
    const messages = errors.map(({ field, message }) => ({ field, message: translateSentence(message) }));
    setFaults(faultsByField(messages, form));
    setError(reason);
  };

  const shown = shownFields(item, form);
  const label = typeof shown.label === 'string' ? labelKey(shown.label) : '';
  /** Another item with the same label. Save warns about this item instead of saving. */
  const sameLabel = warning?.key === label ? warning.item : undefined;

  /** If another item already has the edited label, shows a warning, focuses the label and returns true. */
  function warnOfSameLabel(): boolean {
    const found = label === labelKey(item.label) ? undefined : findLabel(items, label, item.value);
    setWarning(found && { key: label, item: found });
    if (found !== undefined) ref.current?.querySelector('input')?.focus();
    return found !== undefined;
  }

  /** `isConfirmed` saves the label even if another item has it. */
  async function submit(isConfirmed = false): Promise<void> {
    if (isSaving || !hasInput(item, form)) return;
    const found = checkForm(item, form, added?.(form));
    setFaults(found);
    setError(undefined);
    if (Object.keys(found).length > 0 || (!isConfirmed && warnOfSameLabel())) return;
    setSaving(true);
    try {
      if (await save(form)) {
        setForm((now) => afterSaving(now, form));
        setWarning(undefined);
      }
    } catch (reason) {
      fail(reason);
    } finally {
      setSaving(false);
    }
  }

  return {
    item,
    form,
    /** The contents of the fields. */
    shown,
    sameLabel,
    faults,
    error,
    hasInput: hasInput(item, form),
    isSaving,
    set: (name: FieldName, to: FieldValue) =>
      change((now) => withField(item, now, name, to), name, ...(name === 'validFrom' ? ['validTo'] : [])),
    change,
    submit,
    ref,
  };
}
