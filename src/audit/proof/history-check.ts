// Every entry of a list's history must have its row in the audit, from the oldest row on that is left.

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
  let since: string | undefined;

  return {
    /** Rows before the next one were removed by retention. */
    beginAnew(): void {
      seen.clear();
      [isWhole, since] = [false, undefined];
    },

    /** With the change that the row is about, if any. */
    add({ seq, at }: { seq: number; at: string }, change: ListedChange | undefined): void {
      isWhole ??= seq === 1;
      since ??= at;
      if (change === undefined) return;
      const known = seen.get(change.list);
      if (known === undefined) seen.set(change.list, { first: change.version, last: change.version });
      else if (change.version === known.last + 1) known.last = change.version;
    },

    /** Whether this entry lacks its row. */
    isMissing({ list, version, at }: HistoryEntry): boolean {
      const known = seen.get(list);
      if (known !== undefined && version >= known.first) return version > known.last;
      if (isWhole === true) return true;
      // Older than the audit that is left. Of a list without any row, only its time tells.
      return known === undefined && since !== undefined && at > since;
    },
  };
}
