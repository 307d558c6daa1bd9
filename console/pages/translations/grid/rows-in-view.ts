// Computes which rows of a long table are in view. Pure.

/** The top of each row, and the bottom of the last. */
export function rowOffsets<Row>(rows: readonly Row[], heightOf: (row: Row) => number): Float64Array {
  const offsets = new Float64Array(rows.length + 1);
  for (const [index, row] of rows.entries()) offsets[index + 1] = (offsets[index] ?? 0) + heightOf(row);
  return offsets;
}

const overscan = 6;

/** Returns the index of the first rendered row, and the index after the last. */
export function rowsInView(offsets: Float64Array, top: number, height: number): { from: number; to: number } {
  const count = offsets.length - 1;
  const first = lastAtOrBefore(offsets, top);
  const last = lastAtOrBefore(offsets, top + height);
  return { from: Math.max(0, first - overscan), to: Math.min(count, last + 1 + overscan) };
}

/** Uses binary search. */
function lastAtOrBefore(offsets: Float64Array, position: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}
