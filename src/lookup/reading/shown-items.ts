// Items as an answer shows them: with the label of a chain of languages, in order, as text.

import type { LookupItem } from '../lookup.schema.ts';
import type { KeptItem } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';
import { displayOrder } from './display-order.ts';
import { baseLanguage, type LanguageChain, shownLanguage } from './language.ts';
import type { ItemField } from './selection.ts';

export interface ShownItem {
  item: KeptItem;
  /** Of the label; the base language for a plain one. */
  language: string;
  label: string;
  value: string;
  sortOrder: number;
  /** The interface's four members, as JSON. */
  text: string;
  /** The label as it is searched: made when it first is. */
  searchable?: string;
}

/** In the order of the language that is most wanted among them. */
export async function showItems(
  items: readonly KeptItem[],
  chain: LanguageChain,
  pauses: Pauses,
): Promise<ShownItem[]> {
  const shown = await pauses.map(items, (item) => showItem(item, chain));
  return pauses.sort(shown, displayOrder(mostWanted(shown, chain)));
}

function showItem(item: KeptItem, chain: LanguageChain): ShownItem {
  const language = shownLanguage(item, chain);
  const { id, value, sortOrder } = item;
  const label = item.labels[language] ?? item.label;
  const text = JSON.stringify({ id, label, value, sortOrder } satisfies LookupItem);
  return { item, language, label, value, sortOrder, text };
}

/** The first language of the chain that one of these is shown in. */
export function mostWanted(shown: readonly { language: string }[], chain: LanguageChain): string {
  const languages = new Set<string>();
  if (chain.length > 0) for (const { language } of shown) languages.add(language);
  return chain.find((tag) => languages.has(tag)) ?? baseLanguage;
}

export function writeItems(shown: readonly ShownItem[]): string {
  return `[${shown.map(({ text }) => text).join(',')}]`;
}

/** With more about each item, behind the interface's members. */
export async function writeWithFields(
  shown: readonly ShownItem[],
  fields: readonly ItemField[],
  pauses: Pauses,
): Promise<string> {
  const texts = await pauses.map(shown, ({ item, text }) => {
    const more = fields.map((field) => `,"${field}":${JSON.stringify(item[field])}`);
    return `${text.slice(0, -1)}${more.join('')}}`;
  });
  return `[${texts.join(',')}]`;
}
