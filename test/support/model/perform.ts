// Performs an operation in the service and in the model, and compares the results.
import { expectConflict, expectKept, expectRefusal } from './answers.ts';
import {
  addItem,
  changeItem,
  keptReason,
  type NewItem,
  orderItems,
  refuseUnreadableParents,
  refuseWrongParents,
  restoreItem,
  retireItem,
  undo,
} from './item-changes.ts';
import { attempt, type Content, currentOf, type List, newContent, Refusal, withVersion } from './list.ts';
import type { CreateOperation, ListChange, Operation } from './operations.ts';
import { authorOf, type Person } from './people.ts';
import { applyDocument } from './perform-document.ts';
import { orderSent, resolveDetails, undoSent, versionSent } from './sent.ts';
import { readableBy, refuseKeeping, refuseRights, removesTranslation, withSettings } from './settings.ts';
import { countChildren, type World } from './world.ts';

export async function perform(world: World, operation: Operation): Promise<void> {
  if (operation.kind === 'next-day') await world.service.nextDay();
  else if (operation.kind === 'restart') await world.service.restart();
  else if (operation.kind === 'create') await createList(world, operation);
  else if (operation.kind === 'document') await applyDocument(world, operation);
  else await changeList(world, operation);
}

async function createList(world: World, { by, list: role, title, settings }: CreateOperation): Promise<void> {
  const name = world.nameOf(role);
  const body = { title, ...settings, list: name };
  const response = await send(world, by, { method: 'POST', path: '', body });
  const outcome = attempt(() => {
    if (by !== 'admin') throw new Refusal('forbidden');
    if (removesTranslation(settings)) throw new Refusal('invalid-request');
    if (world.lists.has(name)) throw new Refusal('already-exists');
    const content = withSettings(newContent(title), settings);
    return { name, versions: [{ ...content, day: world.service.today(), by: authorOf(by), reason: null }] };
  });
  await settle(world, by, name, response, outcome, { status: 201 });
}

async function changeList(world: World, operation: ListChange): Promise<void> {
  const { by } = operation;
  const name = world.nameOf(operation.list);
  const list = world.lists.get(name);
  const version = versionSent(operation.seen, list);
  const { path, method, ...sent } = requestOf(world, operation, list);
  const body = { ...sent.body, reason: operation.reason };
  const response = await send(world, by, { method, path: `/${name}${path}`, body, version });
  const outcome = attempt(() => {
    refuseKeeping(by, list && currentOf(list));
    if (list === undefined) throw new Refusal('not-found');
    if (version === undefined) throw new Refusal('version-required');
    if (isWrongByItself(operation, list)) throw new Refusal('invalid-request');
    if (version !== list.versions.length) throw new Refusal('version-conflict');
    const author = { day: world.service.today(), by: authorOf(by), reason: keptReason(operation.reason) };
    const restored = operation.kind === 'undo' ? { restoredVersion: undoSent(operation, list) } : {};
    const after = contentAfter(world, operation, list);
    refuseRights(by, currentOf(list), after);
    // An undo restores everything, including parents in lists that this person may not read.
    const reader = operation.kind === 'undo' ? 'admin' : by;
    const itemsOf = (other: string) => readableBy(reader, world.lists.get(other), world.service.readRoles)?.items;
    const sent =
      operation.kind === 'add' || operation.kind === 'patch' ? [resolveDetails(world, operation.details)] : [];
    refuseUnreadableParents(sent, itemsOf);
    refuseWrongParents(name, { before: currentOf(list), after }, itemsOf);
    return withVersion(list, after, { ...author, ...restored });
  });
  const contents = [...world.lists.values()].map(currentOf);
  await settle(world, by, name, response, outcome, {
    status: operation.kind === 'add' ? 201 : 200,
    seen: version,
    ...(operation.kind === 'retire' && { more: { children: countChildren(contents, name, operation.value) } }),
  });
}

/** Whether the operation is refused before its effect on the list is considered. */
function isWrongByItself(operation: ListChange, list: List): boolean {
  if (operation.kind === 'undo') return undoSent(operation, list) < 1;
  if (operation.kind !== 'add' && operation.kind !== 'patch') return false;
  const { validFrom, validTo, labels, codes, parents } = operation.details;
  const isReversed = typeof validFrom === 'number' && typeof validTo === 'number' && validFrom > validTo;
  // Null is refused in a new item, which has nothing to remove.
  const isRemoving = Object.values({ ...labels, ...codes, ...parents }).includes(null);
  return isReversed || (operation.kind === 'add' && isRemoving);
}

function requestOf(world: World, operation: ListChange, list: List | undefined) {
  switch (operation.kind) {
    case 'add': {
      const body = { value: operation.value, ...resolveDetails(world, operation.details) };
      return { method: 'POST', path: '/items', body };
    }
    case 'patch':
      return { method: 'PATCH', path: `/items/${operation.value}`, body: resolveDetails(world, operation.details) };
    case 'retire': {
      const { value, replacedBy } = operation;
      return { method: 'POST', path: `/items/${value}/retire`, body: { replacedBy } };
    }
    case 'restore':
      return { method: 'POST', path: `/items/${operation.value}/restore`, body: {} };
    case 'order':
      return { method: 'PUT', path: '/order', body: { values: orderSent(operation, list) } };
    case 'undo':
      return { method: 'POST', path: '/undo', body: { version: undoSent(operation, list) } };
    case 'settings':
      return { method: 'PATCH', path: '', body: operation.settings };
  }
}

function contentAfter(world: World, operation: ListChange, list: List): Content {
  const content = currentOf(list);
  const today = world.service.today();
  switch (operation.kind) {
    case 'add':
      return addItem(content, { value: operation.value, ...resolveDetails(world, operation.details) } as NewItem);
    case 'patch':
      return changeItem(content, operation.value, resolveDetails(world, operation.details));
    case 'retire':
      return retireItem(content, operation.value, operation.replacedBy, today);
    case 'restore':
      return restoreItem(content, operation.value);
    case 'order':
      return orderItems(content, orderSent(operation, list));
    case 'undo':
      return undo(content, list.versions[undoSent(operation, list) - 1], today);
    case 'settings':
      return withSettings(content, operation.settings);
  }
}

interface Request {
  method: string;
  path: string;
  body: object;
  version?: number | undefined;
}

function send({ service }: World, by: Person, { method, path, body, version }: Request): Promise<Response> {
  const seen = version === undefined ? {} : { 'if-match': `"${version}"` };
  const headers = { 'content-type': 'application/json', ...seen };
  return service.send(by, `/admin/lookups${path}`, { method, headers, body: JSON.stringify(body) });
}

/** Asserts that the answer is the changed list or the expected refusal, and that a refusal has changed nothing. */
async function settle(
  world: World,
  by: Person,
  name: string,
  response: Response,
  outcome: List | Refusal,
  { status, seen, more = {} }: { status: number; seen?: number | undefined; more?: object },
): Promise<void> {
  if (!(outcome instanceof Refusal)) {
    world.lists.set(name, outcome);
    return expectKept(world, name, response, { by, status, more });
  }
  const problem = await expectRefusal(response, outcome);
  const list = world.lists.get(name);
  if (outcome.code === 'version-conflict' && list && seen !== undefined) expectConflict(world, by, list, seen, problem);
  await expectKept(world, name, await world.service.send('admin', `/admin/lookups/${name}`));
}
