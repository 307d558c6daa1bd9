// Normalises text for comparison.
import { fold } from '../../../src/lookup/rules/fold.ts';

/** Ignores case, accents and punctuation: `Gültig ab:` is `gultig ab`; `validFrom` is `valid from`. */
export function plainWords(text: string): string {
  return fold(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Ignores case and accents, but not punctuation. */
export const plainLabel = (text: string) => fold(text).replace(/\s+/g, ' ').trim();
