// Checks whether values that applications have stored are still valid.

import type { KeptItem } from './item.ts';
import { statusOn } from './list-on-day.ts';
import { createFinalValues } from './replacements.ts';

/** All statuses, in the order in which they are checked. */
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

/** Whether a person may read a list, or why not. */
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
 * The values sent for each list, each replaced by its final replacement. Lists that the person may not read are left
 * out.
 */
type Sent = ReadonlyMap<string, ReadonlySet<string>>;
/** Maps the values of a list to their final replacements. */
type FinalIn = (list: string) => (value: string) => string;

/** The result for one stored value. */
export interface Outcome {
  list: string;
  value: string;
  status: ValidateStatus;
  label: string | null;
  replacedBy: string | null;
  retiredAt: string | null;
}

/** Returns one result for each value, in the order in which they were sent. */
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

/** The first status that applies. Parents are checked only if the value itself is offered. */
function statusOf(item: JudgedItem, sent: Sent, finalIn: FinalIn, today: string): Outcome['status'] {
  const { kind } = statusOn(item, today);
  if (kind !== 'active' && kind !== 'ending') return kind;
  return fitsParents(item, sent, finalIn) ? 'active' : 'not-with-parent';
}

/** A parent list that was not sent, or was sent without values, is ignored. */
function fitsParents({ parents }: JudgedItem, sent: Sent, finalIn: FinalIn): boolean {
  return Object.entries(parents).every(([list, fitting]) => {
    const given = sent.get(list);
    return given === undefined || given.size === 0 || fitting.some((value) => given.has(finalIn(list)(value)));
  });
}
