// Combines what many want at the same time into few queries or transactions.
import { atMost } from '../base/stop-times.ts';
import type { Db } from './storage.ts';

/** As many values as fit into a statement of either engine. */
const mostKeys = 1024;
/** Longer than all but those that wait for a lock, or for a connection that was cut without notice. */
const patienceMs = 100;

interface Batch<I, O> {
  inputs: Set<I>;
  outputs: Promise<Map<I, O>>;
}

/**
 * One at a time: whoever comes while it runs is part of the next one. So nobody gets what was read before they came, a
 * single one does not wait, and under load one answers many. One that takes long is waited for no longer than for a moment: the next
 * one runs beside it. After a failure, nobody is queued until one succeeds: while the database is away, each fails at once.
 */
export function inBatches<I, O>(
  work: (inputs: readonly I[]) => Promise<Map<I, O>>,
  most = mostKeys,
): (input: I) => Promise<O | undefined> {
  let open: Batch<I, O> | undefined;
  /** The last one, whatever comes of it. */
  let last: Promise<void> | undefined;
  let isFailing = false;

  async function run(inputs: readonly I[]): Promise<Map<I, O>> {
    try {
      const outputs = await work(inputs);
      isFailing = false;
      return outputs;
    } catch (error) {
      isFailing = true;
      throw error;
    }
  }

  function begin(): Batch<I, O> {
    const inputs = new Set<I>();
    const turn = last === undefined ? Promise.resolve() : atMost(patienceMs, last);
    const batch: Batch<I, O> = {
      inputs,
      outputs: turn.then(() => {
        if (open === batch) open = undefined;
        return run([...inputs]);
      }),
    };
    const settled = () => {
      if (last === own) last = undefined;
    };
    const own = batch.outputs.then(settled, settled);
    last = own;
    return batch;
  }

  return async (input) => {
    if (isFailing) return (await run([input])).get(input);
    if (open === undefined || open.inputs.size === most) open = begin();
    const { inputs, outputs } = open;
    inputs.add(input);
    return (await outputs).get(input);
  };
}

/** The same for each database. */
export function inBatchesByDatabase<I, O>(
  work: (db: Db, inputs: readonly I[]) => Promise<Map<I, O>>,
  most: number,
): (db: Db, input: I) => Promise<O | undefined> {
  const batches = new WeakMap<Db, (input: I) => Promise<O | undefined>>();
  return (db, input) => {
    const share = batches.get(db) ?? inBatches((inputs: readonly I[]) => work(db, inputs), most);
    batches.set(db, share);
    return share(input);
  };
}
