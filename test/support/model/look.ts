// Asks the service a question and compares the answer with the model's.
import { expect } from 'bun:test';
import { bodyOf, expectHistory, expectKept, expectLastChanges, expectRefusal, keptList } from './answers.ts';
import { finalValue, judge } from './judged.ts';
import { labelFor } from './languages.ts';
import { attempt, currentOf, type List, Refusal, type Settings, settingsOf } from './list.ts';
import type { ListRole } from './operations.ts';
import { itemsOn } from './past.ts';
import type { Person } from './people.ts';
import { defined } from './sent.ts';
import { isKeeper, mayKeep, refuseReading } from './settings.ts';
import { plainQuestion, type Question, type ShownItem, showList } from './shown.ts';
import type { ListView, View } from './views.ts';
import { isReadable, listFor, type World, withoutId } from './world.ts';

export async function look(world: World, view: View): Promise<void> {
  switch (view.kind) {
    case 'list':
      return lookAtList(world, view);
    case 'all':
      return lookAtAll(world, view);
    case 'summaries':
      return lookAtSummaries(world, view.by);
    case 'kept': {
      const name = world.nameOf(view.list);
      const response = await world.service.send(view.by, `/admin/lookups/${name}`);
      return expectKept(world, name, response, { by: view.by });
    }
    case 'history': {
      const name = world.nameOf(view.list);
      const ask = (path: string) => world.service.send(view.by, `/admin/lookups/${name}/${path}`);
      await expectHistory(world, name, view.by, await ask('history?limit=500'));
      await expectLastChanges(world, name, view.by, await ask('last-changes'));
      // The second version if there is one, because it can have versions both before and after it.
      const version = Math.min(2, world.lists.get(name)?.versions.length ?? 1);
      return expectKept(world, name, await ask(`versions/${version}`), { by: view.by, version });
    }
    case 'export':
      return lookAtExport(world, view);
    case 'validate':
      return lookAtJudgement(world, view);
  }
}

/** The list, or the refusal that this person gets when reading it. */
function readableList(world: World, name: string, by: Person): List | Refusal {
  const list = world.lists.get(name);
  return attempt(() => {
    refuseReading(by, list && currentOf(list), world.service.readRoles);
    return list as List;
  });
}

type Served = ShownItem & { id: number };
type Of<K extends View['kind']> = Extract<View, { kind: K }>;

/** The preferred language first, each with a lower weight than the one before. */
const acceptLanguage = (wishes: readonly string[]) =>
  wishes.map((tag, index) => `${tag};q=${(1 - index / 10).toFixed(1)}`).join(', ');

async function lookAtList(world: World, view: ListView): Promise<void> {
  const name = world.nameOf(view.list);
  const question = questionOf(world, view);
  const query = queryOf(question);
  const path = `/employee/${name}${query.size > 0 ? `?${query}` : ''}`;
  const headers = { 'accept-language': acceptLanguage(view.wishes) };
  const response = await world.service.send(view.by, path, { headers });
  const list = readableList(world, name, view.by);
  if (list instanceof Refusal) return void (await expectRefusal(response, list));
  if (question.where.some((pair) => !isReadable(world, view.by, pair[0]))) {
    return void (await expectRefusal(response, new Refusal('invalid-request')));
  }
  const expected = showList(listFor(world, view.by, list), question, world.service.today());
  const items = await bodyOf<Served[]>(response);
  const members = ['id', 'label', 'value', 'sortOrder'];
  expect(items.map((item) => Object.keys(item).slice(0, 4))).toEqual(items.map(() => members));
  expect(items.map((item) => withoutId(world, name, item))).toEqual(expected.items);
  expect(response.headers.get('content-language')).toBe(expected.language);
  await expectTag(world, view.by, path, headers, response, JSON.stringify([items, expected.language]));
}

function questionOf(world: World, { asOf, where, ...view }: ListView): Question {
  const named = where?.map(([role, value]) => [role === 'nowhere' ? role : world.nameOf(role), value] as const);
  const day = asOf === undefined ? undefined : world.day(asOf);
  const today = world.service.today();
  const finalOf = (name: string, value: string) => {
    const list = world.lists.get(name);
    const items = list === undefined ? [] : itemsOn(list, day ?? today, today).map(({ item }) => item);
    return finalValue(Object.fromEntries(items.map((item) => [item.value, item])), value);
  };
  return { ...plainQuestion, finalOf, ...defined({ ...view, where: named, day }) };
}

function queryOf({ day, include, where, tags, code, q, limit, fields }: Question): URLSearchParams {
  const pairs = [
    ['asOf', day],
    ...include.map((value) => ['include', value]),
    ...where.map(([list, value]) => ['where', `${list}:${value}`]),
    ...tags.map((tag) => ['tag', tag]),
    ['code', code?.join(':')],
    ['q', q],
    ['limit', limit?.toString()],
    ['fields', fields.length > 0 ? fields.join() : undefined],
  ];
  return new URLSearchParams(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Asserts that the ETag changes exactly when the answer does, and that a request with the current ETag gets a 304. */
async function expectTag(
  world: World,
  by: Person,
  path: string,
  headers: object,
  { headers: answered }: Response,
  answer: string,
): Promise<void> {
  const etag = answered.get('etag') ?? '';
  const key = JSON.stringify([path, headers]);
  const before = world.tags.get(key);
  if (before !== undefined) expect([etag === before.etag, path]).toEqual([answer === before.answer, path]);
  world.tags.set(key, { etag, answer });
  const again = await world.service.send(by, path, { headers: { ...headers, 'if-none-match': etag } });
  expect([again.status, again.headers.get('content-language')]).toEqual([304, answered.get('content-language')]);
}

async function lookAtAll(world: World, { by, wishes }: Of<'all'>): Promise<void> {
  const headers = { 'accept-language': acceptLanguage(wishes) };
  const ask = <Answer>(path: string) => world.service.send(by, path, { headers }).then(bodyOf<Record<string, Answer>>);
  const all = await ask<Served[]>('/lookups');
  const titles = await ask<object>('/lookups/titles');
  for (const name of [world.nameOf('country'), world.nameOf('city')]) {
    const list = readableList(world, name, by);
    const items = all[name]?.map((item) => withoutId(world, name, item));
    const expected =
      list instanceof Refusal ? undefined : showList(list, { ...plainQuestion, wishes }, world.service.today()).items;
    expect(items).toEqual(expected as ShownItem[]);
    expect(titles[name]).toEqual(list instanceof Refusal ? undefined : shownTitle(currentOf(list), wishes));
  }
}

function shownTitle({ title, titles, description, descriptions }: Settings, wishes: readonly string[]) {
  return {
    title: labelFor({ label: title, labels: titles }, wishes).label,
    // A description is never empty text.
    description: labelFor({ label: description ?? '', labels: descriptions }, wishes).label || null,
  };
}

/** Compares the summaries of the lists that this person may change. */
async function lookAtSummaries(world: World, by: Person): Promise<void> {
  const response = await world.service.send(by, '/admin/lookups');
  if (!isKeeper(by)) return void (await expectRefusal(response, new Refusal('forbidden')));
  const all = await bodyOf<(Settings & { list: string; updatedAt: string })[]>(response);
  const own = all.flatMap(({ updatedAt, ...summary }) =>
    world.lists.has(summary.list) ? [{ ...summary, updatedAt: updatedAt.slice(0, 10) }] : [],
  );
  expect(own).toEqual(
    [...world.lists.values()]
      .filter((list) => mayKeep(by, currentOf(list)))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((list) => summaryOf(list, world.service.today())),
  );
}

function summaryOf(list: List, today: string) {
  const current = currentOf(list);
  const items = Object.values(current.items);
  const active = items.filter(({ status }) => status === 'active');
  const languages = [...new Set(active.flatMap(({ labels }) => Object.keys(labels)))];
  const version = list.versions.length;
  return {
    list: list.name,
    ...settingsOf(current),
    version,
    active: active.length,
    retired: items.length - active.length,
    scheduled: active.filter(({ validFrom }) => validFrom !== null && validFrom > today).length,
    translations: Object.fromEntries(
      languages.map((tag) => [tag, active.filter(({ labels }) => labels[tag] !== undefined).length]),
    ),
    updatedAt: current.day,
    updatedBy: list.versions.at(-1)?.by,
    updatedByName: null,
    // The summaries only have lists that the person may change.
    mayKeep: true,
  };
}

/** Asserts that an exported list, planned again, changes nothing. */
async function lookAtExport(world: World, { by, list: role, format }: Of<'export'>): Promise<void> {
  const name = world.nameOf(role);
  const type = format === 'csv' ? 'text/csv' : 'application/yaml';
  const response = await world.service.send(by, `/admin/lookups/${name}`, { headers: { accept: type } });
  const list = keptList(world, name, by);
  if (list instanceof Refusal) return void (await expectRefusal(response, list));
  expect(response.status).toBe(200);
  const again = { method: 'POST', headers: { 'content-type': type }, body: await response.text() };
  expect(await bodyOf<object>(await world.service.send(by, '/admin/lookups/plan', again))).toEqual({
    changes: [],
    counts: {},
  });
}

async function lookAtJudgement(world: World, { by, values, wishes }: Of<'validate'>): Promise<void> {
  const given = Object.entries(values).map(([role, some]) => [world.nameOf(role as ListRole), some] as const);
  const sent = Object.fromEntries(given);
  const response = await world.service.send(by, '/lookups/validate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': acceptLanguage(wishes) },
    body: JSON.stringify(sent),
  });
  const { valid, results } = await bodyOf<{ valid: boolean; results: { retiredAt: string | null }[] }>(response);
  const expected = given.flatMap(([name, some]) => some.map((value) => judge(world, by, sent, name, value, wishes)));
  expect(results.map((result) => ({ ...result, retiredAt: result.retiredAt?.slice(0, 10) ?? null }))).toEqual(expected);
  expect(valid).toBe(expected.every(({ status }) => status === 'active'));
}
