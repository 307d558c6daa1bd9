// Searching the values of one list as people type: every word is somewhere in the label, the value, a translation or a
// code, whatever its case and accents. Pure.
import type { KeptItem } from '../../src/lookup/lookup-admin.schema.ts';

type Searched = Pick<KeptItem, 'label' | 'value' | 'labels' | 'codes'>;

/** Not the marks that make another kana. */
const accents = /[[\p{sc=Inherited}[\p{sc=Hebrew}&&\p{Mn}]]--[\u3099\u309a]]/gv;
/** Letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  œ: 'oe',
  ø: 'o',
  ς: 'σ',
  ß: 'ss',
  ı: 'i',
};
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/;

function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

// By item: an item that did not change stays the same object from one answer to the next.
const foldedTexts = new WeakMap<Searched, string>();

function foldedText(item: Searched): string {
  const known = foldedTexts.get(item);
  if (known !== undefined) return known;
  const { label, value, labels, codes } = item;
  const text = fold([label, value, ...Object.values(labels), ...Object.values(codes)].join('\n'));
  foldedTexts.set(item, text);
  return text;
}

/** Finds everything where nothing is searched for. */
export function matcherOf(search: string): (item: Searched) => boolean {
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (item) => {
    const text = foldedText(item);
    return words.every((word) => text.includes(word));
  };
}
