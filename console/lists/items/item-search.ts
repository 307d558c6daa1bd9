// Searches the values of one list while the user types: every word must occur in the label, the value, a translation or
// a code. Case and accents do not matter. Pure.
import { fold } from '../../../src/lookup/rules/fold.ts';
import type { KeptItem } from '../../shell/api.ts';

type Searched = Pick<KeptItem, 'label' | 'value' | 'labels' | 'codes'>;

// Cached by item: unchanged items keep their identity when a list is loaded again.
const foldedTexts = new WeakMap<Searched, string>();

function foldedText(item: Searched): string {
  const known = foldedTexts.get(item);
  if (known !== undefined) return known;
  const { label, value, labels, codes } = item;
  const text = fold([label, value, ...Object.values(labels), ...Object.values(codes)].join('\n'));
  foldedTexts.set(item, text);
  return text;
}

/** An empty search matches everything. */
export function matcherOf(search: string): (item: Searched) => boolean {
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (item) => {
    const text = foldedText(item);
    return words.every((word) => text.includes(word));
  };
}
