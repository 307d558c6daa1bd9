import { describe, expect, test } from 'bun:test';
import {
  addRole,
  rebaseForm,
  type SettingsForm,
  settingFaults,
  settingsToSend,
  suggestRoles,
} from './settings-form.ts';

const base: SettingsForm = { title: 'Jobs', description: 'What people do', readers: ['HR'], keepers: [] };

describe('what is sent', () => {
  test.each<[Partial<SettingsForm>, object]>([
    [{}, {}],
    [{ title: ' Positions ' }, { title: 'Positions' }],
    [{ description: ' ' }, { description: null }],
    [{ readers: [] }, { readers: null }],
    [{ keepers: ['IT'] }, { keepers: ['IT'] }],
  ])('for %j is %j', (typed, sent) => {
    expect(settingsToSend({ ...base, ...typed }, base)).toEqual(sent);
  });
});

describe("a colleague's change meanwhile", () => {
  const form = { ...base, title: 'Mine' };

  test('to a different setting is taken over, and input stays', () => {
    const latest = { ...base, readers: ['HR', 'IT'] };
    expect(rebaseForm(form, base, latest)).toEqual({ form: { ...latest, title: 'Mine' }, conflicts: [] });
  });

  test('to the same setting is a conflict, and input stays', () => {
    const latest = { ...base, title: 'Theirs' };
    expect(rebaseForm(form, base, latest)).toEqual({ form, conflicts: ['title'] });
  });

  test('that is the same as mine is not a conflict', () => {
    expect(rebaseForm(form, base, form)).toEqual({ form, conflicts: [] });
  });
});

test('a title is required, and texts have a maximum length', () => {
  expect(settingFaults(base)).toEqual({});
  expect(settingFaults({ ...base, title: ' ' })).toEqual({ title: 'required' });
  expect(settingFaults({ ...base, title: 'x'.repeat(201), description: 'x'.repeat(501) })).toEqual({
    title: 'long',
    description: 'long',
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

test('known roles are suggested that are not chosen yet, at the beginning of the text first', () => {
  const known = ['AUDITOR', 'EMPLOYEE', 'HR', 'HR lead', 'LEAD'];
  expect(suggestRoles(known, [], '')).toEqual(known);
  expect(suggestRoles(known, ['HR lead'], ' lea')).toEqual(['LEAD']);
  expect(suggestRoles(known, [], 'Lea')).toEqual(['LEAD', 'HR lead']);
  expect(suggestRoles(known, [], 'H R')).toEqual([]);
});
