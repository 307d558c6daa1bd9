// What is wrong with a document, and where.
import type { Fault } from '../rules/change.ts';

export interface Place {
  line: number;
  column: number;
}

export type FileFault = Fault & Place;

const mostFaults = 100;
const longestPart = 80;

export class WrongFile extends Error {
  /** Sorted by line and column. */
  readonly faults: FileFault[];
  /** Whether there may be more faults than these. */
  readonly hasMore: boolean;

  constructor(faults: readonly FileFault[], hasMore = faults.length > mostFaults) {
    super('the file is wrong');
    this.faults = faults.slice(0, mostFaults).toSorted((a, b) => a.line - b.line || a.column - b.column);
    this.hasMore = hasMore;
  }
}

/** Collects faults and stops reading once there are more than will be reported. */
export class Faults {
  readonly #found: FileFault[] = [];

  add(path: readonly PropertyKey[], message: string, place: Place): void {
    this.#found.push({ field: fieldOf(path), message, line: place.line, column: place.column });
    if (this.#found.length > mostFaults) throw new WrongFile(this.#found);
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw new WrongFile(this.#found);
  }
}

/** Shortens long names. A name can be as long as the document, and each fault in the named part would repeat it. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.map((part) => shorten(String(part))).join('.');
}

function shorten(part: string): string {
  return part.length <= longestPart ? part : `${part.slice(0, longestPart).toWellFormed()}…`;
}

/** Finds the line and column of an offset by binary search, because there may be many faults and many lines. */
export function indexLines(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
