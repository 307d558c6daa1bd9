// The state of the form of a value: what is typed, what is wrong with it, and saving it.
import { useEffect, useRef, useState } from 'react';
import { FrontdeskError } from '../../../client/src/index.ts';
import { checkForm, type Faults, faultsByField } from './item-checks.ts';
import type { FieldName, Fields, FieldValue, ItemState } from '../../lists/items/item-fields.ts';
import { afterSaving, emptyForm, type ItemForm, isTyped, shownFields, withField } from './item-form.ts';
import { translateSentence } from '../../shell/service/service-sentences.ts';

export interface ValueForm {
  item: ItemState;
  form: ItemForm;
  /** What the fields show. */
  shown: Fields;
  faults: Faults;
  error: unknown;
  isTyped: boolean;
  isSaving: boolean;
  set: (name: FieldName, to: FieldValue) => void;
  change: (next: (form: ItemForm) => ItemForm, ...faultsGone: string[]) => void;
  /** False where nothing was saved. */
  submit: () => Promise<boolean>;
  clear: () => void;
  /** The element around the fields: the first one with a fault gets the focus. */
  ref: React.RefObject<HTMLFormElement | null>;
}

interface Options {
  item: ItemState;
  /** Of a new one. */
  added?: ((form: ItemForm) => { value: string; taken: ReadonlySet<string> }) | undefined;
  /** False when the person goes on editing. */
  save: (form: ItemForm) => Promise<boolean>;
}

export function useValueForm({ item, added, save }: Options): ValueForm {
  const [form, setForm] = useState(emptyForm);
  const [faults, setFaults] = useState<Faults>({});
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    ref.current?.querySelector<HTMLElement>('input[aria-invalid], textarea[aria-invalid], [aria-invalid]')?.focus();
  }, [faults]);

  const change: ValueForm['change'] = (next, ...faultsGone) => {
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

  async function submit(): Promise<boolean> {
    if (isSaving) return false;
    const found = checkForm(item, form, added?.(form));
    setFaults(found);
    setError(undefined);
    if (Object.keys(found).length > 0) return false;
    setSaving(true);
    try {
      const isSaved = await save(form);
      if (isSaved) setForm((now) => afterSaving(now, form));
      return isSaved;
    } catch (reason) {
      fail(reason);
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    item,
    form,
    shown: shownFields(item, form),
    faults,
    error,
    isTyped: isTyped(item, form),
    isSaving,
    set: (name, to) =>
      change((now) => withField(item, now, name, to), name, ...(name === 'validFrom' ? ['validTo'] : [])),
    change,
    submit,
    clear: () => setForm(emptyForm),
    ref,
  };
}
