// Compares the service's answers with the model.
import { expect } from 'bun:test';
import { attempt, currentOf, historyOf, type Item, type List, Refusal, type Settings, settingsOf } from './list.ts';
import type { Person } from './people.ts';
import { refuseKeeping } from './settings.ts';
import { keptItems } from './shown.ts';
import { itemFor, listFor, type World, withoutId } from './world.ts';

interface ProblemAnswer {
  type?: string;
  errors?: unknown;
  /** The following members are set only for a conflict. */
  list?: string;
  version?: number;
  changes?: Step[];
}

export async function expectRefusal(response: Response, { status, code }: Refusal): Promise<ProblemAnswer> {
  const problem = (await response.json()) as ProblemAnswer;
  const hasErrors = code === 'invalid-request' || code === 'already-exists';
  expect({ status: response.status, code: problem.type?.split('/problems/')[1], errors: problem.errors }).toEqual({
    status,
    code,
    errors: hasErrors ? expect.any(Array) : undefined,
  });
  return problem;
}

/** Returns the body of an answer that must have this status. */
export async function bodyOf<T>(response: Response, status = 200): Promise<T> {
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toEqual({ status, body: expect.anything() });
  return body as T;
}

/** The list if this person may change it; otherwise, the refusal. */
export function keptList(world: World, name: string, by: Person): List | Refusal {
  const list = world.lists.get(name);
  return attempt(() => {
    refuseKeeping(by, list && currentOf(list));
    return list as List;
  });
}

interface KeptList extends Settings {
  list: string;
  version: number;
  items: (Item & { id: number })[];
}

/** Asserts that the answer is the whole list as its keepers get it: the current version, or an earlier one. */
export async function expectKept(
  world: World,
  name: string,
  response: Response,
  {
    by = 'admin',
    status = 200,
    version: at,
    more = {},
  }: { by?: Person; status?: number; version?: number; more?: object } = {},
): Promise<void> {
  const present = keptList(world, name, by);
  if (present instanceof Refusal) return void (await expectRefusal(response, present));
  const list = listFor(world, by, { ...present, versions: present.versions.slice(0, at) });
  const { items, ...answer } = await bodyOf<KeptList>(response, status);
  const version = list.versions.length;
  expect(response.headers.get('etag')).toBe(`"${version}"`);
  expect(answer).toEqual({ list: name, ...settingsOf(currentOf(list)), version, ...more });
  expect(items.map((item) => dayOnly(withoutId(world, name, item)))).toEqual(keptItems(list).map(dayOnly));
}

interface Change {
  list?: string;
  value: string | null;
  before: object | null;
  after: object | null;
}

interface Step {
  version: number;
  at: string;
  changes: Change[];
  laterChange?: { version: number; at: string; by: string; byName: string | null; change: Change };
}

/** Asserts that the answer is the list's history, and that each step names the newest later change to the same value or setting. */
export async function expectHistory(world: World, name: string, by: Person, response: Response): Promise<void> {
  const list = keptList(world, name, by);
  if (list instanceof Refusal) return void (await expectRefusal(response, list));
  const steps = await bodyOf<Step[]>(response);
  expect(asModelled(steps.map(({ laterChange, ...step }) => step))).toEqual(historyFor(world, by, list));
  const history = historyOf(list);
  for (const [index, { changes }] of history.entries()) {
    const touched = new Set(changes.flatMap(keysOf));
    const isTouched = (change: Change) => keysOf(change).some((key) => touched.has(key));
    const later = history.slice(0, index).find((step) => step.changes.some(isTouched));
    const named = steps[index]?.laterChange;
    expect(named?.version).toBe(later?.version);
    if (named === undefined || later === undefined) continue;
    expect([named.at.slice(0, 10), named.by, named.byName]).toEqual([later.day, later.by, null]);
    const possible: unknown[] = changesFor(world, by, later.changes.filter(isTouched));
    expect(possible).toContainEqual(inModelOrder([named.change])[0]);
  }
}

/**
 * The value that a change is about, and whether the change is only a new order. For settings, each one that changed, except
 * those that an undo does not restore.
 */
function keysOf(change: Change): string[] {
  if (change.value !== null) return [`${change.value} ${isOrder(change)}`];
  const names = Object.keys(change.after ?? {});
  return names.filter((name) => !['readers', 'keepers', 'archived'].includes(name)).map((name) => `null ${name}`);
}

function isOrder({ before, after }: Change): boolean {
  return before !== null && Bun.deepEquals({ ...before, sortOrder: 0 }, { ...after, sortOrder: 0 });
}

/** Asserts that the answer has, for each value, the last version that changed more than its order. */
export async function expectLastChanges(world: World, name: string, by: Person, response: Response): Promise<void> {
  const list = keptList(world, name, by);
  if (list instanceof Refusal) return void (await expectRefusal(response, list));
  const last: Record<string, number> = {};
  for (const { version, changes } of historyOf(list).reverse()) {
    for (const change of changes) if (change.value !== null && !isOrder(change)) last[change.value] = version;
  }
  const { versions, values } = await bodyOf<{ versions: Step[]; values: object }>(response);
  expect(values).toEqual(last);
  const numbers = [...new Set(Object.values(last))].sort((a, b) => b - a);
  expect(versions.map(({ version }) => version)).toEqual(numbers);
}

/** Asserts that a person who has seen an older version is told what has changed since. */
export function expectConflict(world: World, by: Person, list: List, seen: number, problem: ProblemAnswer): void {
  const current = list.versions.length;
  expect([problem.list, problem.version]).toEqual([list.name, current]);
  expect(asModelled(problem.changes ?? [])).toEqual(historyFor(world, by, list).slice(0, current - seen));
}

const historyFor = (world: World, by: Person, list: List) =>
  historyOf(list).map((step) => ({ ...step, changes: changesFor(world, by, step.changes) }));

/** The changes as this person sees them. If only hidden parents changed, `before` and `after` are equal. */
export function changesFor<C extends { before: object | null; after: object | null }>(
  world: World,
  by: Person,
  changes: readonly C[],
): C[] {
  const seen = <T extends object | null>(state: T): T =>
    state !== null && 'parents' in state ? dayOnly(itemFor(world, by, state as T & Pick<Item, 'parents'>)) : state;
  return changes.map((change) => ({ ...change, before: seen(change.before), after: seen(change.after) }));
}

const asModelled = (steps: readonly Step[]): unknown[] =>
  steps.map(({ at, changes, ...step }) => ({ ...step, day: at.slice(0, 10), changes: inModelOrder(changes) }));

/** The changes of a plan or a version. Their order is not defined, so they are sorted here. */
export function inModelOrder(changes: readonly Change[]): Change[] {
  const key = ({ list = '', value }: Change) => `${list} ${value ?? ''}`;
  return changes
    .map(({ before, after, ...change }) => ({ ...change, before: dayOnly(before), after: dayOnly(after) }))
    .sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}

/** Shortens a time to the day. */
function dayOnly<T extends object | null>(state: T): T {
  if (state === null || !('retiredAt' in state) || typeof state.retiredAt !== 'string') return state;
  return { ...state, retiredAt: state.retiredAt.slice(0, 10) };
}
