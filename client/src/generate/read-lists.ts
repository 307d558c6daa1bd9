// Reads the lists with their retired values, as far as the caller may read them.
import { type Frontdesk, FrontdeskError, type LookupItem, type ValidateResult } from '../index.ts';
import { CommandError } from './arguments.ts';

export interface ListedValue {
  value: string;
  label: string;
  sortOrder: number;
  /** Retired or expired: it may be stored in records, but cannot be chosen. */
  isOver: boolean;
  /** The final replacement: a value that was not replaced itself. */
  replacedBy: string | null;
}

export interface ListedValues {
  list: string;
  values: ListedValue[];
}

/** Maximum number of values in `include`. */
const maxIncluded = 100;

/**
 * A caller who may read a list gets the values that may be chosen today. Other values must be requested by name. The names
 * come from `known`, and from the administration of the lists if the caller may read it.
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

/** Leaves out values that the list has never had. */
async function readOthers(frontdesk: Frontdesk, list: string, values: readonly string[]): Promise<ListedValue[]> {
  const verdicts = await judge(frontdesk, new Map([[list, values]]));
  const found = verdicts.filter(({ label }) => label !== null);
  const items = new Map<string, LookupItem>();
  for (const part of chunk(found, maxIncluded)) {
    const answer = await frontdesk.lookup(list, { include: part.map(({ value }) => value) });
    for (const item of checkItems(answer)) items.set(item.value, item);
  }
  return found.flatMap((verdict) => {
    const item = items.get(verdict.value);
    return item === undefined ? [] : { ...asActive(item), isOver: isOver(verdict), replacedBy: verdict.replacedBy };
  });
}

/** Every value that the list has ever had; none if the caller may not read them. */
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

export const notFrontdesk = () => new CommandError('failure', 'The answer is not from Frontdesk.');

/** Names of lists and values become code, so an answer with a different shape is refused. */
function checkItems(items: unknown): LookupItem[] {
  const isItem = (item: Partial<LookupItem> | null) =>
    typeof item?.value === 'string' && typeof item.label === 'string' && typeof item.sortOrder === 'number';
  if (Array.isArray(items) && items.every(isItem)) return items as LookupItem[];
  throw notFrontdesk();
}

function inListOrder(a: ListedValue, b: ListedValue): number {
  return a.sortOrder - b.sortOrder || compare(a.label, b.label) || compare(a.value, b.value);
}

/** Gives the same order on every machine, whatever its locale. */
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

type Verdict = ValidateResult['results'][number];

/** Maximum number of values for POST /lookups/validate. */
const maxJudged = 1000;

/** Whether a value can no longer be chosen. A scheduled value is not over. */
export const isOver = ({ status }: Verdict) => status === 'retired' || status === 'expired';

/** Returns a verdict on each value, as of today. `values` may contain any number of values for each list. */
export async function judge(frontdesk: Frontdesk, values: ReadonlyMap<string, readonly string[]>): Promise<Verdict[]> {
  const pairs = [...values].flatMap(([list, names]) => names.map((value) => ({ list, value })));
  const verdicts: Verdict[] = [];
  for (const part of chunk(pairs, maxJudged)) {
    const byList: Record<string, string[]> = {};
    for (const { list, value } of part) {
      byList[list] ??= [];
      byList[list].push(value);
    }
    verdicts.push(...(await frontdesk.validate(byList)).results);
  }
  return verdicts;
}

function chunk<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
