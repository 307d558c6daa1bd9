// Random changes of a list beside a model of it: state, order in several languages, and history stay the same.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type Item, listKeeping } from '../support/lists.ts';

let desk: Frontdesk;
let token: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  token = await desk.signIn();
});
afterAll(() => desk.stop());

interface ModelItem {
  label: string;
  labels: Record<string, string>;
  sortOrder: number;
  isRetired: boolean;
}
type Model = Record<string, ModelItem>;

const values = ['A', 'B', 'C', 'D', 'E', 'F'];
const labels = ['Öl', 'Zug', 'ähre', 'Ähre', 'alpha', 'Alpha', 'éclair', 'Zebra', 'ångström', '名前', 'x'];
const tags = ['de', 'de-CH', 'sv'];

/** The same numbers in every run: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of the same language, the nearest first. */
const tried: Record<string, string[]> = { de: ['de', 'de-CH'], 'de-CH': ['de-CH', 'de'], sv: ['sv'] };
const labelIn = ({ label, labels: own }: ModelItem, language: string) =>
  own[(tried[language] ?? []).find((tag) => own[tag] !== undefined) ?? ''] ?? label;

function inOrder(model: Model, language: string): string[] {
  const { compare } = new Intl.Collator(language);
  const entries = Object.entries(model).sort(
    ([a, one], [b, other]) =>
      one.sortOrder - other.sortOrder || compare(labelIn(one, language), labelIn(other, language)) || (a < b ? -1 : 1),
  );
  return entries.map(([value]) => value);
}

const merged = (before: Record<string, string>, changes: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry) => entry[1] !== null),
  ) as ModelItem['labels'];

const modelOf = (items: Item[]): Model =>
  Object.fromEntries(
    items.map(({ value, label, labels: own, sortOrder, status }) => [
      value,
      { label, labels: own, sortOrder, isRetired: status === 'retired' },
    ]),
  );

test.each([1, 2])('sixty random changes, seed %d', async (seed) => {
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const keeping = listKeeping(desk, token);
  const list = `model-${seed}`;
  let model: Model = {};
  const versions: Model[] = [];
  const labelChanges = () =>
    Object.fromEntries(tags.flatMap((tag) => (next() < 0.5 ? [[tag, next() < 0.3 ? null : pick(labels)]] : [])));
  await keeping.apply(list, []);
  versions.push({});

  for (let count = 0; count < 60; count++) {
    const [value, label, sortOrder] = [pick(values), pick(labels), pick([0, 10, 10])];
    const known = model[value];
    const after = structuredClone(model);
    let undone: number | undefined;
    const kind =
      known === undefined ? 'document' : pick(['patch', 'retire', 'restore', 'order', 'undo', 'document'] as const);
    if (kind === 'document') {
      const changes = labelChanges();
      after[value] = { isRetired: false, ...known, label, sortOrder, labels: merged(known?.labels ?? {}, changes) };
      await keeping.apply(list, [{ value, label, sortOrder, labels: changes }]);
    } else if (kind === 'patch') {
      const changes = labelChanges();
      after[value] = { ...(known as ModelItem), label, labels: merged(known?.labels ?? {}, changes) };
      await keeping.change('PATCH', list, `/items/${value}`, { label, labels: changes });
    } else if (kind === 'order') {
      const active = Object.keys(model)
        .filter((each) => !model[each]?.isRetired)
        .sort(() => next() - 0.5);
      for (const [index, each] of active.entries()) (after[each] as ModelItem).sortOrder = (index + 1) * 10;
      await keeping.change('PUT', list, '/order', { values: active });
    } else if (kind === 'undo') {
      undone = 1 + Math.floor(next() * versions.length);
      const old = structuredClone(versions[undone - 1] as Model);
      for (const [each, item] of Object.entries(model)) after[each] = old[each] ?? { ...item, isRetired: true };
      await keeping.change('POST', list, '/undo', { version: undone });
    } else {
      (after[value] as ModelItem).isRetired = kind === 'retire';
      await keeping.change('POST', list, `/items/${value}/${kind}`, {});
    }
    const { version, items } = await keeping.read(list);
    if (version > versions.length) {
      versions.push(after);
      const [newest] = await keeping.history(list, '?limit=1');
      expect([newest?.version, newest?.restoredVersion]).toEqual([version, undone]);
    } else {
      expect(after).toEqual(model);
    }
    model = after;
    expect([count, kind, version, modelOf(items)]).toEqual([count, kind, versions.length, model]);
    expect(items.map((item) => item.value)).toEqual(inOrder(model, 'en'));
  }

  for (const language of ['en', 'de', 'de-CH', 'sv']) {
    const active: Model = Object.fromEntries(Object.entries(model).filter(([, { isRetired }]) => !isRetired));
    const response = await desk.get(`/employee/${list}`, { ...bearer(token), 'accept-language': language });
    const shown = ((await response.json()) as Item[]).map(({ value, label }) => [value, label]);
    // Without any translation in it, the answer is the plain one.
    const isTranslated = Object.values(active).some((item) =>
      tried[language]?.some((tag) => item.labels[tag] !== undefined),
    );
    const expected = inOrder(active, isTranslated ? language : 'en').map((value) => [
      value,
      labelIn(active[value] as ModelItem, language),
    ]);
    expect([language, shown]).toEqual([language, expected]);
  }
  // Forward from nothing, the history makes the list.
  const replayed: Model = {};
  for (const { changes } of (await keeping.history(list, '?limit=500')).reverse()) {
    for (const { after } of changes) Object.assign(replayed, modelOf(after === null ? [] : [after]));
  }
  expect(replayed).toEqual(model);
});
