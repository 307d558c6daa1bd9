// Searches labels: each word typed must be the start of a word in the label. Case and accents are ignored.
import { fold } from './fold.ts';

const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. */
const withoutBlanks =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]+/gu;

const wordsOf = (folded: string) =>
  folded.replace(notInWords, ' ').replace(withoutBlanks, ' $& ').split(' ').filter(Boolean);

/** Prepares a label for searching: puts a space before each word. */
export function searchable(label: string): string {
  const folded = fold(label);
  // Words contain no punctuation. The folded label is added after them, so that a search for punctuation also matches.
  return [...wordsOf(folded).map((word) => ` ${word}`), `\n${folded}`].join('');
}

/** The search terms, unique and sorted, so that the same words give the same terms. */
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

/** Whether a searchable label contains all terms. */
export function hasTerms(label: string, terms: readonly string[]): boolean {
  return terms.every((term) => label.includes(term));
}
