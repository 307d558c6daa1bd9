// What the service answered, compared with what the model says.
import { expect } from 'bun:test';
import { attempt, currentOf, historyOf, type Item, type List, Refusal, type Settings, settingsOf } from './list.ts';
import type { Person } from './people.ts';
import { refuseKeeping } from './settings.ts';
import { keptItems } from './shown.ts';
import { type World, withoutId } from './world.ts';

export async function expectRefusal(response: Response, { status, code }: Refusal): Promise<void> {
  const problem = (await response.json()) as { type?: string; errors?: unknown };
  const hasErrors = code === 'invalid-request' || code === 'already-exists';
  expect({ status: response.status, code: problem.type?.split('/problems/')[1], errors: problem.errors }).toEqual({
    status,
    code,
    errors: hasErrors ? expect.any(Array) : undefined,
  });
}

/** The body of an answer that must have this status. */
export async function bodyOf<T>(response: Response, status = 200): Promise<T> {
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toEqual({ status, body: expect.anything() });
  return body as T;
}

/** The list, for those who keep it. */
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

/** Everything about a list, as those get it who keep it. */
export async function expectKept(
  world: World,
  name: string,
  response: Response,
  { by = 'admin', status = 200 }: { by?: Person; status?: number } = {},
): Promise<void> {
  const list = keptList(world, name, by);
  if (list instanceof Refusal) return expectRefusal(response, list);
  const { items, ...answer } = await bodyOf<KeptList>(response, status);
  const version = list.versions.length;
  expect(response.headers.get('etag')).toBe(`"${version}"`);
  expect(answer).toEqual({ list: name, ...settingsOf(currentOf(list)), version });
  expect(items.map((item) => dayOnly(withoutId(world, name, item)))).toEqual(keptItems(list));
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
}

export async function expectHistory(world: World, name: string, by: Person, response: Response): Promise<void> {
  const list = keptList(world, name, by);
  if (list instanceof Refusal) return expectRefusal(response, list);
  const steps = (await bodyOf<Step[]>(response)).map(({ at, changes, ...step }) => ({
    ...step,
    day: at.slice(0, 10),
    changes: inModelOrder(changes),
  }));
  expect(steps).toEqual(historyOf(list) as object[] as typeof steps);
}

/** The changes of a plan, or of a version. Their order is not said: here they are sorted. */
export function inModelOrder(changes: readonly Change[]): Change[] {
  const key = ({ list = '', value }: Change) => `${list} ${value ?? ''}`;
  return changes
    .map(({ before, after, ...change }) => ({ ...change, before: dayOnly(before), after: dayOnly(after) }))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Of a time, the day. */
function dayOnly<T extends object | null>(state: T): T {
  if (state === null || !('retiredAt' in state) || typeof state.retiredAt !== 'string') return state;
  return { ...state, retiredAt: state.retiredAt.slice(0, 10) };
}
