// Every entry of a list's history must have its row in the audit, from the first one on that has.

/** Which change of which list. */
export interface ListedChange {
  list: string;
  version: number;
}

export type HistoryEntry = ListedChange & { at: string };

/** Rows in the order of their numbers. */
export function createHistoryCheck() {
  /** Of each list, from which version to which, without gaps: changes of a list are made one after the other. */
  const seen = new Map<string, { first: number; last: number }>();
  let isWhole: boolean | undefined;
  let provenSince: string | undefined;

  return {
    /** Rows before the next one were removed, by right. */
    beginAnew(): void {
      seen.clear();
      [isWhole, provenSince] = [false, undefined];
    },

    /** Of each row whether it was written with a digest, and which change it is about, if any. */
    add({ seq, at }: { seq: number; at: string }, isProven: boolean, change: ListedChange | undefined): void {
      // Where the first row of all has a digest, nothing is older than the digests, and nothing was removed.
      isWhole ??= seq === 1 && isProven;
      if (isProven) provenSince ??= at;
      if (change === undefined) return;
      const known = seen.get(change.list);
      if (known === undefined) seen.set(change.list, { first: change.version, last: change.version });
      // Rows of older versions were numbered by their time, which several changes may share.
      else if (!isProven || change.version === known.last + 1) known.last = Math.max(known.last, change.version);
    },

    /** Whether this entry lacks its row. */
    isMissing({ list, version, at }: HistoryEntry): boolean {
      const known = seen.get(list);
      if (known !== undefined && version >= known.first) return version > known.last;
      if (isWhole === true) return true;
      // Older than the audit that is left. Of a list without any row, only its time tells.
      return known === undefined && provenSince !== undefined && at > provenSince;
    },
  };
}
