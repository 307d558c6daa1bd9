// Finds values of one list, by exact label or value or by a search. A search finds a value if each of its words occurs in
// the label, the value, a translation or a code; case and accents do not matter. Pure.
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

/**
 * Longer than any label, even one whose accents are separate characters. Normalising longer text can take quadratic
 * time.
 */
const maxTextLength = 1000;

/**
 * The text without leading and trailing white space, and with each run of white space inside it replaced by one space.
 */
export const singleSpaced = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

/**
 * Labels have the same key if they differ only in case, white space or variants of characters (such as full-width
 * letters), because people would take them for the same label.
 */
export const labelKey = (label: string) => singleSpaced(label.slice(0, maxTextLength).normalize('NFKC')).toLowerCase();

/** Finds an item with this label, preferably one that is not retired. `except` is a value to ignore. */
export function findLabel<Item extends Pick<KeptItem, 'label' | 'value' | 'status'>>(
  items: readonly Item[],
  label: string,
  except?: string,
): Item | undefined {
  const key = labelKey(label);
  const found = items.filter((item) => item.value !== except && labelKey(item.label) === key);
  return found.find(({ status }) => status === 'active') ?? found[0];
}

/** Finds the item whose label or value is this text. Returns `several` if more than one matches. */
export function findExact<Item extends Pick<KeptItem, 'label' | 'value'>>(
  items: readonly Item[],
  text: string,
): Item | 'several' | undefined {
  const key = labelKey(text);
  const found = items.filter(({ label, value }) => labelKey(label) === key || labelKey(value) === key);
  return found.length > 1 ? 'several' : found[0];
}
