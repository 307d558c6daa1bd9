// Splits long work on the event loop into slices, so that other requests can run between the slices.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './one-at-a-time.ts';

/** Short, because a sign-in needs many turns of the event loop, and each of them can wait for a slice. */
const sliceMs = 2;
/** How many items to process before checking the clock, because checking it for each item would cost more than the work. */
const itemsBetween = 200;

const inTurn = createTurns();

/**
 * Each piece of long work creates its own instance. In each turn of the event loop, only one instance runs a slice, however
 * many there are, so even the first slice has to wait for its turn.
 */
export class Pauses {
  #since = Number.NEGATIVE_INFINITY;

  /** Call this between units of work that take about a millisecond each. */
  async ifDue(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await inTurn(() => nextTurn());
    this.#since = performance.now();
  }

  async map<T, R>(items: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
    const results: R[] = [];
    for (let start = 0; start < items.length; start += itemsBetween) {
      const end = Math.min(start + itemsBetween, items.length);
      for (let index = start; index < end; index++) results.push(work(items[index] as T, index));
      await this.ifDue();
    }
    return results;
  }

  async filter<T>(items: readonly T[], isWanted: (item: T) => boolean): Promise<T[]> {
    const wanted: T[] = [];
    await this.inSlices(items, (slice) => {
      for (const item of slice) if (isWanted(item)) wanted.push(item);
    });
    return wanted;
  }

  async inSlices<T>(items: readonly T[], work: (slice: T[]) => void): Promise<void> {
    for (let start = 0; start < items.length; start += itemsBetween) {
      work(items.slice(start, start + itemsBetween));
      await this.ifDue();
    }
  }

  async #isSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<boolean> {
    for (let index = 1; index < items.length; index++) {
      if (compare(items[index - 1] as T, items[index] as T) > 0) return false;
      if (index % itemsBetween === 0) await this.ifDue();
    }
    return true;
  }

  /** A stable merge sort with pauses, because comparing the labels of 50,000 items with one sortOrder takes half a second. */
  async sort<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    if (await this.#isSorted(items, compare)) return [...items];
    let runs: T[][] = [];
    await this.inSlices(items, (slice) => runs.push(slice.sort(compare)));
    while (runs.length > 1) {
      const merged: T[][] = [];
      for (let index = 0; index < runs.length; index += 2) {
        merged.push(await this.#merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
      }
      runs = merged;
    }
    return runs[0] ?? [];
  }

  async #merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Promise<T[]> {
    const last = left.at(-1);
    const first = right[0];
    if (last === undefined || first === undefined || compare(last, first) <= 0) return left.concat(right);
    const merged: T[] = [];
    let [fromLeft, fromRight] = [0, 0];
    while (fromLeft < left.length && fromRight < right.length) {
      const isLeft = compare(left[fromLeft] as T, right[fromRight] as T) <= 0;
      merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as T);
      if (merged.length % itemsBetween === 0) await this.ifDue();
    }
    return merged.concat(left.slice(fromLeft), right.slice(fromRight));
  }
}
