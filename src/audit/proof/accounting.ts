// Every row that was changed by a forgetting must be accounted for: a row of the audit holds the hash of the new digests, so
// that no other change passes for one.
import { type AuditKey, isSame, replacedIn, startStepHash } from './digest.ts';

export const forgottenType = 'person-forgotten';

/** What a row of that type says. */
export const forgottenDetail = {
  begun: 'begun',
  step: (number: number, rows: number, first: number, last: number, hash: string) =>
    `step ${number}: ${rows} rows from ${first} to ${last}, ${hash}`,
  finished: (steps: number) => `finished after ${steps} steps`,
};

export const stepName = (pseudonym: string, number: number) => `${pseudonym} ${number}`;

const stepDetail = /^step (\d+): \d+ rows from (\d+) to \d+, ([0-9a-f]{64})$/;

interface ChangedRow {
  seq: number;
  digest: string;
  replaced: string | null;
}

interface ForgottenRow {
  seq: number;
  person: string | null;
  detail: string | null;
}

/** Rows in the order of their numbers. What is wrong, in words; undefined where nothing is. */
export function createAccounting(key: AuditKey) {
  const steps = new Map<string, { hash: ReturnType<typeof startStepHash>; first: number }>();
  const unfinished = new Set<string>();
  let oldest = 0;

  /** A row that was changed more than once is in a step for each time. */
  function addChanged({ seq, digest, replaced }: ChangedRow): void {
    const before = replacedIn(replaced);
    for (const [index, { by }] of before.entries()) {
      const step = steps.get(by) ?? { hash: startStepHash(key, by), first: seq };
      steps.set(by, step);
      step.hash.add(seq, before[index + 1]?.digest ?? digest);
    }
  }

  return {
    /** All rows before this one were removed, by right. */
    skipTo(seq: number): void {
      oldest = seq;
    },
    /** Rows that the present key does not prove are ignored here. */
    add(row: ChangedRow & ForgottenRow & { type: string }, isProven: boolean): string | undefined {
      addChanged(row);
      if (row.type !== forgottenType) return undefined;
      const { seq, person, detail } = row;
      const pseudonym = person ?? '';
      const [, number, first, expected = ''] = stepDetail.exec(detail ?? '') ?? [];
      if (number === undefined) {
        if (detail === forgottenDetail.begun && isProven) unfinished.add(pseudonym);
        else unfinished.delete(pseudonym);
        return undefined;
      }
      const name = stepName(pseudonym, Number(number));
      const step = steps.get(name);
      steps.delete(name);
      // Old rows are removed a few at a time.
      if (Number(first) < oldest || !isProven) return undefined;
      if (step !== undefined && isSame(expected, step.hash.finish())) return undefined;
      return `row ${seq}: the rows that were changed to forget somebody are not as it left them`;
    },
    finish(): string | undefined {
      const [left] = steps.values();
      return left && `row ${left.first} was changed, and no forgetting accounts for it`;
    },
    /** The pseudonyms of those whose forgetting was begun only. */
    unfinished: () => [...unfinished],
  };
}
