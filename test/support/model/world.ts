// The state of one run: its lists in the model, with names unique to this run, and the IDs and ETags from earlier answers.

import type { Content, Item, List } from './list.ts';
import type { ListRole } from './operations.ts';
import type { Person } from './people.ts';
import type { ModelledService } from './service.ts';
import { readableBy } from './settings.ts';

export interface World {
  service: ModelledService;
  /** The lists in the model, by name. */
  lists: Map<string, List>;
  nameOf(role: ListRole): string;
  /** The day this many days from today. */
  day(offset: number): string;
  /** The service's internal IDs, which never change, by list and value. */
  ids: Map<string, number>;
  /** The last ETag for each address and language, with its answer. */
  tags: Map<string, { etag: string; answer: string }>;
}

let runs = 0;

export function newWorld(service: ModelledService): World {
  const run = ++runs;
  return {
    service,
    lists: new Map(),
    nameOf: (role) => `${role}-${run}`,
    day: (offset) => new Date(Date.parse(service.today()) + offset * 86_400_000).toISOString().slice(0, 10),
    ids: new Map(),
    tags: new Map(),
  };
}

/** Removes the ID from an item of an answer, as the model has none. Asserts that the ID has never changed. */
export function withoutId<T extends { id: number; value: string }>(world: World, list: string, item: T): Omit<T, 'id'> {
  const { id, ...rest } = item;
  const key = `${list} ${item.value}`;
  const known = world.ids.get(key) ?? id;
  world.ids.set(key, known);
  if (known !== id) throw new Error(`the id of ${key} was ${known} and is ${id}`);
  return rest;
}

export const isReadable = ({ lists, service }: World, by: Person, list: string): boolean =>
  readableBy(by, lists.get(list), service.readRoles) !== undefined;

/** The item as this person sees it: without parents in lists that they may not read. */
export function itemFor<T extends Pick<Item, 'parents'>>(world: World, by: Person, item: T): T {
  const readable = Object.entries(item.parents).filter(([list]) => isReadable(world, by, list));
  return { ...item, parents: Object.fromEntries(readable) };
}

/** The list as this person sees it, in every version. */
export function listFor(world: World, by: Person, { name, versions }: List): List {
  const itemsFor = (items: List['versions'][number]['items']) =>
    Object.fromEntries(Object.entries(items).map(([value, item]) => [value, itemFor(world, by, item)]));
  return { name, versions: versions.map((version) => ({ ...version, items: itemsFor(version.items) })) };
}

/** How many active items of these lists name a value as a parent. */
export const countChildren = (contents: Iterable<Content>, list: string, value: string): number =>
  [...contents]
    .flatMap(({ items }) => Object.values(items))
    .filter(({ status, parents }) => status === 'active' && parents[list]?.includes(value)).length;
