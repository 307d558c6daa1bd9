// Lists as they were at the end of a day that is over, from their history. Everything it takes is read once and kept
// within bounds, and one list is put together at a time: any number of days costs bounded memory.
import { RecentMap } from '../../base/recent-map.ts';
import type { Db } from '../../storage/storage.ts';
import type { ItemState } from '../changing/change.ts';
import { createTurns } from '../in-turn.ts';
import type { StoredList } from '../lookup.queries.ts';
import type { KeptItem } from '../lookup-admin.schema.ts';
import { Pauses } from '../pauses.ts';
import { KeptOnRequest } from './kept-on-request.ts';
import { type ListState, stateKey, stateOf } from './list-state.ts';
import { readChangeTexts, readVersionSizes } from './past.queries.ts';
import { addBefore, type PastChange, parsePastChanges } from './past-changes.ts';
import {
  addVersions,
  type HistoryPart,
  noVersions,
  partsBetween,
  type VersionDays,
  versionOn,
} from './version-days.ts';

export interface PastLists {
  /** At once where it was asked for before. */
  stateOn(present: StoredList, day: string): ListState | Promise<ListState>;
}

/** At most twice as much of each. */
const keptBytes = { days: 4 * 1024 * 1024, changes: 16 * 1024 * 1024, states: 16 * 1024 * 1024 };
/** What an object takes beside its text. */
const objectBytes = 500;

export function createPastLists(db: Db): PastLists {
  const inTurn = createTurns();
  const days = new RecentMap<VersionDays>(keptBytes.days, (known) => known.days.length * 50 + objectBytes);
  const changes = new KeptOnRequest<PastChange[]>(keptBytes.changes, (part) => part.length * objectBytes);
  const states = new KeptOnRequest<ListState>(keptBytes.states, ({ items }) => items.length * 100 + objectBytes);

  async function daysOf({ list, version }: StoredList): Promise<VersionDays> {
    const pauses = new Pauses();
    let known = days.get(list) ?? noVersions;
    while (known.upTo < version) {
      const added = await readVersionSizes(db, list, known.upTo, version);
      if (added.length === 0) throw new Error(`the history of ${list} ends before version ${version}`);
      known = addVersions(known, added);
      await pauses.ifDue();
    }
    days.set(list, known);
    return known;
  }

  function changesOf(list: string, { first, last }: HistoryPart, pauses: Pauses) {
    return changes.getOrMake(`${list} ${first} ${last}`, async () => {
      const parsed: PastChange[] = [];
      for (const { version, changes: text } of await readChangeTexts(db, list, first, last)) {
        for (const change of await parsePastChanges(version, text, pauses)) parsed.push(change);
      }
      return parsed;
    });
  }

  async function stateAt(present: StoredList, version: number, known: VersionDays): Promise<ListState> {
    const pauses = new Pauses();
    const before = new Map<string, ItemState | null>();
    for (const part of partsBetween(known, version, present.version)) {
      addBefore(before, await changesOf(present.list, part, pauses), version);
      await pauses.ifDue();
    }
    const items = await pauses.map(present.items, (item): KeptItem => {
      const past = before.get(item.value);
      return past ? { id: item.id, ...past } : item;
    });
    const later = [...before].filter(([, past]) => past === null).map(([value]) => value);
    return stateOf(stateKey(present, version), items, pauses, new Set(later));
  }

  function keptState(present: StoredList, day: string, known: VersionDays): ListState | Promise<ListState> {
    // Another request may know of a newer version than this one began with.
    const version = Math.min(versionOn(known, day), present.version);
    return states.getOrMake(stateKey(present, version), () => inTurn(() => stateAt(present, version, known)));
  }

  return {
    stateOn(present, day) {
      const known = days.get(present.list);
      if (known !== undefined && known.upTo >= present.version) return keptState(present, day, known);
      return inTurn(() => daysOf(present)).then((all) => keptState(present, day, all));
    },
  };
}
