import { expect, test } from 'bun:test';
import { ItemChanges, NewItem, NewList } from '../changing/list-changes.schema.ts';
import { DocumentItem } from '../changing/lookup-document.schema.ts';

const hidden = [
  ['a direction control that is not closed', '\u202etxet'],
  ['a closing direction control that was not opened', 'text\u202c'],
  ['an isolate that is not closed', 'a \u2067b'],
  ['a direction control that is closed by the wrong kind', '\u2066a\u202c'],
  ['direction controls that are closed in the wrong order', '\u202aa\u2066b\u202cc\u2069'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['a next-line control', 'a\u0085b'],
  ['a noncharacter', 'a\ufffeb'],
  ['a noncharacter of Arabic presentation forms', 'a\ufdd0b'],
  ['a noncharacter of another plane', 'a\u{10ffff}b'],
  ['a Braille blank alone', '\u2800'],
  ['a Hangul filler alone', '\u3164'],
  ['joiners alone', '\u200d\u200c\u2060'],
  ['an unpaired surrogate', 'a\ud800b'],
  ['combining marks alone', '\u0301\u0308\u0e31'],
] as const;

test.each(hidden)('a text with %s is refused in every field', (_, text) => {
  expect(DocumentItem.safeParse({ value: 'A', label: text }).success).toBe(false);
  expect(DocumentItem.safeParse({ value: 'A', label: 'A', labels: { de: text } }).success).toBe(false);
  expect(ItemChanges.safeParse({ label: text }).success).toBe(false);
  expect(ItemChanges.safeParse({ labels: { de: text } }).success).toBe(false);
  expect(NewList.safeParse({ list: 'a', title: text }).success).toBe(false);
  expect(ItemChanges.safeParse({ description: text }).success).toBe(false);
  expect(ItemChanges.safeParse({ codes: { a: text } }).success).toBe(false);
  expect(ItemChanges.safeParse({ tags: [text] }).success).toBe(false);
  expect(ItemChanges.safeParse({ reason: text }).success).toBe(false);
});

test.each([
  ['direction controls in pairs', 'a \u2067مرحبا\u2069 b'],
  ['nested direction controls', '\u202aa \u2066b\u2069 c\u202c'],
  ['direction marks', 'a\u200f b\u061c'],
  ['joiners between visible characters', '👩\u200d💻 क्\u200dष'],
  ['a Braille blank after a word', '⠃⠗⠁⠊⠇⠇⠑\u2800⠁'],
])('a text with %s is accepted as a label', (_, text) => {
  expect(ItemChanges.parse({ label: text })).toEqual({ label: text });
});

test.each(['german', 'Deutsch', 'DE', 'deu', 'x-private', 'i-klingon', ''])('%p is refused as a language', (tag) => {
  const labels = { [tag]: 'a' };
  const faults = [DocumentItem, ItemChanges, NewItem].map((schema) =>
    schema
      .safeParse({ value: 'A', label: 'A', labels })
      .error?.issues.some(({ path }) => path.join('.') === `labels.${tag}`),
  );
  expect(faults).toEqual([true, true, true]);
});

test.each(['de', 'pt-BR', 'zh-Hant-TW', 'gsw', 'de-1996', 'de-x-intern'])('%p is accepted as a language', (tag) => {
  for (const schema of [DocumentItem, ItemChanges, NewItem])
    expect(schema.shape.labels.safeParse({ [tag]: 'a' }).success).toBe(true);
});

test('text is stored in NFC, and its length is counted in NFC', () => {
  const sent = 'e\u0301'.repeat(200);
  const kept = '\u00e9'.repeat(200);
  const codes = (text: string) => ({ a: text.normalize('NFC').slice(0, 100) });
  expect(
    ItemChanges.parse({
      label: sent,
      labels: { fr: sent },
      description: sent,
      codes: codes(sent),
      reason: ` ${sent} `,
    }),
  ).toEqual({ label: kept, labels: { fr: kept }, description: kept, codes: codes(kept), reason: kept });
  expect(NewList.parse({ list: 'a', title: sent }).title).toBe(kept);
});

test('30 combining marks in a row are accepted, and more are refused before the text is normalised', () => {
  const marked = (count: number) => ItemChanges.safeParse({ label: `e${'\u0301\u0323'.repeat(count / 2)}` });
  expect(marked(30).data?.label?.normalize('NFC')).toBe(marked(30).data?.label ?? '');
  // Normalising 130,000 combining marks would take minutes.
  for (const count of [32, 130_000]) {
    expect(marked(count).error?.issues.map(({ message }) => message)).toEqual([
      'must have at most 30 combining marks in a row',
    ]);
  }
});

test('the message names what is wrong with a text', () => {
  const messages = DocumentItem.safeParse({ value: 'A', label: 'a\u202e\u2028' }).error?.issues.map(
    ({ message }) => message,
  );
  expect(messages).toEqual([
    'must be visible text, without leading or trailing spaces',
    'must contain no line separators',
    'must have Unicode direction controls only in pairs',
  ]);
});
