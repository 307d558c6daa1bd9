// Text compared as people do: without case, accents and signs between the words.
import { fold } from '../../../src/lookup/fold.ts';

/** `Gültig ab:` is `gultig ab`; `validFrom` is `valid from`. */
export function plainWords(text: string): string {
  return fold(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Of labels: case and accents count for nothing, signs do. */
export const plainLabel = (text: string) => fold(text).replace(/\s+/g, ' ').trim();
