// The settings of a list, and who may do what with it.
import { inNfc, mergeByKey } from './item-changes.ts';
import { type Content, currentOf, type List, Refusal, type Settings } from './list.ts';
import { type Person, people } from './people.ts';

type Translations = Readonly<Record<string, string | null>>;
export type GivenSettings = Partial<Omit<Settings, 'titles' | 'descriptions'>> & {
  titles?: Translations;
  descriptions?: Translations;
};

/** Settings that are left out stay. Translations are merged by language; null removes one. */
export function withSettings(content: Content, { titles, descriptions, ...given }: GivenSettings): Content {
  const roles = (wanted: readonly string[] | null) => wanted?.toSorted() ?? null;
  const { title, description, readers, keepers, archived } = { ...content, ...given };
  return {
    ...content,
    title: inNfc(title),
    titles: mergeByKey(content.titles, titles, inNfc),
    description,
    descriptions: mergeByKey(content.descriptions, descriptions, inNfc),
    readers: roles(readers),
    keepers: roles(keepers),
    archived,
  };
}

/** Whether a translation is null, which is refused for a new list, as it has nothing to remove. */
export const removesTranslation = ({ titles, descriptions }: GivenSettings) =>
  [titles, descriptions].some((texts) => Object.values(texts ?? {}).includes(null));

const hasRole = (person: Person, roles: readonly string[] | null) => roles?.includes(people[person]) ?? false;

export const mayKeep = (person: Person, { keepers }: Settings) => person === 'admin' || hasRole(person, keepers);

/** If a list names no readers, the general readers may read it, or everybody if there are none. Its keepers always may. */
export function mayRead(person: Person, settings: Settings, readRoles: readonly string[]): boolean {
  const readers = settings.readers ?? (readRoles.length > 0 ? readRoles : [people[person]]);
  return hasRole(person, readers) || mayKeep(person, settings);
}

/** The list's content, if this person may read it. */
export function readableBy(person: Person, list: List | undefined, readRoles: readonly string[]): Content | undefined {
  const content = list && currentOf(list);
  return content !== undefined && mayRead(person, content, readRoles) ? content : undefined;
}

/** Checks the person before the list, as the service does. */
export function refuseKeeping(person: Person, settings: Settings | undefined): void {
  if (!isKeeper(person) || (settings !== undefined && !mayKeep(person, settings))) throw new Refusal('forbidden');
  if (settings === undefined) throw new Refusal('not-found');
}

/** Whether the person keeps any list. The service has one list outside the model, which the keeper always keeps. */
export const isKeeper = (person: Person) => person === 'admin' || person === 'keeper';

export function refuseReading(person: Person, settings: Settings | undefined, readRoles: readonly string[]): void {
  if (settings === undefined) throw new Refusal('not-found');
  if (!mayRead(person, settings, readRoles)) throw new Refusal('forbidden');
  if (settings.archived) throw new Refusal('not-found');
}

/** Only people who may change all lists may change a list's readers and keepers, or archive it. */
export function refuseRights(person: Person, before: Settings, after: Settings): void {
  const rightsOf = ({ readers, keepers, archived }: Settings) => ({ readers, keepers, archived });
  const isChanged = !Bun.deepEquals(rightsOf(before), rightsOf(after));
  if (person !== 'admin' && isChanged) throw new Refusal('forbidden');
}
