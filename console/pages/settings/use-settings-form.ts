// The form's state on settings that others may change meanwhile: what was typed stays.
import { useState } from 'react';
import type { KeptList } from '../../shell/api.ts';
import {
  addRole,
  differing,
  formOf,
  rebaseForm,
  type SettingName,
  type SettingsForm,
} from './settings-form.ts';

interface Typed {
  readers: string;
  keepers: string;
}
const nothingTyped: Typed = { readers: '', keepers: '' };

export function useSettingsForm(list: KeptList) {
  const [base, setBase] = useState(list);
  const [form, setForm] = useState(() => formOf(list));
  const [typed, setTyped] = useState(nothingTyped);
  const [conflicts, setConflicts] = useState<readonly SettingName[]>([]);

  if (list.version > base.version) {
    const rebased = rebaseForm(form, formOf(base), formOf(list));
    setBase(list);
    setForm(rebased.form);
    // One that was told before stays told until it is saved or typed anew.
    const still = new Set([...conflicts, ...rebased.conflicts]);
    setConflicts(differing(rebased.form, formOf(list)).filter((name) => still.has(name)));
  }

  const known = formOf(base);
  const pending = withTypedRoles(form, typed);
  return {
    form,
    known,
    typed,
    conflicts,
    isDirty: differing(form, known).length > 0 || typed.readers.trim() !== '' || typed.keepers.trim() !== '',
    /** With the roles that were typed and not added. */
    pending,
    change(changes: Partial<SettingsForm>): void {
      setForm((current) => ({ ...current, ...changes }));
      setConflicts((current) => current.filter((name) => !(name in changes)));
    },
    type: (changes: Partial<Typed>) => setTyped((current) => ({ ...current, ...changes })),
    reset(): void {
      setForm(known);
      setTyped(nothingTyped);
      setConflicts([]);
    },
    /** The list as it was saved. */
    saved(latest: KeptList): void {
      setBase(latest);
      setForm(formOf(latest));
      setTyped(nothingTyped);
      setConflicts([]);
    },
  };
}

/** Undefined where one of them cannot be added: the field says why. */
function withTypedRoles(form: SettingsForm, typed: Typed): SettingsForm | undefined {
  const [readers, keepers] = [addRole(form.readers, typed.readers), addRole(form.keepers, typed.keepers)];
  return typeof readers === 'string' || typeof keepers === 'string' ? undefined : { ...form, readers, keepers };
}
