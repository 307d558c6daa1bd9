// A list with all of its items as JSON, made in slices: one of 50,000 items has 12 MB.
import type { KeptList } from '../lookup-admin.schema.ts';
import { Pauses } from '../pauses.ts';

const itemsOfSlice = 500;

export async function keptListText(list: KeptList): Promise<string> {
  const slices: string[] = [];
  for await (const slice of keptListSlices(list)) slices.push(slice);
  return slices.join('');
}

/** The same for an answer: of a large list, each slice is made when the one before it has been sent. */
export async function keptListBody(list: KeptList): Promise<string | ReadableStream<Uint8Array>> {
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
    // As one text, without its brackets: one for each item would be twice the garbage.
    yield before + JSON.stringify(items.slice(start, start + itemsOfSlice)).slice(1, -1);
    before = ',';
  }
  yield items.length === 0 ? `${before}]}` : ']}';
}
