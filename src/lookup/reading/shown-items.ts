// Items as an answer shows them: labelled in the preferred languages, sorted, as JSON.

import type { Pauses } from '../../base/pauses.ts';
import { displayOrder } from '../rules/display-order.ts';
import type { ExtraField, KeptItem } from '../rules/item.ts';
import { baseLanguage, type LanguageChain, shownLanguage } from '../rules/label-language.ts';
import { withReadableParents } from '../rules/readable-parents.ts';
import type { LookupItem } from './lookup.schema.ts';

export interface ShownItem {
  item: KeptItem;
  /** The language of the label; the base language for a plain label. */
  language: string;
  label: string;
  value: string;
  sortOrder: number;
  /** The item as a `LookupItem`, in JSON. */
  text: string;
  /** The label prepared for searching. Set on the first search. */
  searchable?: string;
}

/** Labels the items, and sorts them by the rules of the preferred language among their labels. */
export async function showItems(
  items: readonly KeptItem[],
  chain: LanguageChain,
  pauses: Pauses,
): Promise<ShownItem[]> {
  const shown = await pauses.map(items, (item) => showItem(item, chain));
  return pauses.sort(shown, displayOrder(preferredLanguageOf(shown, chain)));
}

function showItem(item: KeptItem, chain: LanguageChain): ShownItem {
  const language = shownLanguage(item, chain);
  const { value, sortOrder } = item;
  const label = labelIn(item, language);
  return { item, language, label, value, sortOrder, text: textOf(item, label) };
}

const labelIn = ({ label, labels }: KeptItem, language: string) => labels[language] ?? label;

const membersOf = ({ id, value, sortOrder }: KeptItem, label: string): LookupItem => ({ id, label, value, sortOrder });

const textOf = (item: KeptItem, label: string) => JSON.stringify(membersOf(item, label));

/**
 * Writes the whole list and returns its language. Does not keep a string for each item, because there may be 50,000
 * items.
 */
export async function writeList(
  sink: Bun.ArrayBufferSink,
  items: readonly KeptItem[],
  chain: LanguageChain,
  pauses: Pauses,
): Promise<string> {
  const languages = chain.length === 0 ? [] : await pauses.map(items, (item) => shownLanguage(item, chain));
  const language = preferredLanguage(languages, chain);
  const labelOf = (item: KeptItem) => labelIn(item, shownLanguage(item, chain));
  const ordered = await pauses.sort(items, displayOrder(language, labelOf));
  let before = '[';
  await pauses.inSlices(ordered, (slice) => {
    sink.write(before + JSON.stringify(slice.map((item) => membersOf(item, labelOf(item)))).slice(1, -1));
    before = ',';
  });
  sink.write(ordered.length === 0 ? '[]' : ']');
  return language;
}

/** The first language in the chain that at least one item is shown in; otherwise the base language. */
export function preferredLanguage(languages: Iterable<string>, chain: LanguageChain): string {
  const among = new Set(languages);
  return chain.find((tag) => among.has(tag)) ?? baseLanguage;
}

const languagesOf = (shown: readonly ShownItem[], chain: LanguageChain) =>
  chain.length === 0 ? [] : shown.map(({ language }) => language);

export const preferredLanguageOf = (shown: readonly ShownItem[], chain: LanguageChain) =>
  preferredLanguage(languagesOf(shown, chain), chain);

export function writeItems(shown: readonly ShownItem[]): string {
  return `[${shown.map(({ text }) => text).join(',')}]`;
}

/** Writes items with the additional fields that were requested, but without parents in hidden lists. */
export async function writeWithFields(
  shown: readonly ShownItem[],
  fields: readonly ExtraField[],
  hidden: readonly string[],
  pauses: Pauses,
): Promise<string> {
  const texts = await pauses.map(shown, ({ item: whole, text }) => {
    const item = withReadableParents(whole, (list) => !hidden.includes(list));
    const more = fields.map((field) => `,"${field}":${JSON.stringify(item[field])}`);
    return `${text.slice(0, -1)}${more.join('')}}`;
  });
  return `[${texts.join(',')}]`;
}
