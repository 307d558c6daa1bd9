// Combines requests that come at the same time into few queries or transactions.
import { atMost } from '../base/stop-times.ts';
import type { Db } from './storage.ts';

/** Maximum number of values that fit into a statement on either engine. */
const maxKeys = 1024;
/** Longer than any query takes, unless it waits for a lock or for a connection that was cut without notice. */
const patienceMs = 100;

interface Batch<I, O> {
  inputs: Set<I>;
  outputs: Promise<Map<I, O>>;
}

/**
 * Runs one batch at a time; requests that come while it runs join the next batch. So no caller gets data that was read
 * before it asked, a single request does not wait, and under load one query answers many requests. If a batch takes long,
 * the next one starts after a moment without waiting for it. After a failure nothing is batched until a request succeeds,
 * so that each request fails at once while the database is unavailable.
 */
export function inBatches<I, O>(
  work: (inputs: readonly I[]) => Promise<Map<I, O>>,
  most = maxKeys,
): (input: I) => Promise<O | undefined> {
  let open: Batch<I, O> | undefined;
  /** Resolves when the latest batch has succeeded or failed. */
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

/** Batches separately for each database. */
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
