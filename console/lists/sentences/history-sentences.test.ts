import { describe, expect, test } from 'bun:test';
import { type Contents, emptyItem, fieldNames, itemFields } from '../../../src/lookup/rules/item.ts';
import { type Change, describeChanges, describeEntry } from './history-sentences.ts';
import { type ItemState, itemSentences } from './item-sentences.ts';
import { type Sentence, sentenceContext } from './sentence-context.ts';
import { historyEnglish, historyGerman } from './texts.ts';

const clerk: ItemState = { ...emptyItem, value: 'CLERK', label: 'Clerk', sortOrder: 10 };
const named = { labelOf: (value: string) => ({ SENIOR: 'Senior clerk' })[value] };
const english = sentenceContext({ texts: historyEnglish, language: 'en', locale: 'en-GB', ...named });
const german = sentenceContext({ texts: historyGerman, language: 'de', locale: 'de-DE', ...named });

const read = (sentence: Sentence) => sentence.map((part) => ('text' in part ? part.text : part.label)).join('');
const changed = (before: Partial<ItemState>, after: Partial<ItemState>): Change => ({
  value: 'CLERK',
  before: { ...clerk, ...before },
  after: { ...clerk, ...after },
});
const added = (label: string, more: Partial<ItemState> = {}): Change => ({
  value: label.toUpperCase(),
  before: null,
  after: { ...clerk, value: label.toUpperCase(), label, ...more },
});
const settings = (before: Change['before'], after: Change['after']): Change => ({ value: null, before, after });

describe('a change reads as a sentence in English and German', () => {
  test.each<[Change, string, string]>([
    [changed({}, { label: 'Senior clerk' }), 'renamed Clerk to Senior clerk', 'Clerk in Senior clerk umbenannt'],
    [added('Night porter'), 'added Night porter', 'Night porter hinzugefügt'],
    [
      added('Porter', { validFrom: '2030-02-01' }),
      'added Porter, available from 1 Feb 2030',
      'Porter hinzugefügt, verfügbar ab 01.02.2030',
    ],
    [added('Old', { status: 'retired' }), 'added Old as a retired value', 'Old als deaktivierten Wert hinzugefügt'],
    [changed({}, { status: 'retired' }), 'retired Clerk', 'Clerk deaktiviert'],
    [
      changed({}, { status: 'retired', replacedBy: 'SENIOR' }),
      'retired Clerk, replaced by Senior clerk',
      'Clerk deaktiviert, ersetzt durch Senior clerk',
    ],
    [
      changed({ status: 'retired' }, { status: 'retired', replacedBy: 'UNKNOWN' }),
      'changed the replacement of Clerk to UNKNOWN',
      'Ersatz für Clerk geändert in UNKNOWN',
    ],
    [
      changed({ status: 'retired', replacedBy: 'SENIOR' }, { status: 'retired' }),
      'removed the replacement of Clerk (before: Senior clerk)',
      'Ersatz für Clerk entfernt (vorher: Senior clerk)',
    ],
    [changed({ status: 'retired', replacedBy: 'SENIOR' }, {}), 'restored Clerk', 'Clerk reaktiviert'],
    [
      changed({}, { labels: { de: 'Kraft' } }),
      'translated Clerk into German: Kraft',
      'Clerk übersetzt (Deutsch): Kraft',
    ],
    [
      changed({ labels: { de: 'Kraft' } }, { labels: { de: 'Angestellte' } }),
      'changed the German translation of Clerk from Kraft to Angestellte',
      'Übersetzung von Clerk (Deutsch) von Kraft in Angestellte geändert',
    ],
    [
      changed({ labels: { fr: 'Commis' } }, {}),
      'removed the French translation of Clerk (before: Commis)',
      'Übersetzung von Clerk (Französisch) entfernt (vorher: Commis)',
    ],
    [changed({}, { validFrom: '2030-02-01' }), 'made Clerk available from 1 Feb 2030', 'Clerk verfügbar ab 01.02.2030'],
    [
      changed({ validFrom: '2030-02-01' }, { validTo: '2031-01-31' }),
      'made Clerk available until 31 Jan 2031 (before: from 1 Feb 2030)',
      'Clerk verfügbar bis 31.01.2031 (vorher: ab 01.02.2030)',
    ],
    [
      changed({ validFrom: '2030-02-01' }, { validFrom: '2030-02-01', validTo: '2031-01-31' }),
      'made Clerk available from 1 Feb 2030 until 31 Jan 2031 (before: from 1 Feb 2030)',
      'Clerk verfügbar vom 01.02.2030 bis 31.01.2031 (vorher: ab 01.02.2030)',
    ],
    [
      changed({ validTo: '2030-02-01' }, {}),
      'removed the dates of Clerk (before: until 1 Feb 2030)',
      'Zeitraum von Clerk entfernt (vorher: bis 01.02.2030)',
    ],
    [
      changed({}, { codes: { workday: 'JP-113' } }),
      'set the workday code of Clerk to JP-113',
      'Code von Clerk für workday festgelegt: JP-113',
    ],
    [
      changed({ codes: { workday: '1' } }, { codes: { workday: '2' } }),
      'changed the workday code of Clerk from 1 to 2',
      'Code von Clerk für workday von 1 in 2 geändert',
    ],
    [
      changed({ codes: { workday: '1' } }, {}),
      'removed the workday code of Clerk (before: 1)',
      'Code von Clerk für workday entfernt (vorher: 1)',
    ],
    [
      changed({ tags: ['a'] }, { tags: ['a', 'b', 'c'] }),
      'tagged Clerk with b, c',
      'Clerk mit Schlagwörtern versehen: b, c',
    ],
    [changed({ tags: ['a'] }, {}), 'removed tags from Clerk: a', 'Schlagwörter von Clerk entfernt: a'],
    [
      changed({}, { description: 'At a desk' }),
      'changed the description of Clerk to At a desk',
      'Beschreibung von Clerk geändert in At a desk',
    ],
    [
      changed({ description: 'At a desk' }, {}),
      'removed the description of Clerk (before: At a desk)',
      'Beschreibung von Clerk entfernt (vorher: At a desk)',
    ],
    [
      changed({}, { parents: { country: ['AT', 'DE'] } }),
      'made Clerk depend on country: AT, DE',
      'Clerk beschränkt auf country: AT, DE',
    ],
    [
      changed({ parents: { country: ['AT'] } }, {}),
      'made Clerk independent of country (before: AT)',
      'Beschränkung von Clerk auf country aufgehoben (vorher: AT)',
    ],
    [
      settings({ title: 'Jobs' }, { title: 'Positions' }),
      'renamed the list from Jobs to Positions',
      'Liste von Jobs in Positions umbenannt',
    ],
    [
      settings({ titles: {} }, { titles: { de: 'Stellen' } }),
      'translated the title of the list into German: Stellen',
      'Titel der Liste übersetzt (Deutsch): Stellen',
    ],
    [
      settings({ titles: { de: 'Stellen', fr: 'Postes' } }, { titles: { de: 'Positionen', fr: 'Postes' } }),
      'changed the German title of the list from Stellen to Positionen',
      'Titel der Liste (Deutsch) von Stellen in Positionen geändert',
    ],
    [
      settings({ titles: { de: 'Stellen' } }, { titles: {} }),
      'removed the German title of the list (before: Stellen)',
      'Titel der Liste (Deutsch) entfernt (vorher: Stellen)',
    ],
    [
      settings({ descriptions: {} }, { descriptions: { de: 'Was Leute tun' } }),
      'changed the German description of the list to Was Leute tun',
      'Beschreibung der Liste (Deutsch) geändert in Was Leute tun',
    ],
    [
      settings({ descriptions: { de: 'Was Leute tun' } }, { descriptions: {} }),
      'removed the German description of the list (before: Was Leute tun)',
      'Beschreibung der Liste (Deutsch) entfernt (vorher: Was Leute tun)',
    ],
    [
      settings({ description: null }, { description: 'What people do' }),
      'changed the description of the list to What people do',
      'Beschreibung der Liste geändert in What people do',
    ],
    [
      settings({ description: 'x' }, { description: null }),
      'removed the description of the list (before: x)',
      'Beschreibung der Liste entfernt (vorher: x)',
    ],
    [
      settings({ readers: null }, { readers: ['HR', 'IT'] }),
      'changed who can read the list: HR, IT',
      'Leserechte geändert: HR, IT',
    ],
    [
      settings({ readers: ['HR'] }, { readers: null }),
      'changed who can read the list: everyone who can read lists (before: HR)',
      'Leserechte geändert: alle, die Listen lesen dürfen (vorher: HR)',
    ],
    [
      settings({ keepers: null }, { keepers: ['HR'] }),
      'changed who can manage the list: administrators and HR',
      'Verwaltungsrechte geändert: Administratoren und HR',
    ],
    [
      settings({ keepers: ['HR'] }, { keepers: null }),
      'changed who can manage the list: administrators only (before: HR)',
      'Verwaltungsrechte geändert: nur Administratoren (vorher: HR)',
    ],
    [settings({ archived: false }, { archived: true }), 'archived the list', 'Liste archiviert'],
    [settings({ archived: true }, { archived: false }), 'unarchived the list', 'Archivierung der Liste aufgehoben'],
  ])('%#', (change, inEnglish, inGerman) => {
    const entry = { version: 2, changes: [change] };
    expect(describeEntry(entry, english).first.map(read)).toEqual([inEnglish]);
    expect(describeEntry(entry, german).first.map(read)).toEqual([inGerman]);
  });
});

const moves = (count: number) =>
  Array.from({ length: count }, (_, index) => changed({ sortOrder: index }, { sortOrder: index + 1 }));

const otherContents: Contents = {
  text: 'X',
  number: 1,
  status: 'retired',
  optionalText: 'X',
  day: '2030-02-01',
  words: ['x'],
  textsByKey: { de: 'X' },
  wordsByKey: { country: ['X'] },
};
test.each(fieldNames.filter((name) => !['value', 'sortOrder', 'retiredAt'].includes(name)))(
  'a change of %s alone is a sentence',
  (name) => {
    const after = { ...clerk, [name]: otherContents[itemFields[name].holds] };
    expect(itemSentences(clerk, after, english)).toHaveLength(1);
  },
);

test('a new order is one sentence, however many values moved', () => {
  expect(describeEntry({ version: 2, changes: moves(2000) }, english)).toEqual({
    summary: null,
    first: [[{ text: 'changed the order' }]],
    rest: [],
    leftOut: 0,
  });
});

test('a value that was moved and renamed has a sentence for each change', () => {
  const changes = [changed({ sortOrder: 1 }, { label: 'Senior clerk' }), ...moves(3)];
  const { first } = describeEntry({ version: 2, changes }, english);
  expect(first.map(read)).toEqual(['changed the order', 'renamed Clerk to Senior clerk']);
});

test('the first version is described as creating the list and its values, not as a change to the settings', () => {
  const changes = [settings({ title: 'jobs' }, { title: 'Jobs' }), added('Clerk')];
  expect(describeEntry({ version: 1, changes: [] }, english).first.map(read)).toEqual(['created the list']);
  expect(describeEntry({ version: 1, changes }, english).first.map(read)).toEqual(['created the list', 'added Clerk']);
});

test('a restored version is named before its changes', () => {
  const { first } = describeEntry({ version: 9, restoredVersion: 7, changes: [added('Clerk')] }, english);
  expect(first.map(read)).toEqual(['restored version 7', 'added Clerk']);
});

test('a large entry is summarised, the first values are named, and the rest is shown on request', () => {
  const many = Array.from({ length: 12 }, (_, index) => added(`Porter ${index + 1}`));
  const retired = Array.from({ length: 3 }, () => changed({}, { status: 'retired' }));
  const entry = { version: 2, changes: [...many, ...retired], changesLeftOut: 4000 };
  const { summary, first, rest, leftOut } = describeEntry(entry, english);
  expect(summary).toBe('12 values added, 3 retired');
  expect(first.map(read)).toEqual(['added Porter 1', 'added Porter 2', 'added Porter 3']);
  expect(rest.map(read)).toHaveLength(12);
  expect(rest.map(read).at(-1)).toBe('retired Clerk');
  expect(leftOut).toBe(4000);
  expect(describeEntry(entry, german).summary).toBe('12 Werte hinzugefügt, 3 deaktiviert');
});

test('text written by people is a separate part', () => {
  const [sentence] = describeChanges([changed({ label: 'كاتب' }, { label: 'Clerk' })], english).first;
  expect(sentence).toEqual([{ text: 'renamed ' }, { label: 'كاتب' }, { text: ' to ' }, { label: 'Clerk' }]);
});

test('a replacement that the same entry added is named by its label', () => {
  const changes = [added('HEAD', { label: 'Head clerk' }), changed({}, { status: 'retired', replacedBy: 'HEAD' })];
  const { first } = describeEntry({ version: 2, changes }, english);
  expect(first.map(read).at(-1)).toBe('retired Clerk, replaced by Head clerk');
});

test('a language without a name is shown as its tag', () => {
  const { first } = describeChanges([changed({}, { labels: { 'x-night': 'undefined' } })], english);
  expect(first.map(read)).toEqual(['translated Clerk into x-night: undefined']);
});

test('long texts and many values are shortened', () => {
  const values = Array.from({ length: 200 }, (_, index) => `C${index}`);
  const changes = [changed({}, { description: 'long '.repeat(100), parents: { country: values } })];
  const [described = '', limited = ''] = describeEntry({ version: 2, changes }, english).first.map(read);
  expect(described.length).toBeLessThan(200);
  expect(described).toEndWith('…');
  expect(limited).toBe('made Clerk depend on country: C0, C1, C2, C3, C4 and 195 more');
});

test('both languages fill in the same names', () => {
  const names = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, (text.match(/\{\w+\}/g) ?? []).sort()]] : [],
      ),
    );
  expect(names(historyGerman)).toEqual(names(historyEnglish));
});
