import { expect, test } from 'bun:test';
import { Pauses } from '../pauses.ts';
import type { Change } from './change.ts';
import { blankItem } from './item-merging.ts';
import { changesText, changeTexts, firstChangeText, parseChanges, startOfChange } from './stored-changes.ts';

const item = (value: string, label: string) => ({ ...blankItem(value, label, 10), labels: { de: `}]${label}` } });
const rename: Change = { value: null, before: { title: 'A' }, after: { title: 'B' } };
const add = (value: string, label = value): Change => ({ value, before: null, after: item(value, label) });
const change = (value: string): Change => ({ value, before: item(value, 'before'), after: item(value, 'after') });

test.each<[string, Change[]]>([
  ['none', []],
  ['one', [add('A')]],
  ['a title alone', [rename]],
  ['a title and items', [rename, add('A'), change('B'), add('C')]],
  ['labels that look like the next change', [add('A', '"},{"value":"B"'), add('B', '},{"value":'), add('C', '\\"},{')]],
  ['many', Array.from({ length: 3000 }, (_, index) => change(`V${index}`))],
])('changes are divided and parsed as they were: %s', async (_, changes) => {
  // As earlier versions wrote them, with every field.
  const texts = changeTexts(JSON.stringify(changes));
  expect(texts).toEqual(changes.map((each) => JSON.stringify(each)));
  expect(await parseChanges(texts, new Pauses())).toEqual(changes);
  const stored = changeTexts(await changesText(changes, new Pauses()));
  expect(await parseChanges(stored, new Pauses())).toEqual(changes);
});

test('what an item has none of is not stored, and what it has is', async () => {
  const detailed = { codes: { sap: '7' }, tags: ['a'], description: 'D', parents: { country: ['DE'] } };
  const changes: Change[] = [{ value: 'A', before: item('A', 'A'), after: { ...item('A', 'A'), ...detailed } }];
  const [text = ''] = changeTexts(await changesText(changes, new Pauses()));
  const { before, after } = JSON.parse(text);
  expect(Object.keys(before)).toEqual(Object.keys(item('A', 'A')).filter((field) => !(field in detailed)));
  expect(after).toEqual({ ...item('A', 'A'), ...detailed });
  expect(await parseChanges([text], new Pauses())).toEqual(changes);
});

test('a text of another kind is an error, and never taken for changes', () => {
  for (const text of ['', '{}', '[{"before":null}]', 'null']) expect(() => changeTexts(text)).toThrow();
});

test.each([
  ['one', [change('A')]],
  ['the first of several', [change('A'), change('B')]],
  ['one whose label looks like the next', [add('A', '},{"value":"B","before":'), change('B')]],
  ['one of characters that are two in JavaScript', [add('A', '😀'.repeat(100))]],
])('the change of a value is cut out of the text of a version: %s', (_, changes) => {
  const text = JSON.stringify(changes);
  const from = text.indexOf(startOfChange('A'));
  const characters = (length: number) => Array.from(text.slice(from)).slice(0, length).join('');
  const whole = JSON.stringify(changes[0]);
  const size = Array.from(whole).length;
  expect(firstChangeText(characters(100_000), 100_000)).toBe(whole);
  // Cut within it, or before it is known that it has ended.
  for (const length of [size - 1, size, size + 1]) {
    expect(firstChangeText(characters(length), length)).toBeUndefined();
  }
});
