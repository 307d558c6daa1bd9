// One list, ready to be sent: its text and its answers in every language it has.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PreparedDocument, prepareDocument } from '../http/document.ts';
import { inDisplayOrder } from './display-order.ts';
import { baseLanguage, labelIn, languagesOf, narrowest, translationOf } from './language.ts';
import { type IsOnList, isOnListOn } from './list-on-day.ts';
import type { StoredList } from './lookup.queries.ts';
import type { LookupItem } from './lookup.schema.ts';
import type { KeptItem } from './lookup-admin.schema.ts';

export interface PreparedList {
  stored: StoredList;
  /** The day it was prepared for. */
  day: string;
  languages: string[];
  byValue: Map<string, KeptItem>;
  /** With the labels every item has. */
  plain: PreparedDocument;
  /** By language. */
  translated: Map<string, PreparedDocument>;
  /** By language: kept for lists that are asked for by day. */
  rendered: Map<string, Rendered>;
}

/** All items in the order of a language, each with the text that is sent. */
type Rendered = { item: KeptItem; text: string }[];

type HeadersFor = (language: string) => Record<string, string>;

export async function prepareList(stored: StoredList, day: string, headersFor: HeadersFor): Promise<PreparedList> {
  const { items } = stored;
  const languages = languagesOf(items);
  const writeIn = async (wanted: string) => {
    // A long list takes a while in each language: other requests run in between.
    await nextTurn();
    return writeList(items, wanted, isOnListOn(day, day));
  };
  const plain = await prepareDocument((await writeIn(baseLanguage)).text, headersFor(baseLanguage));
  const translated = new Map<string, PreparedDocument>();
  for (const wanted of languages) {
    const { text, language } = await writeIn(wanted);
    const isPlain = language === baseLanguage;
    translated.set(wanted, isPlain ? plain : await prepareDocument(text, headersFor(language)));
  }
  const byValue = new Map(items.map((item) => [item.value, item]));
  return { stored, day, languages, byValue, plain, translated, rendered: new Map() };
}

/** A list as text, and the language it really is in: a translation that no item on it has does not count. */
export function writeList(
  items: readonly KeptItem[],
  wanted: string,
  isOnList: IsOnList,
  render = (language: string) => renderItems(items, language),
): { text: string; language: string } {
  const language = narrowest(items.filter(isOnList).map((item) => translationOf(item, wanted)));
  const shown = render(language).filter(({ item }) => isOnList(item));
  return { text: `[${shown.map(({ text }) => text).join(',')}]`, language };
}

/** The same from texts that are made once for each language. */
export function writeSelection({ stored, rendered }: PreparedList, wanted: string, isOnList: IsOnList) {
  return writeList(stored.items, wanted, isOnList, (language) => {
    const made = rendered.get(language) ?? renderItems(stored.items, language);
    rendered.set(language, made);
    return made;
  });
}

function renderItems(items: readonly KeptItem[], language: string): Rendered {
  return inDisplayOrder(items, language).map((item) => {
    const { id, value, sortOrder } = item;
    const text = JSON.stringify({ id, label: labelIn(item, language), value, sortOrder } satisfies LookupItem);
    return { item, text };
  });
}
