// What the Frontdesk for tests says of stored values.
import { finalValue, isValidOn, labelIn, type TestItem, today } from './testing-lists.ts';
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
    return [values].flat().map((value): Outcome => {
      const item = items.find((each) => each.value === value);
      if (item === undefined) {
        const status = lists.has(list) ? 'unknown' : 'unknown-list';
        return { list, value, status, label: null, replacedBy: null, retiredAt: null };
      }
      const last = finalValue(items, value);
      const { retiredAt = null } = item;
      const replacedBy = last === value ? null : last;
      const status = statusOf(item, stored, lists);
      return { list, value, status, label: labelIn(item, language), replacedBy, retiredAt };
    });
  });
}

function statusOf(
  item: TestItem,
  stored: Readonly<Record<string, string | string[]>>,
  lists: Lists,
): Outcome['status'] {
  const { isRetired, validFrom = '', parents = {} } = item;
  if (isRetired) return 'retired';
  if (today() < validFrom) return 'scheduled';
  if (!isValidOn(item, today())) return 'expired';
  const fits = Object.entries(parents).every(([list, fitting]) => {
    const final = (value: string) => finalValue(lists.get(list)?.items ?? [], value);
    const sent = Object.hasOwn(stored, list) ? [stored[list] ?? []].flat().map(final) : [];
    return sent.length === 0 || fitting.some((value) => sent.includes(final(value)));
  });
  return fits ? 'active' : 'not-with-parent';
}
