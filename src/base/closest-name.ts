// Finds the name that a misspelt word was probably meant to be.

/** Returns the closest of these names within `maxEdits` edits; undefined if there is none, or if several are equally close. */
export function closestName(word: string, names: readonly string[], maxEdits: number): string | undefined {
  const near = names
    // The difference in length is a lower bound, and much cheaper to compute.
    .filter((name) => Math.abs(name.length - word.length) <= maxEdits)
    .map((name) => ({ name, edits: countEdits(word, name) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  const [first, second] = near;
  return first === undefined || first.edits === second?.edits ? undefined : first.name;
}

/** The Damerau–Levenshtein distance: letters inserted, removed, replaced, or swapped with a neighbour. */
function countEdits(from: string, to: string): number {
  // Names are short. Longer input gets no suggestion, which bounds the work.
  if (from.length > longestName) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      current.push(Math.min(...edits));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

const longestName = 64;
const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
