// Random operations over HTTP beside a model of the lists (test/support/model/): after each, state and views are the same.
// MODEL_RUNS=1000 does more of them, MODEL_SEED=7 others. A failure prints its seed and the shortest way to it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { describeFailure, type Failure, run, shorten, steps } from '../support/model/run.ts';
import { type ModelledService, startModelledService } from '../support/model/service.ts';

const seed = Number(process.env.MODEL_SEED ?? 1);
const numRuns = Number(process.env.MODEL_RUNS ?? 30);

let service: ModelledService;
beforeAll(async () => {
  service = await startModelledService();
});
afterAll(() => service.stop());

test(
  'lists do what the model of them does',
  async () => {
    let count = 0;
    let failure: Failure | undefined;
    const property = fc.asyncProperty(steps, async (some) => {
      count += some.length;
      failure = await run(service, some);
      return failure === undefined;
    });
    await fc.check(property, { seed, numRuns, endOnFailure: true });
    if (failure !== undefined) {
      throw new Error(`MODEL_SEED=${seed}, after ${count}:\n${describeFailure(await shorten(service, failure))}`);
    }
    expect(count).toBeGreaterThan(numRuns * 20);
  },
  // As long as it takes: the number of runs is given.
  { timeout: 3_600_000 },
);
