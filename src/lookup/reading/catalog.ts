// The lists in memory, prepared once for each version and language, so that a request for today's list never waits for
// the database.

import { createTurns } from '../../base/one-at-a-time.ts';
import { invalidRequest } from '../../http/parse.ts';
import type { ReadableHeaders } from '../../http/route.ts';
import type { Db } from '../../storage/storage.ts';
import type { KeptItem } from '../rules/item.ts';
import { baseLanguage } from '../rules/label-language.ts';
import { dayOf, differsBetween } from '../rules/list-on-day.ts';
import type { MayName } from '../rules/readable-parents.ts';
import { type Selection, splitAtColon } from '../rules/selection.ts';
import { type Head, isHeadOf, readHeads, readLists, type StoredList } from '../stored/list.queries.ts';
import { createListAnswers, type FoundDocument } from './list-answers.ts';
import { createPastLists } from './past-lists.ts';
import { itemOf, type PreparedList, prepareList, releaseList } from './prepared-list.ts';

export type Catalog = Awaited<ReturnType<typeof loadCatalog>>;

type LanguageHeader = ReadableHeaders<'Accept-Language'>;

/** `everyAnswer` contains the headers that every prepared answer gets. */
export async function loadCatalog(db: Db, now: () => Date, everyAnswer: Record<string, string>) {
  const headersFor = (language: string) => ({ ...everyAnswer, ...headersIn(language) });
  const entries = new Map<string, PreparedList>();
  const today = () => dayOf(now());
  const answers = createListAnswers({ past: createPastLists(db), get: (list) => entries.get(list), today, headersFor });

  async function replace(stored: StoredList): Promise<void> {
    // Without this, several versions of a long list would accumulate in memory before the garbage collector runs.
    const collect = () => stored.items.length >= longList && Bun.gc(false);
    collect();
    // The old version is served until the new one is completely prepared.
    const prepared = await prepareList(stored, today(), headersFor);
    const before = entries.get(stored.list);
    entries.set(stored.list, prepared);
    answers.clear();
    // No request still uses the old documents, because a request copies its document in the same turn of the event
    // loop.
    if (before !== undefined) releaseList(before);
    collect();
  }

  // Lists are replaced one at a time, because preparing takes a while and an older version must not replace a newer
  // one.
  const inTurn = createTurns();

  /**
   * Lists that this process has written but does not serve yet. A reload that is already running because of a
   * notification can use them from here.
   */
  const written = new Map<string, StoredList>();
  const isWritten = (head: Head) => isHeadOf(head, written.get(head.name));

  /**
   * Loads and returns the lists that have changed. `own` is a list that this process has just written, so it is not
   * read again.
   */
  async function reload(own?: StoredList): Promise<StoredList[]> {
    if (own === undefined) return inTurn(replaceChanged);
    written.set(own.list, own);
    try {
      return await inTurn(replaceChanged);
    } finally {
      if (written.get(own.list) === own) written.delete(own.list);
    }
  }

  async function replaceChanged(): Promise<StoredList[]> {
    const heads = await readHeads(db);
    const changed = heads.filter((head) => !isHeadOf(head, entries.get(head.name)?.stored));
    const lists = changed.filter(isWritten).flatMap(({ name }) => written.get(name) ?? []);
    const names = changed.filter((head) => !isWritten(head)).map(({ name }) => name);
    if (names.length > 0) lists.push(...(await readLists(db, names)));
    for (const stored of lists) await replace(stored);
    return lists;
  }

  function expectLists({ where }: Selection, mayName: MayName): void {
    const unknown = where.map((pair) => splitAtColon(pair)[0]).filter((list) => !entries.has(list) || !mayName(list));
    const faults = [...new Set(unknown)].map((list) => ({
      field: 'where',
      message: `there is no list ${list} that you may read`,
    }));
    if (faults.length > 0) throw invalidRequest(faults);
  }

  const entriesThat = (includes: (list: string) => boolean) => new Map([...entries].filter(([name]) => includes(name)));

  await reload();
  return {
    /** The plain list, in the preferred languages. */
    find(list: string, headers: LanguageHeader): FoundDocument | undefined {
      const entry = entries.get(list);
      // Most lists have no translations, so the header need not be read for them.
      if (entry === undefined || entry.languageSets.length === 0) return entry?.plain;
      return answers.plain(entry, headers.get('Accept-Language'));
    },
    /** The list on another day, filtered, or with more fields. */
    select(list: string, headers: LanguageHeader, selection: Selection, mayName: MayName): FoundDocument | undefined {
      const entry = entries.get(list);
      if (entry !== undefined) expectLists(selection, mayName);
      return entry && answers.select(entry, headers.get('Accept-Language'), selection, mayName);
    },
    /** The included lists in one document. */
    findAll: (acceptLanguage: string | undefined, includes: (list: string) => boolean) =>
      answers.all(entriesThat(includes), acceptLanguage ?? null),
    /** The titles and descriptions of the included lists. */
    findTitles: (acceptLanguage: string | undefined, includes: (list: string) => boolean) =>
      answers.titles(entriesThat(includes), acceptLanguage ?? null),
    get: (list: string): StoredList | undefined => entries.get(list)?.stored,
    all: () => [...entries.values()].map(({ stored }) => stored),
    getItem(list: string, value: string): KeptItem | undefined {
      const entry = entries.get(list);
      return entry && itemOf(entry, value);
    },
    today,
    reload,
    /** Prepares the lists whose items differ on the new day. Returns the day and these lists. */
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
    /** The lists whose items differ between two days because of their dates. */
    differingBetween: (day: string, otherDay: string) =>
      [...entries.values()]
        .filter((entry) => differsBetween(entry.stored.items, day, otherDay))
        .map(({ stored }) => stored),
  };
}

/** Replacing a list of at least this many items starts a garbage collection, which does not block requests. */
const longList = 5000;

function headersIn(language: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    // A browser may store it but must revalidate it before each use.
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Accept-Language',
    ...(language !== baseLanguage && { 'Content-Language': language }),
  };
}
