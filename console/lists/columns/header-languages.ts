// Languages by the names that people write over a column: `German`, `Deutsch`, `de`, `Portuguese (Brazil)`.
import { languageTagOf } from '../languages/language-names.ts';
import { languageTags, variantTags } from '../languages/language-tags.ts';
import { plainWords } from './plain-text.ts';

let tagByName: Map<string, string> | undefined;

/** The tag of the language, or undefined. */
export function languageOf(name: string): string | undefined {
  tagByName ??= indexNames();
  return tagByName.get(plainWords(name)) ?? knownTag(name);
}

const known = new Set(languageTags);

/** `de`, `pt-BR`, `pt_br`. Only of known languages: otherwise every word of two letters would be one. */
function knownTag(text: string): string | undefined {
  const tag = /^\s*[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*\s*$/i.test(text) ? languageTagOf(text) : undefined;
  return tag !== undefined && known.has(tag.split('-')[0] ?? '') ? tag : undefined;
}

const namesIn = (locale: string, languageDisplay: 'standard' | 'dialect') =>
  new Intl.DisplayNames([locale], { type: 'language', languageDisplay, fallback: 'none' });

/** Names in English and German before own names: where two languages share one, they count more. */
function indexNames(): Map<string, string> {
  const names = new Map<string, string>();
  const tags = [...languageTags, ...variantTags];
  const add = (tag: string, name: string | undefined) => {
    const plain = plainWords(name ?? '');
    if (plain !== '' && !names.has(plain)) names.set(plain, tag);
  };
  for (const locale of ['en', 'de']) {
    for (const display of ['standard', 'dialect'] as const) {
      const languageNames = namesIn(locale, display);
      for (const tag of tags) add(tag, languageNames.of(tag));
    }
  }
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags)) add(tag, namesIn(tag, 'standard').of(tag));
  return names;
}
