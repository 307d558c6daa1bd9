// The lists in memory, each prepared once for each version and language: a request finds its bytes by name and never
// waits for the database.
import { type PreparedDocument, prepareDocument, prepareOnce } from '../http/document.ts';
import type { Db } from '../storage/storage.ts';
import { inDisplayOrder } from './changes.ts';
import { baseLanguage, labelIn, negotiateLanguage } from './language.ts';
import { readLists, readVersions, type StoredList } from './lookup.queries.ts';
import type { KeptItem, LookupItem } from './lookup.schema.ts';

export interface Catalog {
  /** The plain list, in the language wanted. */
  find(list: string, acceptLanguage: string | null): PreparedDocument | undefined;
  /** The list on a day, with some values that are not on it. Made for this request alone. */
  select(list: string, acceptLanguage: string | null, selection: Selection): PreparedDocument | undefined;
  /** All lists in one document. */
  findAll(acceptLanguage: string | null): Promise<PreparedDocument>;
  get(list: string): StoredList | undefined;
  getItem(list: string, value: string): KeptItem | undefined;
  today(): string;
  /** Reads what has changed. */
  reload(): Promise<void>;
  /** Prepares anew what a date that has come or gone changes. Tells which lists. */
  turnPages(): Promise<string[]>;
}

export interface Selection {
  /** A date; today where it is left out. */
  asOf: string | undefined;
  include: readonly string[];
}

interface Entry {
  stored: StoredList;
  /** The day it was prepared for. */
  day: string;
  languages: string[];
  byValue: Map<string, KeptItem>;
  documents: Map<string, PreparedDocument>;
}

const rememberedHeaders = 200;

export async function loadCatalog(db: Db, now: () => Date): Promise<Catalog> {
  const entries = new Map<string, Entry>();
  // Browsers send a handful of different Accept-Language values: remembered, since the answer is always the same.
  const negotiated = new Map<string, string>();
  const allLists = new Map<string, Promise<PreparedDocument>>();
  const today = () => now().toISOString().slice(0, 10);

  async function prepare(stored: StoredList): Promise<void> {
    const day = today();
    const languages = languagesOf(stored.items);
    const items = itemsOn(stored.items, day);
    const documents = new Map<string, PreparedDocument>();
    for (const language of [baseLanguage, ...languages]) {
      documents.set(language, await prepareDocument(textOf(items, language), headersFor(language)));
    }
    // Only now: until all is ready, the list before it is served.
    const byValue = new Map(stored.items.map((item) => [item.value, item]));
    entries.set(stored.list, { stored, day, languages, byValue, documents });
    negotiated.clear();
    allLists.clear();
  }

  function languageFor(list: string, languages: readonly string[], header: string | null): string {
    if (header === null || languages.length === 0) return baseLanguage;
    const key = `${list} ${header}`;
    let language = negotiated.get(key);
    if (language === undefined) {
      language = negotiateLanguage(header, languages);
      if (negotiated.size >= rememberedHeaders) negotiated.clear();
      negotiated.set(key, language);
    }
    return language;
  }

  async function reload(): Promise<void> {
    const versions = await readVersions(db);
    const changed = [...versions].filter(([name, version]) => entries.get(name)?.stored.version !== version);
    if (changed.length === 0) return;
    for (const stored of await readLists(
      db,
      changed.map(([name]) => name),
    ))
      await prepare(stored);
  }

  await reload();
  return {
    find(list, acceptLanguage) {
      const entry = entries.get(list);
      return entry?.documents.get(languageFor(list, entry.languages, acceptLanguage));
    },
    select(list, acceptLanguage, { asOf, include }) {
      const entry = entries.get(list);
      if (entry === undefined) return undefined;
      const language = languageFor(list, entry.languages, acceptLanguage);
      const items = itemsOn(entry.stored.items, asOf ?? today(), new Set(include));
      return prepareOnce(textOf(items, language), headersFor(language));
    },
    findAll(acceptLanguage) {
      const languages = [...new Set([...entries.values()].flatMap((entry) => entry.languages))].sort();
      const language = languageFor('', languages, acceptLanguage);
      let document = allLists.get(language);
      if (document === undefined) {
        const parts = [...entries.values()].map(
          ({ stored, day }) => `${JSON.stringify(stored.list)}:${textOf(itemsOn(stored.items, day), language)}`,
        );
        document = prepareDocument(`{${parts.join(',')}}`, headersFor(language));
        allLists.set(language, document);
      }
      return document;
    },
    get: (list) => entries.get(list)?.stored,
    getItem: (list, value) => entries.get(list)?.byValue.get(value),
    today,
    reload,
    async turnPages() {
      const day = today();
      const turned = [...entries.values()].filter((entry) => entry.day !== day && changesBetween(entry, day));
      for (const entry of entries.values()) if (!turned.includes(entry)) entry.day = day;
      for (const { stored } of turned) await prepare(stored);
      return turned.map(({ stored }) => stored.list);
    },
  };
}

/** Whether a list looks different on another day than the one it was prepared for. */
function changesBetween({ stored: { items }, day }: Entry, otherDay: string): boolean {
  return items.some((item) => item.status === 'active' && isValidOn(item, day) !== isValidOn(item, otherDay));
}

export function isValidOn({ validFrom, validTo }: Pick<KeptItem, 'validFrom' | 'validTo'>, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/** Retired since that day or earlier. */
function isRetiredOn({ status, retiredAt }: KeptItem, day: string): boolean {
  return status === 'retired' && (retiredAt === null || retiredAt.slice(0, 10) <= day);
}

function itemsOn(items: readonly KeptItem[], day: string, include: ReadonlySet<string> = new Set()): KeptItem[] {
  return items
    .filter((item) => include.has(item.value) || (!isRetiredOn(item, day) && isValidOn(item, day)))
    .sort(inDisplayOrder);
}

function textOf(items: readonly KeptItem[], language: string): string {
  return JSON.stringify(
    items.map(
      (item): LookupItem => ({
        id: item.id,
        label: labelIn(item, language),
        value: item.value,
        sortOrder: item.sortOrder,
      }),
    ),
  );
}

function languagesOf(items: readonly KeptItem[]): string[] {
  return [...new Set(items.flatMap(({ labels }) => Object.keys(labels)))].sort();
}

function headersFor(language: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    // Each person's browser may keep it, and asks each time whether it is still right.
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Accept-Language',
    ...(language !== baseLanguage && { 'Content-Language': language }),
  };
}
