// The form of a list's settings: what it sends, and what happens when others change the settings meanwhile.
import { isSame, mergeField } from '../../lists/saving/merge.ts';
import type { KeptList } from '../../shell/api.ts';

/** If `readers` or `keepers` is empty, the default applies to the list. */
export interface SettingsForm {
  title: string;
  description: string;
  readers: readonly string[];
  keepers: readonly string[];
}
export type SettingName = keyof SettingsForm;
const names: readonly SettingName[] = ['title', 'description', 'readers', 'keepers'];

export const most = { title: 200, description: 500, role: 255, roles: 50 };

export const formOf = ({ title, description, readers, keepers }: Omit<KeptList, 'items'>): SettingsForm => ({
  title,
  description: description ?? '',
  readers: readers ?? [],
  keepers: keepers ?? [],
});

export const differing = (one: SettingsForm, other: SettingsForm) =>
  names.filter((name) => !isSame(one[name], other[name]));

interface SettingsToSend {
  title?: string;
  description?: string | null;
  readers?: string[] | null;
  keepers?: string[] | null;
}

/** Returns only changed settings, so that users who may not change roles can still change the title. */
export function settingsToSend(form: SettingsForm, base: SettingsForm): SettingsToSend {
  const sent: SettingsToSend = {};
  for (const name of differing(form, base)) {
    if (name === 'title') sent.title = form.title.trim();
    else if (name === 'description') sent.description = form.description.trim() || null;
    else sent[name] = form[name].length === 0 ? null : [...form[name]];
  }
  return sent;
}

/** Merges newer settings into the form: fields that the user has not edited are updated, edited fields stay. */
export function rebaseForm(
  form: SettingsForm,
  base: SettingsForm,
  latest: SettingsForm,
): { form: SettingsForm; conflicts: SettingName[] } {
  const merged = differing(form, base).map((name) => ({
    name,
    ...mergeField<SettingsForm[SettingName]>(base[name], form[name], latest[name]),
  }));
  return {
    form: { ...latest, ...Object.fromEntries(merged.map(({ name, value }) => [name, value])) },
    conflicts: merged.filter(({ changedBy }) => changedBy === 'both').map(({ name }) => name),
  };
}

/** Checks title and description only; the service checks the rest. */
export function settingFaults({ title, description }: SettingsForm): Partial<Record<SettingName, 'required' | 'long'>> {
  return {
    ...(title.trim() === '' && { title: 'required' as const }),
    ...(title.trim().length > most.title && { title: 'long' as const }),
    ...(description.trim().length > most.description && { description: 'long' as const }),
  };
}

/** The roles with the new one, sorted as in the service, or why it cannot be added. Empty input adds nothing. */
/** Roles to suggest: known ones that are not in the field yet and contain what is typed, at the beginning first. */
export function suggestRoles(known: readonly string[], roles: readonly string[], typed: string): string[] {
  const text = typed.trim().toLowerCase();
  const found = known.filter((role) => !roles.includes(role) && role.toLowerCase().includes(text));
  const startsWith = (role: string) => Number(role.toLowerCase().startsWith(text));
  return found.toSorted((a, b) => startsWith(b) - startsWith(a)).slice(0, 50);
}

export function addRole(roles: readonly string[], typed: string): readonly string[] | 'there' | 'long' | 'many' {
  const role = typed.trim();
  if (role === '') return roles;
  if (role.length > most.role) return 'long';
  if (roles.includes(role)) return 'there';
  return roles.length >= most.roles ? 'many' : [...roles, role].sort();
}
