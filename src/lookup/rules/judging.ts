// What is said of values that applications have stored. Pure.

import type { KeptItem } from './item.ts';
import { isValidOn } from './list-on-day.ts';
import { createFinalValues } from './replacements.ts';

/** In the order in which they are tried. */
export const validateStatuses = [
  'unknown-list',
  'forbidden',
  'unknown',
  'archived',
  'retired',
  'scheduled',
  'expired',
  'not-with-parent',
  'active',
] as const;
type ValidateStatus = (typeof validateStatuses)[number];

/** What a list is to somebody who asks for its items. */
export type Standing = 'readable' | 'forbidden' | 'archived' | 'unknown-list';

type JudgedItem = Pick<
  KeptItem,
  'label' | 'labels' | 'status' | 'validFrom' | 'validTo' | 'replacedBy' | 'retiredAt' | 'parents'
>;

export interface JudgedLists {
  standingOf(list: string): Standing;
  getItem(list: string, value: string): JudgedItem | undefined;
  labelOf(item: JudgedItem): string;
  today: string;
}

/**
 * The values of each list in a request, without those of lists that the one who asks may not read. Each is what it was replaced
 * by in the end.
 */
type Sent = ReadonlyMap<string, ReadonlySet<string>>;
/** For the values of a list, what they were replaced by in the end. */
type FinalIn = (list: string) => (value: string) => string;

/** What is said of one stored value. */
export interface Outcome {
  list: string;
  value: string;
  status: ValidateStatus;
  label: string | null;
  replacedBy: string | null;
  retiredAt: string | null;
}

/** One result for each value, in the order in which they were sent. */
export function judgeValues(
  stored: Readonly<Record<string, string | readonly string[]>>,
  lists: JudgedLists,
): Outcome[] {
  const known = Object.entries(stored).filter(([list]) => lists.standingOf(list) !== 'forbidden');
  const finals = new Map<string, (value: string) => string>();
  const finalIn: FinalIn = (list) => {
    const final = finals.get(list) ?? createFinalValues((value) => lists.getItem(list, value)?.replacedBy ?? null);
    finals.set(list, final);
    return final;
  };
  const sent: Sent = new Map(known.map(([list, values]) => [list, new Set([values].flat().map(finalIn(list)))]));
  return Object.entries(stored).flatMap(([list, values]) => {
    const standing = lists.standingOf(list);
    return [values].flat().map((value): Outcome => {
      const mayKnow = standing === 'readable' || standing === 'archived';
      const item = mayKnow ? lists.getItem(list, value) : undefined;
      if (item === undefined) {
        const status = mayKnow ? 'unknown' : standing;
        return { list, value, status, label: null, replacedBy: null, retiredAt: null };
      }
      const final = finalIn(list)(value);
      return {
        list,
        value,
        // Stored values of an archived list are still shown with their labels and replacements.
        status: standing === 'archived' ? 'archived' : statusOf(item, sent, finalIn, lists.today),
        label: lists.labelOf(item),
        replacedBy: final === value ? null : final,
        retiredAt: item.retiredAt,
      };
    });
  });
}

/** The first that holds: a value that is not offered is not judged by its parents as well. */
function statusOf(item: JudgedItem, sent: Sent, finalIn: FinalIn, today: string): Outcome['status'] {
  if (item.status === 'retired') return 'retired';
  if (item.validFrom !== null && today < item.validFrom) return 'scheduled';
  if (!isValidOn(item, today)) return 'expired';
  return fitsParents(item, sent, finalIn) ? 'active' : 'not-with-parent';
}

/** A list of parents that was not sent, or without a value, decides nothing. */
function fitsParents({ parents }: JudgedItem, sent: Sent, finalIn: FinalIn): boolean {
  return Object.entries(parents).every(([list, fitting]) => {
    const given = sent.get(list);
    return given === undefined || given.size === 0 || fitting.some((value) => given.has(finalIn(list)(value)));
  });
}
