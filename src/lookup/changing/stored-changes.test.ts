import { expect, test } from 'bun:test';
import { Pauses } from '../pauses.ts';
import type { Change } from './change.ts';
import { blankItem } from './item-merging.ts';
import { changeTexts, parseChanges } from './stored-changes.ts';

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
  const texts = changeTexts(JSON.stringify(changes));
  expect(texts).toEqual(changes.map((each) => JSON.stringify(each)));
  expect(await parseChanges(texts, new Pauses())).toMatchObject(changes);
});

test('a text of another kind is an error, and never taken for changes', () => {
  for (const text of ['', '{}', '[{"before":null}]', 'null']) expect(() => changeTexts(text)).toThrow();
});
