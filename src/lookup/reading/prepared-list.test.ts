import { expect, test } from 'bun:test';
import { prepareDocument } from '../../http/document.ts';
import { blankItem } from '../rules/item.ts';
import { noSettings } from '../rules/list.ts';
import { prepareChain, prepareList } from './prepared-list.ts';

const tags = ['de', 'fr', 'it', 'es', 'pt', 'nl', 'da', 'sv', 'nb', 'fi', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'el'];

function listIn(languages: readonly string[]) {
  const items = Array.from({ length: 50 }, (_, id) => {
    const labels = Object.fromEntries(languages.map((tag) => [tag, `${tag} number ${id}`]));
    return { id, ...blankItem(`VALUE_${id}`, `Number ${id}`, id), labels };
  });
  const inGerman = items.map(({ id, value, sortOrder }) => ({ id, label: `de number ${id}`, value, sortOrder }));
  const stored = { list: 'many', ...noSettings, title: 'Many', version: 1, updatedAt: '', items };
  return { stored, inGerman: JSON.stringify(inGerman) };
}

test('a list with few languages is prepared in each of them, with the best compression', async () => {
  const { stored, inGerman } = listIn(tags);
  const { translated } = await prepareList(stored, '2026-11-16', () => ({}));
  const expected = await prepareDocument(inGerman, {}, 'best');
  expect(translated.size).toBe(tags.length);
  expect(translated.get('de')?.variants.br.size).toBe(expected.variants.br.size);
});

test('a list with many languages is prepared in one of them on request, with quick compression', async () => {
  const { stored, inGerman } = listIn([...tags, 'tr', 'ja', 'th', 'ar', 'he']);
  const list = await prepareList(stored, '2026-11-16', () => ({}));
  expect(list.translated.size).toBe(0);
  const expected = await prepareDocument(inGerman, {}, 'quick');
  expect((await prepareChain(list, ['de'], () => ({}))).variants.br.size).toBe(expected.variants.br.size);
});
