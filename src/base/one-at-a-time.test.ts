import { expect, test } from 'bun:test';
import { makeOnce, oneAtATime } from './one-at-a-time.ts';

test('calls during a run share it, and a later call starts a new run, even after a failure', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const act = oneAtATime(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const both = Promise.allSettled([act(), act()]);
  const begun = runs.length;
  runs[0]?.reject(new Error('away'));
  const outcomes = (await both).map(({ status }) => status);
  const again = act();
  runs[1]?.resolve();
  await again;
  expect([begun, outcomes, runs.length]).toEqual([1, ['rejected', 'rejected'], 2]);
});

test('a value is made once and kept, and made again after a failure', async () => {
  let calls = 0;
  const made = makeOnce(async () => {
    calls++;
    if (calls === 1) throw new Error('away');
    return calls;
  });
  const failed = (await Promise.allSettled([made(), made()])).map(({ status }) => status);
  expect([failed, await made(), await made()]).toEqual([['rejected', 'rejected'], 2, 2]);
});
