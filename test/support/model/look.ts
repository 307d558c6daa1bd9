// Asks the service a question and compares the answer with the model's.
import { expect } from 'bun:test';
import { bodyOf, expectHistory, expectKept, expectRefusal } from './answers.ts';
import { judge } from './judged.ts';
import { Refusal } from './list.ts';
import type { ListRole } from './operations.ts';
import { defined } from './sent.ts';
import { plainQuestion, type Question, type ShownItem, showList } from './shown.ts';
import type { ListView, View } from './views.ts';
import { type World, withoutId } from './world.ts';

export async function look(world: World, view: View): Promise<void> {
  switch (view.kind) {
    case 'list':
      return lookAtList(world, view);
    case 'all':
      return lookAtAll(world, view.wishes);
    case 'kept': {
      const name = world.nameOf(view.list);
      return expectKept(world, name, await world.service.send('admin', `/admin/lookups/${name}`));
    }
    case 'history': {
      const name = world.nameOf(view.list);
      return expectHistory(world, name, await world.service.send('admin', `/admin/lookups/${name}/history?limit=500`));
    }
    case 'export':
      return lookAtExport(world, view);
    case 'validate':
      return lookAtJudgement(world, view);
  }
}

type Served = ShownItem & { id: number };
type Of<K extends View['kind']> = Extract<View, { kind: K }>;

/** Most wanted first, each a little less than the one before. */
const acceptLanguage = (wishes: readonly string[]) =>
  wishes.map((tag, index) => `${tag};q=${(1 - index / 10).toFixed(1)}`).join(', ');

async function lookAtList(world: World, view: ListView): Promise<void> {
  const name = world.nameOf(view.list);
  const question = questionOf(world, view);
  const query = queryOf(question);
  const path = `/employee/${name}${query.size > 0 ? `?${query}` : ''}`;
  const headers = { 'accept-language': acceptLanguage(view.wishes) };
  const response = await world.service.send('guest', path, { headers });
  const list = world.lists.get(name);
  if (list === undefined) return expectRefusal(response, new Refusal('not-found'));
  if (question.where.some((pair) => !world.lists.has(pair[0]))) {
    return expectRefusal(response, new Refusal('invalid-request'));
  }
  const expected = showList(list, question, world.service.today());
  const items = await bodyOf<Served[]>(response);
  const members = ['id', 'label', 'value', 'sortOrder'];
  expect(items.map((item) => Object.keys(item).slice(0, 4))).toEqual(items.map(() => members));
  expect(items.map((item) => withoutId(world, name, item))).toEqual(expected.items);
  expect(response.headers.get('content-language')).toBe(expected.language);
  await expectTag(world, path, headers, response, JSON.stringify([items, expected.language]));
}

function questionOf(world: World, { asOf, where, ...view }: ListView): Question {
  const named = where?.map(([role, value]) => [role === 'nowhere' ? role : world.nameOf(role), value] as const);
  const day = asOf === undefined ? undefined : world.day(asOf);
  return { ...plainQuestion, ...defined({ ...view, where: named, day }) };
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

/** The tag names the answer: it is another one exactly when the answer is, and what it names is not sent again. */
async function expectTag(world: World, path: string, headers: object, { headers: answered }: Response, answer: string) {
  const etag = answered.get('etag') ?? '';
  const key = JSON.stringify([path, headers]);
  const before = world.tags.get(key);
  if (before !== undefined) expect([etag === before.etag, path]).toEqual([answer === before.answer, path]);
  world.tags.set(key, { etag, answer });
  const again = await world.service.send('guest', path, { headers: { ...headers, 'if-none-match': etag } });
  expect([again.status, again.headers.get('content-language')]).toEqual([304, answered.get('content-language')]);
}

async function lookAtAll(world: World, wishes: readonly string[]): Promise<void> {
  const headers = { 'accept-language': acceptLanguage(wishes) };
  const all = await bodyOf<Record<string, Served[]>>(await world.service.send('guest', '/lookups', { headers }));
  for (const name of [world.nameOf('country'), world.nameOf('city')]) {
    const list = world.lists.get(name);
    const expected = list && showList(list, { ...plainQuestion, wishes }, world.service.today()).items;
    expect(all[name]?.map((item) => withoutId(world, name, item))).toEqual(expected as ShownItem[]);
  }
}

/** A list as a file, planned again, changes nothing. */
async function lookAtExport(world: World, { list: role, format }: Of<'export'>): Promise<void> {
  const name = world.nameOf(role);
  const type = format === 'csv' ? 'text/csv' : 'application/yaml';
  const response = await world.service.send('admin', `/admin/lookups/${name}`, { headers: { accept: type } });
  if (!world.lists.has(name)) return expectRefusal(response, new Refusal('not-found'));
  expect(response.status).toBe(200);
  const again = { method: 'POST', headers: { 'content-type': type }, body: await response.text() };
  expect(await bodyOf<object>(await world.service.send('admin', '/admin/lookups/plan', again))).toEqual({
    changes: [],
  });
}

async function lookAtJudgement(world: World, { values, wishes }: Of<'validate'>): Promise<void> {
  const given = Object.entries(values).map(([role, some]) => [world.nameOf(role as ListRole), some] as const);
  const sent = Object.fromEntries(given);
  const response = await world.service.send('guest', '/lookups/validate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': acceptLanguage(wishes) },
    body: JSON.stringify(sent),
  });
  const { valid, results } = await bodyOf<{ valid: boolean; results: { retiredAt: string | null }[] }>(response);
  const expected = given.flatMap(([name, some]) => some.map((value) => judge(world, sent, name, value, wishes)));
  expect(results.map((result) => ({ ...result, retiredAt: result.retiredAt?.slice(0, 10) ?? null }))).toEqual(expected);
  expect(valid).toBe(expected.every(({ status }) => status === 'active'));
}
