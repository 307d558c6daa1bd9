// Forgetting a person changes rows. Each such change must be accounted for: an audit row holds the hash of the new digests,
// so that no other change can be passed off as forgetting.
import { type AuditKey, isSame, replacedIn, startStepHash } from './digest.ts';

export const forgottenType = 'person-forgotten';

/** Values of `detail` in audit rows of the type `person-forgotten`. */
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

/** Takes rows in the order of their numbers. `add` and `finish` describe what is wrong, or return undefined. */
export function createAccounting(key: AuditKey) {
  const steps = new Map<string, { hash: ReturnType<typeof startStepHash>; first: number }>();
  const unfinished = new Set<string>();
  let oldest = 0;

  /** A row that was changed several times belongs to several steps. */
  function addChanged({ seq, digest, replaced }: ChangedRow): void {
    const before = replacedIn(replaced);
    for (const [index, { by }] of before.entries()) {
      const step = steps.get(by) ?? { hash: startStepHash(key, by), first: seq };
      steps.set(by, step);
      step.hash.add(seq, before[index + 1]?.digest ?? digest);
    }
  }

  return {
    /** Called if retention has removed all rows before `seq`. */
    skipTo(seq: number): void {
      oldest = seq;
    },
    /** A step is not checked if the row that records it has no valid digest under the present key. */
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
      // Retention may have removed some of the step's rows.
      if (Number(first) < oldest || !isProven) return undefined;
      if (step !== undefined && isSame(expected, step.hash.finish())) return undefined;
      return `row ${seq}: the rows that were changed to forget a person do not match this record`;
    },
    finish(): string | undefined {
      const [left] = steps.values();
      return left && `row ${left.first} was changed, but not by forgetting a person`;
    },
    /** The pseudonyms of people who are only partly forgotten. */
    unfinished: () => [...unfinished],
  };
}
