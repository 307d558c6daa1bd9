// Every entry of a list's history must have its audit row, from the oldest remaining row on.

/** Identifies a change of a list. */
export interface ListedChange {
  list: string;
  version: number;
}

export type HistoryEntry = ListedChange & { at: string };

/** Takes rows in the order of their numbers. */
export function createHistoryCheck() {
  /**
   * For each list, the first and last version seen. There are no gaps, because changes of a list are made one after the
   * other.
   */
  const seen = new Map<string, { first: number; last: number }>();
  let isWhole: boolean | undefined;
  let since: string | undefined;

  return {
    /** Rows before the next one were removed by retention. */
    beginAnew(): void {
      seen.clear();
      [isWhole, since] = [false, undefined];
    },

    /** Adds a row, and the change that it is about, if any. */
    add({ seq, at }: { seq: number; at: string }, change: ListedChange | undefined): void {
      isWhole ??= seq === 1;
      since ??= at;
      if (change === undefined) return;
      const known = seen.get(change.list);
      if (known === undefined) seen.set(change.list, { first: change.version, last: change.version });
      else if (change.version === known.last + 1) known.last = change.version;
    },

    /** Whether the audit row of this entry is missing. */
    isMissing({ list, version, at }: HistoryEntry): boolean {
      const known = seen.get(list);
      if (known !== undefined && version >= known.first) return version > known.last;
      if (isWhole === true) return true;
      // The entry may be older than the remaining audit. For a list without any row, only the time can tell.
      return known === undefined && since !== undefined && at > since;
    },
  };
}
