// Performs random operations over HTTP and in a model of the lists (test/support/model/): after each operation, state and
// views must match. Thorough runs perform more operations, MODEL_RUNS=1000 even more; MODEL_SEED=7 chooses different ones. A
// failure prints its seed and the shortest sequence that reproduces it.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { describeFailure, type Failure, run, shorten, steps } from '../support/model/run.ts';
import { startModelledService } from '../support/model/service.ts';
import { isThorough } from '../support/thorough.ts';

const seed = Number(process.env.MODEL_SEED ?? 1);
const allRuns = Number(process.env.MODEL_RUNS ?? (isThorough ? 120 : 6));

test.each([
  { who: 'everybody', readRoles: [], share: 0.75 },
  { who: 'some', readRoles: ['READER'], share: 0.25 },
])('lists that $who may read behave as in the model', async ({ readRoles, share }) => {
  const numRuns = Math.ceil(allRuns * share);
  const service = await startModelledService(readRoles);
  let count = 0;
  let failure: Failure | undefined;
  const property = fc.asyncProperty(steps, async (some) => {
    count += some.length;
    failure = await run(service, some);
    return failure === undefined;
  });
  await fc.check(property, { seed, numRuns, endOnFailure: true });
  const shortest = failure && (await shorten(service, failure));
  await service.stop();
  if (shortest) throw new Error(`MODEL_SEED=${seed}, after ${count} operations:\n${describeFailure(shortest)}`);
  expect(count).toBeGreaterThan(numRuns * 20);
});
