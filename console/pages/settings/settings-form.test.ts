import { describe, expect, test } from 'bun:test';
import {
  addRole,
  differing,
  languagesOf,
  rebaseForm,
  type SettingsForm,
  settingFaults,
  settingsToSend,
  suggestRoles,
  withLanguage,
  withoutLanguage,
} from './settings-form.ts';

const base: SettingsForm = {
  title: 'Jobs',
  titles: { de: 'Berufe' },
  description: 'What people do',
  descriptions: {},
  readers: ['HR'],
  keepers: [],
};

describe('what is sent', () => {
  test.each<[Partial<SettingsForm>, object]>([
    [{}, {}],
    [{ title: ' Positions ' }, { title: 'Positions' }],
    [{ description: ' ' }, { description: null }],
    [{ titles: { de: ' Stellen ' } }, { titles: { de: 'Stellen' } }],
    [{ titles: { de: ' ', fr: '' } }, { titles: { de: null } }],
    [{ titles: {} }, { titles: { de: null } }],
    [{ titles: { de: 'Berufe', fr: '' }, descriptions: { fr: ' ' } }, {}],
    [{ descriptions: { fr: 'Ce que font les gens' } }, { descriptions: { fr: 'Ce que font les gens' } }],
    [{ readers: [] }, { readers: null }],
    [{ keepers: ['IT'] }, { keepers: ['IT'] }],
  ])('for %j is %j', (typed, sent) => {
    expect(settingsToSend({ ...base, ...typed }, base)).toEqual(sent);
  });
});

describe("a colleague's change while the form is open", () => {
  const form = { ...base, title: 'Mine' };

  test('to a different setting is shown, and input stays', () => {
    const latest = { ...base, readers: ['HR', 'IT'] };
    expect(rebaseForm(form, base, latest)).toEqual({ form: { ...latest, title: 'Mine' }, conflicts: [] });
  });

  test('to the same setting is a conflict, and input stays', () => {
    const latest = { ...base, title: 'Theirs' };
    expect(rebaseForm(form, base, latest)).toEqual({ form, conflicts: ['title'] });
  });

  test('to a different language is not a conflict, but to the same language it is', () => {
    const mine = { ...base, titles: { de: 'Berufe', fr: 'Métiers' } };
    const german = { ...base, titles: { de: 'Stellen' } };
    const rebased = rebaseForm(mine, base, german);
    expect(rebased).toEqual({ form: { ...base, titles: { de: 'Stellen', fr: 'Métiers' } }, conflicts: [] });
    expect(settingsToSend(rebased.form, german)).toEqual({ titles: { fr: 'Métiers' } });
    const french = { ...base, titles: { de: 'Berufe', fr: 'Postes' } };
    expect(rebaseForm(mine, base, french)).toEqual({ form: mine, conflicts: ['titles'] });
  });

  test('that is the same as mine is not a conflict', () => {
    expect(rebaseForm(form, base, form)).toEqual({ form, conflicts: [] });
  });
});

test('a language is added with empty fields, and removed with its texts', () => {
  const added = { ...base, ...withLanguage(base, 'fr') };
  expect(languagesOf(added).sort()).toEqual(['de', 'fr']);
  expect(differing(added, base)).toEqual([]);
  const removed = { ...added, ...withoutLanguage(added, 'de') };
  expect(languagesOf(removed)).toEqual(['fr']);
  expect(settingsToSend(removed, base)).toEqual({ titles: { de: null } });
});

test('a title is required, and texts have a maximum length', () => {
  expect(settingFaults(base)).toEqual({});
  expect(settingFaults({ ...base, title: ' ' })).toEqual({ title: 'required' });
  expect(settingFaults({ ...base, title: 'x'.repeat(201), description: 'x'.repeat(501) })).toEqual({
    title: 'long',
    description: 'long',
  });
  expect(settingFaults({ ...base, titles: { de: 'x'.repeat(201) }, descriptions: { fr: 'x'.repeat(501) } })).toEqual({
    'titles.de': 'long',
    'descriptions.fr': 'long',
  });
});

test('a role is added once, sorted, up to the service’s limit', () => {
  expect(addRole(['HR'], ' Board ')).toEqual(['Board', 'HR']);
  expect(addRole(['HR'], ' ')).toEqual(['HR']);
  expect(addRole(['HR'], 'HR')).toBe('there');
  expect(addRole([], 'x'.repeat(256))).toBe('long');
  expect(
    addRole(
      Array.from({ length: 50 }, (_, index) => `R${index}`),
      'HR',
    ),
  ).toBe('many');
});

test('known roles that are not chosen yet are suggested, those that start with the typed text first', () => {
  const known = ['AUDITOR', 'EMPLOYEE', 'HR', 'HR lead', 'LEAD'];
  expect(suggestRoles(known, [], '')).toEqual(known);
  expect(suggestRoles(known, ['HR lead'], ' lea')).toEqual(['LEAD']);
  expect(suggestRoles(known, [], 'Lea')).toEqual(['LEAD', 'HR lead']);
  expect(suggestRoles(known, [], 'H R')).toEqual([]);
});
