// The lists in memory, each prepared once for each version and language: a request finds its bytes by name and never
// waits for the database.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PreparedDocument, prepareDocument, prepareOnce } from '../http/document.ts';
import { RecentMap } from '../http/recent-map.ts';
import type { ReadableHeaders } from '../http/route.ts';
import type { Db } from '../storage/storage.ts';
import { inDisplayOrder } from './display-order.ts';
import { baseLanguage, labelIn, languagesOf, narrowest, negotiateLanguage, translationOf } from './language.ts';
import { readLists, readVersions, type StoredList } from './lookup.queries.ts';
import type { KeptItem, LookupItem } from './lookup.schema.ts';

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
  /** Reads what has changed, and tells what that was. */
  reload(): Promise<StoredList[]>;
  /** Prepares anew what a date that has come or gone changes. Tells the day, and which lists. */
  rebuildForNewDay(): Promise<{ day: string; lists: StoredList[] }>;
  /** The lists that look different on two days, by their dates alone. */
  differingBetween(day: string, otherDay: string): StoredList[];
}

interface Selection {
  /** A date; today where it is left out. */
  asOf?: string | undefined;
  include?: readonly string[] | undefined;
}

interface Entry {
  stored: StoredList;
  /** The day it was prepared for. */
  day: string;
  items: readonly KeptItem[];
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

const rememberedHeaders = 100;
/** At most twice as much. Each counts as its bytes and what the objects around them take. */
const rememberedSelectionBytes = 16 * 1024 * 1024;
const objectBytes = 16 * 1024;

/** `everyAnswer` are headers that each prepared answer has. */
export async function loadCatalog(db: Db, now: () => Date, everyAnswer: Record<string, string>): Promise<Catalog> {
  const headersFor = (language: string) => ({ ...everyAnswer, ...headersIn(language) });
  const entries = new Map<string, Entry>();
  // Browsers send a handful of different Accept-Language values: remembered, since the answer is always the same.
  const negotiated = new RecentMap<string>(rememberedHeaders);
  const allLists = new Map<string, Promise<PreparedDocument>>();
  const sizeOf = ({ variants }: PreparedDocument) => variants.identity.size + objectBytes;
  const selections = new RecentMap<PreparedDocument>(rememberedSelectionBytes, sizeOf);
  const today = () => now().toISOString().slice(0, 10);

  async function prepare(stored: StoredList): Promise<void> {
    const { items } = stored;
    const languages = languagesOf(items);
    const byValue = new Map(items.map((item) => [item.value, item]));
    const day = today();
    const writeIn = async (wanted: string) => {
      // A long list takes a while in each language: others have their turn in between.
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
    // Only now: until all is ready, the list before it is served.
    entries.set(stored.list, { stored, day, items, languages, byValue, plain, translated, rendered: new Map() });
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
    // Reported by whoever asked for it.
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
      for (const stored of lists) await prepare(stored);
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
        const { text, language } = writeList(entry.items, wanted, isOnList, (shown) => renderedOf(entry, shown));
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
        // By name: in whichever order a process came to know them, all of them give one answer under one tag.
        const byName = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
        const lists = byName.map(([name, { items, day }]) => ({
          name,
          ...writeList(items, wanted, isOnListOn(day, day)),
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
        const turned = [...entries.values()].filter((entry) => entry.day !== day && isDifferent(entry, entry.day, day));
        for (const { stored } of turned) await prepare(stored);
        for (const entry of entries.values()) entry.day = day;
        return { day, lists: turned.map(({ stored }) => stored) };
      }),
    differingBetween: (day, otherDay) =>
      [...entries.values()].filter((entry) => isDifferent(entry, day, otherDay)).map(({ stored }) => stored),
  };
}

function isDifferent({ items }: Entry, day: string, otherDay: string): boolean {
  return items.some((item) => item.status === 'active' && isValidOn(item, day) !== isValidOn(item, otherDay));
}

export function isValidOn({ validFrom, validTo }: Pick<KeptItem, 'validFrom' | 'validTo'>, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/** Whether it was off the list already. Today and later, retired is retired, whatever the writer's clock said. */
function wasRetired({ status, retiredAt }: KeptItem, day: string, today: string): boolean {
  return status === 'retired' && (day >= today || retiredAt === null || retiredAt.slice(0, 10) <= day);
}

type IsOnList = (item: KeptItem) => boolean;

/** On the list that day, or named. */
function isOnListOn(day: string, today: string, include: ReadonlySet<string> = new Set()): IsOnList {
  return (item) => include.has(item.value) || (!wasRetired(item, day, today) && isValidOn(item, day));
}

/** The list as text, and the language it really is in: a translation that no item on it has is none of it. */
function writeList(
  items: readonly KeptItem[],
  wanted: string,
  isOnList: IsOnList,
  render = (language: string) => renderItems(items, language),
): { text: string; language: string } {
  const language = narrowest(items.filter(isOnList).map((item) => translationOf(item, wanted)));
  const shown = render(language).filter(({ item }) => isOnList(item));
  return { text: `[${shown.map(({ text }) => text).join(',')}]`, language };
}

function renderedOf({ items, rendered }: Entry, language: string): Rendered {
  let made = rendered.get(language);
  if (made === undefined) {
    made = renderItems(items, language);
    rendered.set(language, made);
  }
  return made;
}

function renderItems(items: readonly KeptItem[], language: string): Rendered {
  return inDisplayOrder(items, language).map((item) => {
    const { id, value, sortOrder } = item;
    const text = JSON.stringify({ id, label: labelIn(item, language), value, sortOrder } satisfies LookupItem);
    return { item, text };
  });
}

function headersIn(language: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    // Each person's browser may keep it, and asks each time whether it is still right.
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Accept-Language',
    ...(language !== baseLanguage && { 'Content-Language': language }),
  };
}
