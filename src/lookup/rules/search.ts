// Searching labels as people type: every word begins a word of the label, whatever its case and accents. Pure.
import { fold } from './fold.ts';

const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;
/** Scripts that put no blanks between words. */
const withoutBlanks =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]+/gu;

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
