// The status of a stored value: the first one that applies.
import { labelFor } from './languages.ts';
import { currentOf, type Item, type Items } from './list.ts';
import { isValidOn } from './past.ts';
import type { Person } from './people.ts';
import { mayRead } from './settings.ts';
import { itemFor, type World } from './world.ts';

/** The values in the request, by the name of their list. */
type Sent = Readonly<Record<string, readonly string[]>>;

export function judge(world: World, by: Person, sent: Sent, name: string, value: string, wishes: readonly string[]) {
  const nothing = { list: name, value, label: null, replacedBy: null, retiredAt: null };
  const { lists, service } = world;
  const list = lists.get(name);
  if (list === undefined) return { ...nothing, status: 'unknown-list' };
  const { items, ...settings } = currentOf(list);
  if (!mayRead(by, settings, service.readRoles)) return { ...nothing, status: 'forbidden' };
  const item = items[value];
  if (item === undefined) return { ...nothing, status: 'unknown' };
  const { label } = labelFor(item, wishes);
  const retiredAt = item.retiredAt?.slice(0, 10) ?? null;
  const finalOf = (other: string, each: string) => {
    const parent = lists.get(other);
    return parent === undefined ? each : finalValue(currentOf(parent).items, each);
  };
  const status = settings.archived ? 'archived' : statusOf(itemFor(world, by, item), service.today(), sent, finalOf);
  const final = finalValue(items, value);
  return { list: name, value, status, label, replacedBy: final === value ? null : final, retiredAt };
}

type FinalOf = (list: string, value: string) => string;

function statusOf(item: Item, today: string, sent: Sent, finalOf: FinalOf): string {
  if (item.status === 'retired') return 'retired';
  if (item.validFrom !== null && today < item.validFrom) return 'scheduled';
  if (!isValidOn(item, today)) return 'expired';
  return isWithParents(item, sent, finalOf) ? 'active' : 'not-with-parent';
}

/**
 * If the request has values for one of the item's parent lists, at least one of them must be a parent of the item. This
 * applies to each parent list.
 */
const isWithParents = ({ parents }: Item, sent: Sent, finalOf: FinalOf) =>
  Object.entries(parents).every(([list, values]) => {
    const given = sent[list] ?? [];
    const fitting = values.map((value) => finalOf(list, value));
    return given.length === 0 || given.some((each) => fitting.includes(finalOf(list, each)));
  });

/** The end of the chain of replacements; the value itself if it was not replaced. */
export function finalValue(items: Items, value: string): string {
  const replacedBy = items[value]?.replacedBy ?? null;
  return replacedBy === null ? value : finalValue(items, replacedBy);
}
