// Which version a list had at the end of each day, and in which parts its history is read. Pure.
import type { VersionSize } from './past.queries.ts';

/** Versions that are read together. */
export interface HistoryPart {
  first: number;
  last: number;
  bytes: number;
}

export interface VersionDays {
  /** The last version it knows of. */
  upTo: number;
  /** Ascending, and beside each the last version of that day. */
  days: readonly string[];
  versions: readonly number[];
  parts: readonly HistoryPart[];
}

const mostBytes = 256 * 1024;
const mostVersions = 200;

export const noVersions: VersionDays = { upTo: 0, days: [], versions: [], parts: [] };

/** With the versions that follow. A part that was full stays as it is. */
export function addVersions(known: VersionDays, added: readonly VersionSize[]): VersionDays {
  const [days, versions, parts] = [[...known.days], [...known.versions], [...known.parts]];
  for (const { version, at, bytes } of added) {
    const day = at.slice(0, 10);
    // A clock that was behind does not make a version older than the one before it.
    if (day > (days.at(-1) ?? '')) days.push(day);
    versions[days.length - 1] = version;
    const part = parts.at(-1);
    if (part === undefined || part.bytes + bytes > mostBytes || version - part.first >= mostVersions) {
      parts.push({ first: version, last: version, bytes });
    } else {
      parts[parts.length - 1] = { first: part.first, last: version, bytes: part.bytes + bytes };
    }
  }
  return { upTo: added.at(-1)?.version ?? known.upTo, days, versions, parts };
}

/** The version at the end of a day; before the first day, the one at the end of that. */
export function versionOn({ days, versions }: VersionDays, day: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? '') <= day) low = middle + 1;
    else high = middle;
  }
  return versions[Math.max(0, low - 1)] ?? 0;
}

/** The parts that have a version after this one, up to another. */
export function partsBetween({ parts }: VersionDays, after: number, upTo: number): HistoryPart[] {
  return parts.filter(({ first, last }) => last > after && first <= upTo);
}
