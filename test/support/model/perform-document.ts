// Plans a document and then applies it: both must have the same result.
import { expect } from 'bun:test';
import { bodyOf, changesFor, expectKept, expectRefusal, inModelOrder } from './answers.ts';
import { type DocumentItem, type DocumentList, describePlan, type PlannedList, planDocument } from './document.ts';
import { withoutNulls, writeDocument } from './document-text.ts';
import { keptReason } from './item-changes.ts';
import { attempt, type Content, currentOf, Refusal, withVersion } from './list.ts';
import type { DocumentOperation, GivenDocumentList } from './operations.ts';
import { authorOf } from './people.ts';
import { defined, resolveDetails, versionSent } from './sent.ts';
import { countChildren, type World } from './world.ts';

export async function applyDocument(world: World, operation: DocumentOperation): Promise<void> {
  const { by, format, reason, mirror } = operation;
  const lists = resolveLists(world, operation);
  const isInDocument = mirror === 'document' && format !== 'csv';
  const document = { ...(isInDocument && { mirror: true }), lists: format === 'csv' ? withoutNulls(lists) : lists };
  const { type, text: body } = writeDocument(document, format);
  const isMirror = isInDocument || mirror === 'query';
  const query = (more: Record<string, string>) =>
    String(new URLSearchParams({ ...(mirror === 'query' && { mirror: 'true' }), ...more }));
  const ask = (path: string) =>
    world.service.send(by, path, { method: 'POST', headers: { 'content-type': type }, body });
  const today = world.service.today();
  const outcome = attempt(() =>
    planDocument(world.lists, { ...document, mirror: isMirror }, today, by, world.service.readRoles),
  );
  const answers = [
    await ask(`/admin/lookups/plan?${query({})}`),
    await ask(`/admin/lookups/apply?${query(reason === undefined ? {} : { reason })}`),
  ];
  for (const answer of answers) {
    if (outcome instanceof Refusal) await expectRefusal(answer, outcome);
    else {
      const { changes } = await bodyOf<{ changes: Parameters<typeof inModelOrder>[0] }>(answer);
      const expected = changesFor(world, by, describePlan(outcome)).map((change) => ({
        ...change,
        ...(change.kind === 'retire' && childrenAfter(world, outcome, change.list, change.value ?? '')),
      }));
      expect(inModelOrder(changes)).toEqual(inModelOrder(expected));
    }
  }
  if (outcome instanceof Refusal) {
    for (const name of world.lists.keys()) {
      await expectKept(world, name, await world.service.send('admin', `/admin/lookups/${name}`));
    }
    return;
  }
  const author = { day: today, by: authorOf(by), reason: keptReason(reason) };
  for (const { name, before, after } of outcome) {
    const added = { name, versions: [{ ...after, ...author }] };
    world.lists.set(name, before === undefined ? added : withVersion(before, after, author));
  }
}

/** Counts the children of a value after the document is applied; false if there are none. */
function childrenAfter({ lists }: World, planned: readonly PlannedList[], list: string, value: string) {
  const contents = new Map<string, Content>([...lists].map(([name, each]) => [name, currentOf(each)]));
  for (const { name, after } of planned) contents.set(name, after);
  const children = countChildren(contents.values(), list, value);
  return children > 0 && { children };
}

function resolveLists(world: World, { lists }: DocumentOperation): Record<string, DocumentList> {
  const given = Object.entries(lists) as [keyof typeof lists, GivenDocumentList | undefined][];
  return Object.fromEntries(
    given.flatMap(([role, list]) => {
      if (list === undefined) return [];
      const name = world.nameOf(role);
      const version = list.seen && versionSent(list.seen, world.lists.get(name));
      const items = list.items?.map((item) => resolveDetails(world, item) as DocumentItem);
      return [[name, { ...list.settings, ...defined({ items, version }) }]];
    }),
  );
}
