// A list with all of its items as JSON, made in slices: one of 50,000 items has 12 MB.
import type { KeptList } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';

export async function keptListText({ items, ...head }: KeptList, pauses: Pauses): Promise<string> {
  const texts = await pauses.map(items, (item) => JSON.stringify(item));
  return `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(',')}]}`;
}
