import { expect, test } from 'bun:test';
import { prepareDocument } from '../../http/document.ts';
import { blankItem } from '../rules/item.ts';
import { noSettings } from '../rules/list.ts';
import { prepareList } from './prepared-list.ts';

const tags = ['de', 'fr', 'it', 'es', 'pt', 'nl', 'da', 'sv', 'nb', 'fi', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'el'];

test.each([
  ['best', tags],
  ['quick', [...tags, 'tr', 'ja', 'th', 'ar', 'he']],
] as const)('the compression of a list is %s: best with few languages, quick with many', async (effort, languages) => {
  const items = Array.from({ length: 50 }, (_, id) => {
    const labels = Object.fromEntries(languages.map((tag) => [tag, `${tag} number ${id}`]));
    return { id, ...blankItem(`VALUE_${id}`, `Number ${id}`, id), labels };
  });
  const stored = { list: 'many', ...noSettings, title: 'Many', version: 1, updatedAt: '', items };
  const { translated } = await prepareList(stored, '2026-11-16', () => ({}));
  const text = items.map(({ id, value, sortOrder }) => ({ id, label: `de number ${id}`, value, sortOrder }));
  const expected = await prepareDocument(JSON.stringify(text), {}, effort);
  expect(translated.get('de')?.variants.br.size).toBe(expected.variants.br.size);
});
