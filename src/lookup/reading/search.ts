// Searching labels as people type: every word begins a word of the label, whatever its case and accents. Pure.

/** Unicode's combining marks of several scripts, and the points of Hebrew; not the marks that make another kana. */
const accents = /[[\p{sc=Inherited}[\p{sc=Hebrew}&&\p{Mn}]]--[\u3099\u309a]]/gv;
/** Drawn as nothing: soft hyphen, word joiner. */
const invisible = /[\u00ad\u2060]/g;
/** Letters that Unicode does not decompose, but sorts as these (Unicode Technical Standard 10). */
const plainLetters: Record<string, string> = { æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ł: 'l', œ: 'oe', ø: 'o', ς: 'σ' };
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;
/** Scripts that put no blanks between words. */
const withoutBlanks =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]+/gu;

/** By way of upper case: ß becomes SS, and the dotless ı of Turkish I. The capital ẞ has to become ß before. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

const wordsOf = (folded: string) =>
  folded.replace(notInWords, ' ').replace(withoutBlanks, ' $& ').split(' ').filter(Boolean);

/** A label as it is searched: a blank before each word. */
export function searchable(label: string): string {
  const folded = fold(label);
  // Signs are not in words: searched for, they are found in the text as it is.
  return [...wordsOf(folded).map((word) => ` ${word}`), `\n${folded}`].join('');
}

/** What is searched for, so that the same words give the same text. */
export function searchTerms(text: string): string[] {
  const parts = fold(text).split(/\s+/).filter(Boolean);
  return [
    ...new Set(
      parts.flatMap((part) => {
        const words = wordsOf(part);
        if (words.length === 0) return [part];
        return words.map((word) => (word.search(withoutBlanks) === 0 ? word : ` ${word}`));
      }),
    ),
  ].sort();
}

/** Whether a searchable label has all of them. */
export function hasTerms(label: string, terms: readonly string[]): boolean {
  return terms.every((term) => label.includes(term));
}
