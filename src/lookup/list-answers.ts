// The answers made from the lists in memory: by language, by day, for what is asked for beyond the plain list.
import { type PreparedDocument, prepareDocument, prepareOnce } from '../http/document.ts';
import { RecentMap } from '../http/recent-map.ts';
import { displayOrder } from './display-order.ts';
import { KeptOnRequest } from './kept-on-request.ts';
import { baseLanguage, boundHeader, chainFor, type LanguageChain, languageSetsOf, reduceChain } from './language.ts';
import { isOnListOn } from './list-on-day.ts';
import { Pauses } from './pauses.ts';
import { chainKey, type HeadersFor, type PreparedList, prepareChain } from './prepared-list.ts';
import { mostWanted, type ShownItem, showItems, writeItems } from './shown-items.ts';

export interface Selection {
  /** A date; today where it is left out. */
  asOf?: string | undefined;
  include?: readonly string[] | undefined;
}

type Found = PreparedDocument | Promise<PreparedDocument>;

export interface ListAnswers {
  /** The plain list, in the languages wanted. */
  plain(entry: PreparedList, acceptLanguage: string | null): Found;
  /** The list on a day, with some values that are not on it. */
  select(entry: PreparedList, acceptLanguage: string | null, selection: Selection): Found;
  /** These lists in one document. */
  all(entries: ReadonlyMap<string, PreparedList>, acceptLanguage: string | null): Found;
  /** Forgets what was made from lists that have changed. */
  clear(): void;
}

const rememberedHeaders = 500;
/** At most twice as much of each. Each counts as its bytes and what the objects around them take. */
const keptBytes = 16 * 1024 * 1024;
const objectBytes = 16 * 1024;

export function createListAnswers(today: () => string, headersFor: HeadersFor): ListAnswers {
  // Browsers send a handful of different Accept-Language values: remembered, since the answer is always the same.
  const chains = new RecentMap<string>(rememberedHeaders);
  const documents = new KeptOnRequest<PreparedDocument>(keptBytes, sizeOfDocument);
  const views = new KeptOnRequest<ShownItem[]>(keptBytes, sizeOfView);

  /** The chain as text: a look-up for a header seen before. */
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

  async function makeSelection(
    entry: PreparedList,
    chain: LanguageChain,
    { asOf = today(), include = [] }: Selection,
  ): Promise<PreparedDocument> {
    const { list, version, items } = entry.stored;
    const pauses = new Pauses();
    const key = [list, version, ...chain].join(' ');
    const view = await views.getOrMake(key, () => showItems(items, chain, pauses));
    const isOnList = isOnListOn(asOf, today(), new Set(include));
    let shown = await pauses.filter(view, ({ item }) => isOnList(item));
    const language = mostWanted(shown, chain);
    // The view is in the order of what is most wanted among all items.
    if (language !== (chain[0] ?? baseLanguage)) shown = await pauses.sort(shown, displayOrder(language));
    return prepareOnce(writeItems(shown), headersFor(language));
  }

  return {
    plain(entry, acceptLanguage) {
      const { stored, languages, languageSets, plain, translated } = entry;
      if (!acceptLanguage) return plain;
      const key = chainKeyFor(stored.list, acceptLanguage, (header) =>
        reduceChain(chainFor(header, languages), languageSets),
      );
      if (key === baseLanguage) return plain;
      const make = () => prepareChain(entry, key.split(' '), headersFor);
      return translated.get(key) ?? documents.getOrMake(`${stored.list} ${stored.version} ${entry.day} ${key}`, make);
    },
    select(entry, acceptLanguage, { asOf = today(), include = [] }) {
      const { stored, languages, day } = entry;
      const wanted = chainKeyFor(`? ${stored.list}`, acceptLanguage ?? '', (header) =>
        reduceChain(chainFor(header, languages), languageSetsOf(stored.items)),
      );
      const chain = wanted === baseLanguage ? [] : wanted.split(' ');
      const key = ['?', stored.list, stored.version, day, wanted, asOf, ...include.toSorted()].join(' ');
      return documents.getOrMake(key, () => makeSelection(entry, chain, { asOf, include }));
    },
    all(entries, acceptLanguage) {
      const lists = [...entries.values()];
      const key = chainKeyFor('', acceptLanguage ?? '', (header) =>
        reduceChain(
          chainFor(header, [...new Set(lists.flatMap(({ languages }) => languages))]),
          lists.flatMap(({ languageSets }) => languageSets),
        ),
      );
      return documents.getOrMake(`* ${key}`, () => writeAll(entries, key === '' ? [] : key.split(' '), headersFor));
    },
    clear() {
      chains.clear();
      documents.clear();
      views.clear();
    },
  };
}

/** Sorted by name: every process then gives the same bytes, and the same tag. */
async function writeAll(entries: ReadonlyMap<string, PreparedList>, chain: LanguageChain, headersFor: HeadersFor) {
  const pauses = new Pauses();
  const texts: string[] = [];
  const languages: { language: string }[] = [];
  for (const [name, { stored, day, languageSets }] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const own = reduceChain(chain, languageSets);
    const shown = await showItems(await pauses.filter(stored.items, isOnListOn(day, day)), own, pauses);
    texts.push(`${JSON.stringify(name)}:${writeItems(shown)}`);
    languages.push({ language: own[0] ?? baseLanguage });
  }
  return prepareDocument(`{${texts.join(',')}}`, headersFor(mostWanted(languages, chain)));
}

function sizeOfDocument({ variants }: PreparedDocument): number {
  const sizes = new Set(Object.values(variants));
  return [...sizes].reduce((sum, { size }) => sum + size, objectBytes);
}

/** Text, and the object that holds it. */
function sizeOfView(view: ShownItem[]): number {
  return view.reduce((sum, { text }) => sum + text.length + 100, objectBytes);
}
