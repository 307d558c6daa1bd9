// The state of the settings form. What was typed stays when others change the settings.
import { useState } from 'react';
import type { KeptList } from '../../shell/api.ts';
import { addRole, differing, formOf, rebaseForm, type SettingName, type SettingsForm } from './settings-form.ts';

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
    // A reported conflict stays until it is saved or edited.
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
    /** The form with roles that are typed but not added. */
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
    /** Starts again from the saved list. */
    saved(latest: KeptList): void {
      setBase(latest);
      setForm(formOf(latest));
      setTyped(nothingTyped);
      setConflicts([]);
    },
  };
}

/** Undefined if a typed role cannot be added: its field says why. */
function withTypedRoles(form: SettingsForm, typed: Typed): SettingsForm | undefined {
  const [readers, keepers] = [addRole(form.readers, typed.readers), addRole(form.keepers, typed.keepers)];
  return typeof readers === 'string' || typeof keepers === 'string' ? undefined : { ...form, readers, keepers };
}
