// Whether values are still valid, and what replaces them: asked of the service, any number at a time.
import type { Frontdesk, ValidateResult } from '../index.ts';
import { chunk } from './chunk.ts';

type Verdict = ValidateResult['results'][number];

/** What POST /lookups/validate takes at once. */
const mostJudged = 1000;
/** No list of people's has a longer chain of replacements; an answer could pretend to. */
const mostRounds = 100;

/** One that is scheduled is not over. */
export const isOver = ({ status }: Verdict) => status === 'retired' || status === 'expired';

/** As of today, by list. `replacedBy` is the last of the values that replaced each other. */
export async function judge(frontdesk: Frontdesk, values: ReadonlyMap<string, readonly string[]>): Promise<Verdict[]> {
  const asked = [...values].flatMap(([list, names]) => names.map((value) => ({ list, value })));
  const known = new Map<string, Verdict>();
  let next = asked;
  for (let round = 0; next.length > 0 && round < mostRounds; round++) {
    const verdicts = await ask(frontdesk, next);
    for (const verdict of verdicts) known.set(keyOf(verdict), verdict);
    next = verdicts
      .flatMap(({ list, replacedBy }) => (replacedBy === null ? [] : { list, value: replacedBy }))
      .filter((pair) => !known.has(keyOf(pair)));
  }
  return asked.flatMap((pair) => {
    const verdict = known.get(keyOf(pair));
    return verdict === undefined ? [] : { ...verdict, replacedBy: lastReplacement(verdict, known) };
  });
}

const keyOf = ({ list, value }: { list: string; value: string }) => JSON.stringify([list, value]);

function lastReplacement({ list, replacedBy }: Verdict, known: ReadonlyMap<string, Verdict>): string | null {
  const seen = new Set<string>();
  let last = replacedBy;
  while (last !== null && !seen.has(last)) {
    seen.add(last);
    last = known.get(keyOf({ list, value: last }))?.replacedBy ?? last;
  }
  return last;
}

async function ask(frontdesk: Frontdesk, pairs: readonly { list: string; value: string }[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const part of chunk(pairs, mostJudged)) {
    const byList: Record<string, string[]> = {};
    for (const { list, value } of part) {
      byList[list] ??= [];
      byList[list].push(value);
    }
    verdicts.push(...(await frontdesk.validate(byList)).results);
  }
  return verdicts;
}
