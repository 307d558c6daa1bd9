// The status of an item on a day. Pure.
import type { KeptItem } from '../../shell/api.ts';

type Dated = Pick<KeptItem, 'status' | 'validFrom' | 'validTo' | 'retiredAt'>;

/** `scheduled` starts later, `ending` is available until `day`, `expired` was. */
export type ItemStatus =
  | { kind: 'active' }
  | { kind: 'scheduled' | 'ending' | 'expired'; day: string }
  | { kind: 'retired'; day: string | null };

export function statusOn({ status, validFrom, validTo, retiredAt }: Dated, day: string): ItemStatus {
  if (status === 'retired') return { kind: 'retired', day: retiredAt?.slice(0, 10) ?? null };
  if (validFrom !== null && validFrom > day) return { kind: 'scheduled', day: validFrom };
  if (validTo === null) return { kind: 'active' };
  return { kind: validTo < day ? 'expired' : 'ending', day: validTo };
}

/** Days are UTC days, as in the service. */
export const dayOf = (now: Date) => now.toISOString().slice(0, 10);
