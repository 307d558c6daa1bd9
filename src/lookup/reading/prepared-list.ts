// One list, ready to send: its answers in each of its languages.

import { Pauses } from '../../base/pauses.ts';
import { endBytes, type PreparedDocument, prepareDocument, releaseDocument, startBytes } from '../../http/document.ts';
import type { KeptItem } from '../rules/item.ts';
import { baseLanguage, type LanguageChain, languageKey, languageSets, reduceChain } from '../rules/label-language.ts';
import { isOnListOn } from '../rules/list-on-day.ts';
import type { StoredList } from '../stored/list.queries.ts';
import { chainFor } from './language.ts';
import { type ListState, stateKey, stateOf } from './list-state.ts';
import { writeList } from './shown-items.ts';

export interface PreparedList {
  stored: StoredList;
  /** The day that the list was prepared for. */
  day: string;
  state: ListState;
  /** The language sets of the items that are on the list that day. */
  languageSets: readonly ReadonlySet<string>[];
  /** The items by value. Computed on first use. */
  byValue?: ReadonlyMap<string, KeptItem>;
  /** The answer with plain labels. */
  plain: PreparedDocument;
  /** Answers by language chain, for requests for a single language. Answers for other chains are prepared on request. */
  translated: Map<string, PreparedDocument>;
}

export type HeadersFor = (language: string) => Record<string, string>;

/**
 * If a list has more languages than this, its translations are prepared on request. Preparing all of them could take many
 * seconds, during which no other list change is served.
 */
const mostPrepared = 20;

export const chainKey = (chain: LanguageChain) => chain.join(' ');

export async function prepareList(stored: StoredList, day: string, headersFor: HeadersFor): Promise<PreparedList> {
  const pauses = new Pauses();
  const { items } = stored;
  const onList = await pauses.filter(items, isOnListOn(day, day));
  const state = await stateOf(stateKey(stored), items, pauses);
  const isWhole = onList.length === items.length;
  const ownSets = isWhole ? state.languageSets : languageSets(await pauses.map(onList, languageKey));
  const plain = await prepareIn([], onList, headersFor, pauses);
  const translated = new Map<string, PreparedDocument>();
  for (const tag of state.languages.length > mostPrepared ? [] : state.languages) {
    const chain = reduceChain(chainFor(tag, state.languages), ownSets);
    const key = chainKey(chain);
    if (key === baseLanguage || translated.has(key)) continue;
    translated.set(key, await prepareIn(chain, onList, headersFor, pauses));
  }
  return { stored, day, state, languageSets: ownSets, plain, translated };
}

/** Frees the documents of a list that has been replaced. */
export function releaseList({ plain, translated }: PreparedList): void {
  for (const document of [plain, ...translated.values()]) releaseDocument(document);
}

export function itemOf(list: PreparedList, value: string): KeptItem | undefined {
  list.byValue ??= new Map(list.stored.items.map((item) => [item.value, item]));
  return list.byValue.get(value);
}

async function prepareIn(
  chain: LanguageChain,
  items: readonly KeptItem[],
  headersFor: HeadersFor,
  pauses: Pauses,
  effort: 'best' | 'quick' = 'best',
): Promise<PreparedDocument> {
  const sink = startBytes();
  const language = await writeList(sink, items, chain, pauses);
  const bytes = endBytes(sink);
  const document = await prepareDocument(bytes, headersFor(language), effort);
  // Frees the bytes at once, because the document has a copy and a large list takes megabytes.
  bytes.buffer.transfer(0);
  return document;
}

/** Prepares the answer for a chain that was not prepared in advance. */
export async function prepareChain({ stored, day }: PreparedList, chain: LanguageChain, headersFor: HeadersFor) {
  const pauses = new Pauses();
  const onList = await pauses.filter(stored.items, isOnListOn(day, day));
  return prepareIn(chain, onList, headersFor, pauses, 'quick');
}
