// Searching the values of one list as people type: every word is somewhere in the label, the value, a translation or a
// code, whatever its case and accents. Pure.
import { fold } from '../../../src/lookup/fold.ts';
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';

type Searched = Pick<KeptItem, 'label' | 'value' | 'labels' | 'codes'>;

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
