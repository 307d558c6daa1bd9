// Lists as they were at the end of a day that is over, from their history. What was put together is kept within bounds, and
// one list is put together at a time: any number of days costs bounded memory.

import { createTurns } from '../../base/in-turn.ts';
import { KeptOnRequest } from '../../base/kept-on-request.ts';
import { Pauses } from '../../base/pauses.ts';
import type { Db } from '../../storage/storage.ts';
import { findVersionOn, readPast } from '../history/history.queries.ts';
import type { KeptItem } from '../rules/item.ts';
import type { StoredList } from '../stored/list.queries.ts';
import { type ListState, stateKey, stateOf } from './list-state.ts';

export interface PastLists {
  /** At once where it was asked for before. */
  stateOn(present: StoredList, day: string): ListState | Promise<ListState>;
}

/** At most twice as much of each. */
const keptBytes = { days: 4 * 1024 * 1024, states: 16 * 1024 * 1024 };
/** What an object takes beside its text. */
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
          // The list may have gone on since this request began.
          return { version: Math.min(await findVersionOn(db, list, day), version) };
        }),
      );
      if (!(known instanceof Promise)) return keptState(present, known.version);
      return known.then((found) => keptState(present, found.version));
    },
  };
}
