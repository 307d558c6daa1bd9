// The form of a list's settings: what was typed, what has to be sent, and what becomes of both when somebody else changes
// the settings meanwhile.
import type { KeptList } from '../../../src/lookup/lookup-admin.schema.ts';
import { isSame } from '../../lists/same.ts';

/** No roles: the list has none of its own. */
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

/** Only what differs is sent: who may not change roles may still change the title. */
export function settingsToSend(form: SettingsForm, base: SettingsForm): SettingsToSend {
  const sent: SettingsToSend = {};
  for (const name of differing(form, base)) {
    if (name === 'title') sent.title = form.title.trim();
    else if (name === 'description') sent.description = form.description.trim() || null;
    else sent[name] = form[name].length === 0 ? null : [...form[name]];
  }
  return sent;
}

/**
 * The form on settings that are newer than those it began with: what was not touched is new, what was typed stays.
 * `conflicts` are those that both changed, and differently.
 */
export function rebaseForm(
  form: SettingsForm,
  base: SettingsForm,
  latest: SettingsForm,
): { form: SettingsForm; conflicts: SettingName[] } {
  const touched = new Set(differing(form, base));
  const changed = new Set(differing(latest, base));
  const merged = { ...latest, ...Object.fromEntries([...touched].map((name) => [name, form[name]])) };
  return {
    form: merged,
    conflicts: names.filter((name) => touched.has(name) && changed.has(name) && !isSame(form[name], latest[name])),
  };
}

/** Of a title and a description; the service says what else is wrong. */
export function settingFaults({ title, description }: SettingsForm): Partial<Record<SettingName, 'required' | 'long'>> {
  return {
    ...(title.trim() === '' && { title: 'required' as const }),
    ...(title.trim().length > most.title && { title: 'long' as const }),
    ...(description.trim().length > most.description && { description: 'long' as const }),
  };
}

/** With the role added, sorted as the service has them; or why it cannot be. Nothing typed adds nothing. */
export function addRole(roles: readonly string[], typed: string): readonly string[] | 'there' | 'long' | 'many' {
  const role = typed.trim();
  if (role === '') return roles;
  if (role.length > most.role) return 'long';
  if (roles.includes(role)) return 'there';
  return roles.length >= most.roles ? 'many' : [...roles, role].sort();
}
