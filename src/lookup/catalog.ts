// The lists in memory, each prepared once for each version and language: a request finds its bytes by name and never
// waits for the database.
import { type PreparedDocument, prepareDocument, prepareOnce } from '../http/document.ts';
import { RecentMap } from '../http/recent-map.ts';
import type { ReadableHeaders } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { baseLanguage, narrowest, negotiateLanguage } from './language.ts';
import { differsBetween, isOnListOn } from './list-on-day.ts';
import { readLists, readVersions, type StoredList } from './lookup.queries.ts';
import type { KeptItem } from './lookup-admin.schema.ts';
import { type PreparedList, prepareList, writeList, writeSelection } from './prepared-list.ts';

export interface Catalog {
  /** The plain list, in the language wanted. */
  find(list: string, headers: ReadableHeaders<'Accept-Language'>): PreparedDocument | undefined;
  /** The list on a day, with some values that are not on it. */
  select(list: string, headers: ReadableHeaders<'Accept-Language'>, selection: Selection): PreparedDocument | undefined;
  /** All lists in one document. */
  findAll(acceptLanguage: string | undefined): Promise<PreparedDocument>;
  get(list: string): StoredList | undefined;
  all(): StoredList[];
  getItem(list: string, value: string): KeptItem | undefined;
  today(): string;
  /** Loads the lists that have changed, and returns them. */
  reload(): Promise<StoredList[]>;
  /** Prepares the lists again that look different on the new day. Returns the day and those lists. */
  rebuildForNewDay(): Promise<{ day: string; lists: StoredList[] }>;
  /** The lists that look different on two days, by their dates alone. */
  differingBetween(day: string, otherDay: string): StoredList[];
}

interface Selection {
  /** A date; today where it is left out. */
  asOf?: string | undefined;
  include?: readonly string[] | undefined;
}

const rememberedHeaders = 100;
/** At most twice as much. Each counts as its bytes and what the objects around them take. */
const rememberedSelectionBytes = 16 * 1024 * 1024;
const objectBytes = 16 * 1024;

/** `everyAnswer` are headers that each prepared answer has. */
export async function loadCatalog(db: Db, now: () => Date, everyAnswer: Record<string, string>): Promise<Catalog> {
  const headersFor = (language: string) => ({ ...everyAnswer, ...headersIn(language) });
  const entries = new Map<string, PreparedList>();
  // Browsers send a handful of different Accept-Language values: remembered, since the answer is always the same.
  const negotiated = new RecentMap<string>(rememberedHeaders);
  const allLists = new Map<string, Promise<PreparedDocument>>();
  const sizeOf = ({ variants }: PreparedDocument) => variants.identity.size + objectBytes;
  const selections = new RecentMap<PreparedDocument>(rememberedSelectionBytes, sizeOf);
  const today = () => now().toISOString().slice(0, 10);

  async function replace(stored: StoredList): Promise<void> {
    // Until all of it is prepared, the list before it is served.
    entries.set(stored.list, await prepareList(stored, today(), headersFor));
    negotiated.clear();
    allLists.clear();
    selections.clear();
  }

  function languageFor(list: string, languages: readonly string[], header: string | null | undefined): string {
    if (languages.length === 0 || !header) return baseLanguage;
    const key = `${list} ${header}`;
    let language = negotiated.get(key);
    if (language === undefined) {
      language = negotiateLanguage(header, languages);
      negotiated.set(key, language);
    }
    return language;
  }

  // One at a time: preparing takes a while, and an older list must not overtake a newer one.
  let queue: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    // Reported by the caller.
    queue = done.catch(() => {});
    return done;
  }

  const reload = () =>
    inTurn(async () => {
      const versions = await readVersions(db);
      const changed = [...versions].filter(([name, version]) => entries.get(name)?.stored.version !== version);
      if (changed.length === 0) return [];
      const names = changed.map(([name]) => name);
      const lists = await readLists(db, names);
      for (const stored of lists) await replace(stored);
      return lists;
    });

  await reload();
  return {
    find(list, headers) {
      const entry = entries.get(list);
      if (entry === undefined) return undefined;
      // Most lists have no translations: no header is read for those.
      if (entry.languages.length === 0) return entry.plain;
      const language = languageFor(list, entry.languages, headers.get('Accept-Language'));
      return language === baseLanguage ? entry.plain : entry.translated.get(language);
    },
    select(list, headers, { asOf = today(), include = [] }) {
      const entry = entries.get(list);
      if (entry === undefined) return undefined;
      const wanted = languageFor(list, entry.languages, headers.get('Accept-Language'));
      const key = [list, wanted, asOf, entry.day, ...include.toSorted()].join(' ');
      let document = selections.get(key);
      if (document === undefined) {
        const isOnList = isOnListOn(asOf, today(), new Set(include));
        const { text, language } = writeSelection(entry, wanted, isOnList);
        document = prepareOnce(text, headersFor(language));
        selections.set(key, document);
      }
      return document;
    },
    findAll(acceptLanguage) {
      const languages = [...new Set([...entries.values()].flatMap((entry) => entry.languages))].sort();
      const wanted = languageFor('', languages, acceptLanguage);
      let document = allLists.get(wanted);
      if (document === undefined) {
        // Sorted by name: every process then gives the same bytes, and the same tag.
        const byName = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
        const lists = byName.map(([name, { stored, day }]) => ({
          name,
          ...writeList(stored.items, wanted, isOnListOn(day, day)),
        }));
        const text = `{${lists.map((list) => `${JSON.stringify(list.name)}:${list.text}`).join(',')}}`;
        document = prepareDocument(text, headersFor(narrowest(lists.map(({ language }) => language))));
        allLists.set(wanted, document);
      }
      return document;
    },
    get: (list) => entries.get(list)?.stored,
    all: () => [...entries.values()].map(({ stored }) => stored),
    getItem: (list, value) => entries.get(list)?.byValue.get(value),
    today,
    reload,
    rebuildForNewDay: () =>
      inTurn(async () => {
        const day = today();
        const changed = [...entries.values()].filter(
          (entry) => entry.day !== day && differsBetween(entry.stored.items, entry.day, day),
        );
        for (const { stored } of changed) await replace(stored);
        for (const entry of entries.values()) entry.day = day;
        return { day, lists: changed.map(({ stored }) => stored) };
      }),
    differingBetween: (day, otherDay) =>
      [...entries.values()]
        .filter((entry) => differsBetween(entry.stored.items, day, otherDay))
        .map(({ stored }) => stored),
  };
}

function headersIn(language: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    // A browser may store it, and must revalidate it at each use.
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Accept-Language',
    ...(language !== baseLanguage && { 'Content-Language': language }),
  };
}
