// What the Frontdesk for tests says of stored values.
import { isValidOn, labelIn, type TestItem, today } from './testing-lists.ts';
import type { ValidateResult } from './types.ts';

type Lists = ReadonlyMap<string, { items: readonly TestItem[] }>;
type Outcome = ValidateResult['results'][number];

export function judgeAll(
  stored: Readonly<Record<string, string | string[]>>,
  lists: Lists,
  language: string | undefined,
): Outcome[] {
  return Object.entries(stored).flatMap(([list, values]) => {
    const items = lists.get(list)?.items ?? [];
    const find = (value: string | undefined) => items.find((item) => item.value === value);
    return [values].flat().map((value): Outcome => {
      const item = find(value);
      if (item === undefined) {
        const status = lists.has(list) ? 'unknown' : 'unknown-list';
        return { list, value, status, label: null, replacedBy: null, retiredAt: null };
      }
      let last = item;
      // So often at most: a chain of replacements may be a circle here.
      for (const _ of items) {
        const next = find(last.replacedBy);
        if (next === undefined) break;
        last = next;
      }
      const { retiredAt = null } = item;
      const replacedBy = last === item ? null : last.value;
      return { list, value, status: statusOf(item, stored), label: labelIn(item, language), replacedBy, retiredAt };
    });
  });
}

function statusOf(item: TestItem, stored: Readonly<Record<string, string | string[]>>): Outcome['status'] {
  const { isRetired, validFrom = '', parents = {} } = item;
  if (isRetired) return 'retired';
  if (today() < validFrom) return 'scheduled';
  if (!isValidOn(item, today())) return 'expired';
  const fits = Object.entries(parents).every(([list, fitting]) => {
    const sent = Object.hasOwn(stored, list) ? [stored[list] ?? []].flat() : [];
    return sent.length === 0 || sent.some((value) => fitting.includes(value));
  });
  return fits ? 'active' : 'not-with-parent';
}
