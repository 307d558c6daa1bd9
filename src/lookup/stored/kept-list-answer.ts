// A list with all its items as JSON, for its keepers. It is written in parts, with pauses for other requests, because a
// list of 50,000 items takes 12 MB.
import { Pauses } from '../../base/pauses.ts';
import { noStore } from '../../http/headers.ts';
import type { AnswerDescription } from '../../http/route.ts';
import { displayOrder, type Sortable } from '../rules/display-order.ts';
import type { KeptList } from '../rules/list.ts';
import { type MayName, withReadableParents } from '../rules/readable-parents.ts';
import { KeptList as KeptListSchema } from './kept-list.schema.ts';
import type { StoredList } from './list.queries.ts';

const itemsOfSlice = 500;

export async function keptListText(list: KeptList): Promise<string> {
  const slices: string[] = [];
  for await (const slice of keptListSlices(list)) slices.push(slice);
  return slices.join('');
}

/** A large list is streamed: each slice is written after the previous one has been sent. */
async function keptListBody(list: KeptList): Promise<string | ReadableStream<Uint8Array>> {
  if (list.items.length <= itemsOfSlice) return keptListText(list);
  const slices = keptListSlices(list);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await slices.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function* keptListSlices({ items, ...head }: KeptList): AsyncGenerator<string, undefined> {
  const pauses = new Pauses();
  let before = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  for (let start = 0; start < items.length; start += itemsOfSlice) {
    await pauses.ifDue();
    // Writes the slice as one array and removes the brackets, because writing each item alone would create twice as
    // much garbage.
    yield before + JSON.stringify(items.slice(start, start + itemsOfSlice)).slice(1, -1);
    before = ',';
  }
  yield items.length === 0 ? `${before}]}` : ']}';
}

export const stateAnswer: AnswerDescription = {
  description: 'The current list',
  content: { 'application/json': KeptListSchema },
  headers: { ETag: 'The version of the list' },
};

/** The list with only the parents that this reader may see. */
export async function readableList(list: StoredList, mayName: MayName): Promise<StoredList> {
  return { ...list, items: await new Pauses().map(list.items, (item) => withReadableParents(item, mayName)) };
}

/** `more` are additional members of the answer. */
export async function stateResponse(
  stored: StoredList,
  status: number,
  mayName: MayName,
  more: object = {},
): Promise<Response> {
  const { updatedAt: _, ...list } = await readableList(stored, mayName);
  const body = await keptListBody({ ...list, ...more, items: await inDisplayOrder(list.items, new Pauses()) });
  const headers = { ...noStore, 'Content-Type': 'application/json', ETag: `"${list.version}"` };
  return new Response(body, { status, headers });
}

/** Sorts items as keepers see them: by sortOrder, then by plain label. */
export function inDisplayOrder<T extends Sortable>(items: readonly T[], pauses: Pauses): Promise<T[]> {
  return pauses.sort(items, displayOrder());
}
