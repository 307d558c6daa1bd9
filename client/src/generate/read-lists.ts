// The lists with their retired values, as far as whoever asks may know them.
import { type Frontdesk, FrontdeskError, type LookupItem } from '../index.ts';
import { CommandError } from './command-error.ts';
import { chunk, isOver, judge } from './judge.ts';

export interface ListedValue {
  value: string;
  label: string;
  sortOrder: number;
  /** Retired or expired: it is stored in records, and cannot be chosen. */
  isOver: boolean;
  /** In the end, by a value that was not replaced. */
  replacedBy: string | null;
}

export interface ListedValues {
  list: string;
  values: ListedValue[];
}

/** What `include` takes at once. */
const mostIncluded = 100;

/**
 * Everybody gets the values that may be chosen today; a value that is over is found by its name. The names are those
 * that were `known` before, and where the administration of the lists may be read, all.
 */
export async function readLists(
  frontdesk: Frontdesk,
  known: ReadonlyMap<string, readonly string[]>,
): Promise<ListedValues[]> {
  const current = Object.entries((await frontdesk.lookups()) ?? {});
  const lists: ListedValues[] = [];
  for (const [list, items] of current) {
    const active = checkItems(items);
    const offered = new Set(active.map(({ value }) => value));
    const named = new Set([...(known.get(list) ?? []), ...(await readKeptValues(frontdesk, list))]);
    const others = [...named].filter((value) => !offered.has(value));
    const values = [...active.map(asActive), ...(await readOthers(frontdesk, list, others))];
    lists.push({ list, values: values.sort(inListOrder) });
  }
  return lists.sort((a, b) => compare(a.list, b.list));
}

const asActive = ({ value, label, sortOrder }: LookupItem): ListedValue => ({
  value,
  label,
  sortOrder,
  isOver: false,
  replacedBy: null,
});

/** Nothing of the values that the list has never had. */
async function readOthers(frontdesk: Frontdesk, list: string, values: readonly string[]): Promise<ListedValue[]> {
  const verdicts = await judge(frontdesk, new Map([[list, values]]));
  const found = verdicts.filter(({ label }) => label !== null);
  const items = new Map<string, LookupItem>();
  for (const part of chunk(found, mostIncluded)) {
    const answer = await frontdesk.lookup(list, { include: part.map(({ value }) => value) });
    for (const item of checkItems(answer)) items.set(item.value, item);
  }
  return found.flatMap((verdict) => {
    const item = items.get(verdict.value);
    return item === undefined ? [] : { ...asActive(item), isOver: isOver(verdict), replacedBy: verdict.replacedBy };
  });
}

/** Every value the list has had; none for those who may not read that. */
async function readKeptValues(frontdesk: Frontdesk, list: string): Promise<string[]> {
  try {
    const response = await frontdesk.request(`/admin/lookups/${encodeURIComponent(list)}`);
    const { items } = ((await response.json()) ?? {}) as { items?: unknown };
    return checkItems(items).map(({ value }) => value);
  } catch (error) {
    if (error instanceof FrontdeskError && error.status === 403) return [];
    throw error;
  }
}

export const notFrontdesk = () => new CommandError('failure', 'The answer is not that of Frontdesk.');

/** Names of lists and values become code: an answer of another shape is not taken. */
function checkItems(items: unknown): LookupItem[] {
  const isItem = (item: Partial<LookupItem> | null) =>
    typeof item?.value === 'string' && typeof item.label === 'string' && typeof item.sortOrder === 'number';
  if (Array.isArray(items) && items.every(isItem)) return items as LookupItem[];
  throw notFrontdesk();
}

function inListOrder(a: ListedValue, b: ListedValue): number {
  return a.sortOrder - b.sortOrder || compare(a.label, b.label) || compare(a.value, b.value);
}

/** The same on every machine, whatever its language. */
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
