// Random values from small sets of values, languages and days, so that changes affect each other.
import fc from 'fast-check';
import type { ListRole } from './operations.ts';
import type { Person } from './people.ts';

/** Generates values of the first arbitrary most of the time, otherwise of the second. */
export const mostly = <T, S>(often: fc.Arbitrary<T>, seldom: fc.Arbitrary<S>, weight = 5): fc.Arbitrary<T | S> =>
  fc.oneof({ arbitrary: often, weight }, { arbitrary: seldom, weight: 1 });
export const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ arbitrary, weight });
export const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });
const none = fc.constant(null);

export const listRole = fc.constantFrom<ListRole[]>('city', 'country');
export const values = ['A', 'B', 'C', 'D', 'E'];
export const value = fc.constantFrom(...values);
/** In Swedish, ä comes after z; no language sorts these by code units. */
export const label = fc.constantFrom('alpha', 'Zug Alpha', 'ähre', 'Öl', 'éclair', 'e\u0301clair', '名前');
const languageTag = fc.constantFrom('de', 'de-CH', 'sv', 'zh-Hant', 'en-GB');
const wish = fc.constantFrom('de', 'de-AT', 'de-CH', 'sv', 'zh-TW', 'zh', 'en', 'en-GB', 'en-US', 'fr', '*');
/** The preferred language first. */
export const wishes = fc.uniqueArray(wish, { maxLength: 3 });
export const reason = fc.option(fc.constantFrom('new titles', ' Gru\u0308n '), { nil: undefined });

/** A person, usually one who has the permission. */
export const person = fc.constantFrom<Person[]>(
  'admin',
  'admin',
  'admin',
  'admin',
  'keeper',
  'keeper',
  'reader',
  'guest',
);
const roles = fc.uniqueArray(fc.constantFrom('READER', 'GUEST'), { minLength: 1 });
const translations = fc.dictionary(languageTag, mostly(label, none), { minKeys: 1, maxKeys: 3 });
export const settings = {
  title: label,
  titles: translations,
  description: fc.constantFrom('Some text', null),
  descriptions: translations,
  readers: mostly(roles, none, 2),
  keepers: mostly(fc.constant(['KEEPER']), none),
  archived: mostly(fc.constant(false), fc.constant(true), 2),
};

/** Null removes the current value. */
export const details = {
  label,
  labels: translations,
  sortOrder: fc.constantFrom(10, 10, 20),
  // Offsets in days from today. Rarely, validFrom is after validTo.
  validFrom: mostly(fc.integer({ min: -2, max: 1 }), none),
  validTo: mostly(fc.integer({ min: 0, max: 3 }), none),
  codes: fc.dictionary(fc.constantFrom('workday', 'sap'), mostly(fc.constantFrom('1', '2'), none), {
    minKeys: 1,
    maxKeys: 2,
  }),
  tags: fc.uniqueArray(fc.constantFrom('core', 'old', 'x.1')),
  description: fc.constantFrom('Some text', null),
  parents: fc.dictionary(
    mostly(fc.constant<ListRole>('country'), fc.constant<ListRole>('city')),
    mostly(fc.uniqueArray(value, { minLength: 1, maxLength: 2 }), none),
    { minKeys: 1, maxKeys: 1 },
  ),
};

/** Generates objects with only a few of the fields. */
export function few<T extends object>(fields: fc.Arbitrary<T>, most = 3): fc.Arbitrary<Partial<T>> {
  const some = fc.array(fc.nat(), { minLength: 1, maxLength: most });
  return fc.tuple(fields, some).map(([all, chosen]) => {
    const entries = Object.entries(all);
    return Object.fromEntries(chosen.map((index) => entries[index % entries.length] ?? [])) as Partial<T>;
  });
}
