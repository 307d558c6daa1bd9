// The form of a list's settings: what it sends, and what happens when others change the settings meanwhile.
import { isSame, mergeField } from '../../lists/saving/merge.ts';
import type { KeptList } from '../../shell/api.ts';

/**
 * If `readers` or `keepers` is empty, the default applies to the list. `titles` and `descriptions` have an entry for each
 * language that is shown; an empty entry means that there is no translation.
 */
export interface SettingsForm {
  title: string;
  titles: Readonly<Record<string, string>>;
  description: string;
  descriptions: Readonly<Record<string, string>>;
  readers: readonly string[];
  keepers: readonly string[];
}
export type SettingName = keyof SettingsForm;
const names: readonly SettingName[] = ['title', 'titles', 'description', 'descriptions', 'readers', 'keepers'];
type Translations = SettingsForm['titles'];

export const most = { title: 200, description: 500, role: 255, roles: 50 };

export function formOf(list: Omit<KeptList, 'items'>): SettingsForm {
  const { title, titles, description, descriptions, readers, keepers } = list;
  return {
    title,
    titles,
    description: description ?? '',
    descriptions,
    readers: readers ?? [],
    keepers: keepers ?? [],
  };
}

/** The languages in which the form shows a title or a description. */
export const languagesOf = ({ titles, descriptions }: Pick<SettingsForm, 'titles' | 'descriptions'>) => [
  ...new Set([...Object.keys(titles), ...Object.keys(descriptions)]),
];

/** Adds empty texts in the language, so that the form shows fields for them. */
export function withLanguage({ titles, descriptions }: SettingsForm, tag: string): Partial<SettingsForm> {
  return { titles: { [tag]: '', ...titles }, descriptions: { [tag]: '', ...descriptions } };
}

export function withoutLanguage({ titles, descriptions }: SettingsForm, tag: string): Partial<SettingsForm> {
  const others = (texts: Translations) => Object.fromEntries(Object.entries(texts).filter(([key]) => key !== tag));
  return { titles: others(titles), descriptions: others(descriptions) };
}

/** Trims the translations and leaves out empty ones. */
const filled = (texts: Translations): Translations =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([tag, text]) => (text.trim() === '' ? [] : [[tag, text.trim()] as const])),
  );

export const differing = (one: SettingsForm, other: SettingsForm) =>
  names.filter((name) => {
    if (name !== 'titles' && name !== 'descriptions') return !isSame(one[name], other[name]);
    return !isSame(filled(one[name]), filled(other[name]));
  });

interface SettingsToSend {
  title?: string;
  titles?: Record<string, string | null>;
  description?: string | null;
  descriptions?: Record<string, string | null>;
  readers?: string[] | null;
  keepers?: string[] | null;
}

/** Returns only changed settings, so that users who may not change roles can still change the title. */
export function settingsToSend(form: SettingsForm, base: SettingsForm): SettingsToSend {
  const sent: SettingsToSend = {};
  for (const name of differing(form, base)) {
    if (name === 'title') sent.title = form.title.trim();
    else if (name === 'description') sent.description = form.description.trim() || null;
    else if (name === 'titles' || name === 'descriptions') sent[name] = translationsToSend(form[name], base[name]);
    else sent[name] = form[name].length === 0 ? null : [...form[name]];
  }
  return sent;
}

/** Only the languages that differ; null removes one. */
function translationsToSend(form: Translations, base: Translations): Record<string, string | null> {
  const [now, before] = [filled(form), filled(base)];
  const tags = Object.keys({ ...before, ...now }).filter((tag) => now[tag] !== before[tag]);
  return Object.fromEntries(tags.map((tag) => [tag, now[tag] ?? null]));
}

/** Merges each language separately, so a colleague's change to another language is not a conflict. */
function mergeTranslations(base: Translations, mine: Translations, theirs: Translations) {
  const languages = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].map((tag) => {
    const [was = '', typed = ''] = [base[tag], mine[tag]];
    return { tag, ...mergeField(was, typed === was ? undefined : typed, theirs[tag] ?? '') };
  });
  return {
    value: Object.fromEntries(languages.map(({ tag, value }) => [tag, value])),
    changedBy: languages.some(({ changedBy }) => changedBy === 'both') ? ('both' as const) : ('mine' as const),
  };
}

/** Merges newer settings into the form: fields that the user has not edited are updated, edited fields stay. */
export function rebaseForm(
  form: SettingsForm,
  base: SettingsForm,
  latest: SettingsForm,
): { form: SettingsForm; conflicts: SettingName[] } {
  const merged = differing(form, base).map((name) => ({
    name,
    ...(name === 'titles' || name === 'descriptions'
      ? mergeTranslations(base[name], form[name], latest[name])
      : mergeField<SettingsForm[SettingName]>(base[name], form[name], latest[name])),
  }));
  return {
    form: { ...latest, ...Object.fromEntries(merged.map(({ name, value }) => [name, value])) },
    conflicts: merged.filter(({ changedBy }) => changedBy === 'both').map(({ name }) => name),
  };
}

export type TextField = 'title' | 'description' | `titles.${string}` | `descriptions.${string}`;

/** Checks title and description, in every language; the service checks the rest. Fields are named as the service names them. */
export function settingFaults(form: SettingsForm): Partial<Record<TextField, 'required' | 'long'>> {
  const isLong = (text: string, longest: number) => text.trim().length > longest;
  const longIn = (name: 'titles' | 'descriptions', longest: number) =>
    Object.entries(form[name])
      .filter(([, text]) => isLong(text, longest))
      .map(([tag]) => [`${name}.${tag}`, 'long' as const]);
  return {
    ...(form.title.trim() === '' && { title: 'required' as const }),
    ...(isLong(form.title, most.title) && { title: 'long' as const }),
    ...(isLong(form.description, most.description) && { description: 'long' as const }),
    ...Object.fromEntries([...longIn('titles', most.title), ...longIn('descriptions', most.description)]),
  };
}

/** Known roles that are not in the field yet and contain the typed text; those that start with it come first. */
export function suggestRoles(known: readonly string[], roles: readonly string[], typed: string): string[] {
  const text = typed.trim().toLowerCase();
  const found = known.filter((role) => !roles.includes(role) && role.toLowerCase().includes(text));
  const startsWith = (role: string) => Number(role.toLowerCase().startsWith(text));
  return found.toSorted((a, b) => startsWith(b) - startsWith(a)).slice(0, 50);
}

/** Whether nobody has the role. False for empty text, and until the known roles are loaded. */
export const isUnknownRole = (role: string, known: readonly string[] | undefined) =>
  role !== '' && known !== undefined && !known.includes(role);

/** Returns the sorted roles with the new one, or the reason for refusing it. Empty input adds nothing. */
export function addRole(roles: readonly string[], typed: string): readonly string[] | 'there' | 'long' | 'many' {
  const role = typed.trim();
  if (role === '') return roles;
  if (role.length > most.role) return 'long';
  if (roles.includes(role)) return 'there';
  return roles.length >= most.roles ? 'many' : [...roles, role].sort();
}
