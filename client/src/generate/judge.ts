// Asks the service whether values are still valid, and what replaces them, for any number of values.
import type { Frontdesk, ValidateResult } from '../index.ts';

type Verdict = ValidateResult['results'][number];

/** The most values that POST /lookups/validate accepts at once. */
const maxJudged = 1000;

/** A scheduled value is not over. */
export const isOver = ({ status }: Verdict) => status === 'retired' || status === 'expired';

/** As of today, by list. */
export async function judge(frontdesk: Frontdesk, values: ReadonlyMap<string, readonly string[]>): Promise<Verdict[]> {
  const pairs = [...values].flatMap(([list, names]) => names.map((value) => ({ list, value })));
  const verdicts: Verdict[] = [];
  for (const part of chunk(pairs, maxJudged)) {
    const byList: Record<string, string[]> = {};
    for (const { list, value } of part) {
      byList[list] ??= [];
      byList[list].push(value);
    }
    verdicts.push(...(await frontdesk.validate(byList)).results);
  }
  return verdicts;
}

export function chunk<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
