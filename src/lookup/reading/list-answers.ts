// Answers made from the lists in memory: by language, by day, and for selections.

import { KeptOnRequest } from '../../base/kept-on-request.ts';
import { Pauses } from '../../base/pauses.ts';
import { RecentMap } from '../../base/recent-map.ts';
import { endBytes, type PreparedDocument, prepareDocument, prepareOnce, startBytes } from '../../http/document.ts';
import { displayOrder } from '../rules/display-order.ts';
import { baseLanguage, type LanguageChain, reduceChain, shownLanguage } from '../rules/label-language.ts';
import { isOnListOn } from '../rules/list-on-day.ts';
import type { MayName } from '../rules/readable-parents.ts';
import { type FinalValues, isFound, limitTo, matches, type Selection, splitAtColon } from '../rules/selection.ts';
import { boundHeader, chainFor } from './language.ts';
import { finalValuesOf, type ListState, offeredOn, parentListsOf, stretchIn } from './list-state.ts';
import type { ListTitle } from './lookup.schema.ts';
import type { PastLists } from './past-lists.ts';
import { chainKey, type HeadersFor, type PreparedList, prepareChain } from './prepared-list.ts';
import {
  preferredLanguage,
  preferredLanguageOf,
  type ShownItem,
  showItems,
  writeItems,
  writeList,
  writeWithFields,
} from './shown-items.ts';

export type FoundDocument = PreparedDocument | Promise<PreparedDocument>;
type PreparedLists = ReadonlyMap<string, PreparedList>;

const rememberedHeaders = 500;
/** The cache of documents and the cache of views each take at most twice this amount. */
const keptBytes = 16 * 1024 * 1024;
/** The memory that an entry takes in addition to its texts or bytes. */
const objectBytes = 16 * 1024;

interface ListAnswersOptions {
  past: PastLists;
  /** The lists in memory. */
  get: (list: string) => PreparedList | undefined;
  today: () => string;
  headersFor: HeadersFor;
}

export function createListAnswers({ past, get, today, headersFor }: ListAnswersOptions) {
  // Browsers send only a few different Accept-Language values, so their chains are cached.
  const chains = new RecentMap<string>(rememberedHeaders);
  const documents = new KeptOnRequest<PreparedDocument>(keptBytes, sizeOfDocument);
  const views = new KeptOnRequest<ShownItem[]>(keptBytes, sizeOfView);

  /** The chain as text, cached by header. */
  function chainKeyFor(scope: string, acceptLanguage: string, resolve: (header: string) => LanguageChain): string {
    const header = boundHeader(acceptLanguage);
    const key = `${scope} ${header}`;
    let found = chains.get(key);
    if (found === undefined) {
      found = chainKey(resolve(header));
      chains.set(key, found);
    }
    return found;
  }

  const stateOn = ({ stored, state }: PreparedList, day: string) => (day < today() ? past.stateOn(stored, day) : state);

  /** The replacements in the lists named by `where`, as they were on that day. */
  async function finalValuesOn(day: string, where: Selection['where']): Promise<FinalValues> {
    const finals = new Map<string, (value: string) => string>();
    for (const list of new Set(where.map((pair) => splitAtColon(pair)[0]))) {
      const entry = get(list);
      if (entry !== undefined) finals.set(list, finalValuesOf(await stateOn(entry, day)));
    }
    return finals;
  }

  async function makeSelection(
    state: ListState,
    chain: LanguageChain,
    selection: Selection,
    day: string,
    hidden: readonly string[],
  ): Promise<PreparedDocument> {
    const pauses = new Pauses();
    const view = await views.getOrMake(`${state.key} ${chainKey(chain)}`, () => showItems(state.items, chain, pauses));
    const isOffered = offeredOn(state, day, today());
    const passes = matches(selection, await finalValuesOn(day, selection.where));
    const isMatching = (each: ShownItem) => isOffered(each.item) && passes(each.item) && isFound(each, selection.terms);
    const included = new Set(selection.include);
    let shown = await pauses.filter(view, (each) => included.has(each.value) || isMatching(each));
    const language = preferredLanguageOf(shown, chain);
    // The view is sorted in the language that is preferred among the labels of all items. If no selected item has a
    // label in this language, the selected items are sorted again, in their own preferred language.
    if (language !== (chain[0] ?? baseLanguage)) shown = await pauses.sort(shown, displayOrder(language));
    const answered = limitTo(shown, selection, isMatching);
    const text =
      selection.fields.length === 0
        ? writeItems(answered)
        : await writeWithFields(answered, selection.fields, hidden, pauses);
    await pauses.ifDue();
    return prepareOnce(text, headersFor(preferredLanguageOf(answered, chain)));
  }

  function answerFrom(
    state: ListState,
    acceptLanguage: string | null,
    selection: Selection,
    day: string,
    mayName: MayName,
  ): FoundDocument {
    // The hidden lists are part of the key, because people may see different parents.
    const hidden = selection.fields.includes('parents') ? parentListsOf(state).filter((list) => !mayName(list)) : [];
    const wanted = chainKeyFor(`? ${state.key}`, acceptLanguage ?? '', (header) =>
      reduceChain(chainFor(header, state.languages), state.languageSets),
    );
    const chain = wanted === baseLanguage ? [] : wanted.split(' ');
    // With `where`, the answer also depends on the replacements in other lists on that day.
    const days = selection.where.length === 0 ? stretchIn(state, day, today()) : day;
    const key = JSON.stringify([state.key, today(), wanted, days, { ...selection, asOf: undefined }, hidden]);
    return documents.getOrMake(key, () => makeSelection(state, chain, selection, day, hidden));
  }

  return {
    /** The plain list, in the preferred languages. */
    plain(entry: PreparedList, acceptLanguage: string | null): FoundDocument {
      const { stored, state, languageSets, plain, translated } = entry;
      if (!acceptLanguage) return plain;
      const key = chainKeyFor(stored.list, acceptLanguage, (header) =>
        reduceChain(chainFor(header, state.languages), languageSets),
      );
      if (key === baseLanguage) return plain;
      const make = () => prepareChain(entry, key.split(' '), headersFor);
      return translated.get(key) ?? documents.getOrMake(`${stored.list} ${stored.version} ${entry.day} ${key}`, make);
    },
    /** The list on another day, filtered, or with more fields. */
    select(entry: PreparedList, acceptLanguage: string | null, selection: Selection, mayName: MayName): FoundDocument {
      const { asOf = today() } = selection;
      const found = stateOn(entry, asOf);
      if (!(found instanceof Promise)) return answerFrom(found, acceptLanguage, selection, asOf, mayName);
      return found.then((made) => answerFrom(made, acceptLanguage, selection, asOf, mayName));
    },
    /** The lists in one document. */
    all(entries: PreparedLists, acceptLanguage: string | null): FoundDocument {
      const lists = [...entries.values()];
      // The names are part of the key, because people may read different lists. There may be a thousand, so they are hashed.
      const names = digestOf([...entries.keys()].join(' '));
      const key = chainKeyFor(`* ${names}`, acceptLanguage ?? '', (header) =>
        reduceChain(
          chainFor(header, [...new Set(lists.flatMap(({ state }) => state.languages))]),
          lists.flatMap(({ languageSets }) => languageSets),
        ),
      );
      return documents.getOrMake(`* ${names} ${key}`, () =>
        writeAll(entries, key === '' ? [] : key.split(' '), headersFor),
      );
    },
    /** The titles and descriptions of the lists. */
    titles(entries: PreparedLists, acceptLanguage: string | null) {
      const lists = inOrder(entries).map(([, { stored }]) => stored);
      const tags = lists.flatMap(({ titles, descriptions }) => [...Object.keys(titles), ...Object.keys(descriptions)]);
      const chain = chainFor(acceptLanguage ?? '', [...new Set(tags)]);
      const languages: string[] = [];
      const translate = <Plain>(plain: Plain, translations: Readonly<Record<string, string>>) => {
        const language = shownLanguage({ labels: translations }, chain);
        languages.push(language);
        return translations[language] ?? plain;
      };
      const texts = lists.map(({ list, title, titles, description, descriptions }): [string, ListTitle] => [
        list,
        { title: translate(title, titles), description: translate(description, descriptions) },
      ]);
      return prepareOnce(JSON.stringify(Object.fromEntries(texts)), headersFor(preferredLanguage(languages, chain)));
    },
    /** Discards cached answers after a list has changed. */
    clear() {
      chains.clear();
      documents.clear();
      views.clear();
    },
  };
}

/** The lists in the order of their names, so that every process sends the same bytes and ETag. */
const inOrder = (entries: PreparedLists) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

async function writeAll(entries: PreparedLists, chain: LanguageChain, headersFor: HeadersFor) {
  const pauses = new Pauses();
  const sink = startBytes();
  let before = '{';
  const languages: string[] = [];
  for (const [name, { stored, day, languageSets }] of inOrder(entries)) {
    const own = reduceChain(chain, languageSets);
    sink.write(`${before}${JSON.stringify(name)}:`);
    before = ',';
    await writeList(sink, await pauses.filter(stored.items, isOnListOn(day, day)), own, pauses);
    languages.push(own[0] ?? baseLanguage);
  }
  // Documents for a single language are few, so they are compressed as well as possible. Clients can request any number
  // of combinations of languages, so documents for these are compressed quickly.
  const effort = chain.length > 1 ? 'quick' : 'best';
  sink.write(entries.size === 0 ? '{}' : '}');
  return prepareDocument(endBytes(sink), headersFor(preferredLanguage(languages, chain)), effort);
}

function sizeOfDocument({ variants }: PreparedDocument): number {
  const sizes = new Set(Object.values(variants));
  return [...sizes].reduce((sum, { size }) => sum + size, objectBytes);
}

/** Counts the text, the label prepared for searching, and the object. */
function sizeOfView(view: ShownItem[]): number {
  return view.reduce((sum, { text, label }) => sum + text.length + 3 * label.length + 100, objectBytes);
}

const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64url');
