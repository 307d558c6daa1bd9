// Lists as they were at the end of a past day, rebuilt from their history. They are rebuilt one at a time and the cache is
// bounded, so that requests for many days do not take much memory.

import { KeptOnRequest } from '../../base/kept-on-request.ts';
import { createTurns } from '../../base/one-at-a-time.ts';
import { Pauses } from '../../base/pauses.ts';
import type { Db } from '../../storage/storage.ts';
import { findVersionOn, readPast } from '../history/history.queries.ts';
import type { KeptItem } from '../rules/item.ts';
import type { StoredList } from '../stored/list.queries.ts';
import { type ListState, stateKey, stateOf } from './list-state.ts';

export interface PastLists {
  /** Returns a cached state at once, and otherwise a promise. */
  stateOn(present: StoredList, day: string): ListState | Promise<ListState>;
}

/** Each cache takes at most twice this amount. */
const keptBytes = { days: 4 * 1024 * 1024, states: 16 * 1024 * 1024 };
/** The memory that an entry takes in addition to its items. */
const objectBytes = 500;

export function createPastLists(db: Db): PastLists {
  const inTurn = createTurns();
  /** The version at the end of a day. */
  const versions = new KeptOnRequest<{ version: number }>(keptBytes.days, () => objectBytes);
  const states = new KeptOnRequest<ListState>(keptBytes.states, ({ items }) => items.length * 100 + objectBytes);

  async function stateAt(present: StoredList, version: number): Promise<ListState> {
    const pauses = new Pauses();
    const { items: before } = await readPast(db, present.list, version);
    const items = await pauses.map(present.items, (item): KeptItem => {
      const past = before.get(item.value);
      return past ? { id: item.id, ...past } : item;
    });
    const later = [...before].filter(([, past]) => past === null).map(([value]) => value);
    return stateOf(stateKey(present, version), items, pauses, new Set(later));
  }

  const keptState = (present: StoredList, version: number) =>
    states.getOrMake(stateKey(present, version), () => inTurn(() => stateAt(present, version)));

  return {
    stateOn(present, day) {
      const { list, version, updatedAt } = present;
      const known = versions.getOrMake(`${list} ${version} ${updatedAt} ${day}`, () =>
        inTurn(async () => {
          // The list may have changed since this request began.
          return { version: Math.min(await findVersionOn(db, list, day), version) };
        }),
      );
      if (!(known instanceof Promise)) return keptState(present, known.version);
      return known.then((found) => keptState(present, found.version));
    },
  };
}
