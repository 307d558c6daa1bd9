import { expect, test } from 'bun:test';
import { createStepper } from './stepper.ts';

const wait = async () => {
  const start = performance.now();
  await Bun.sleep(20);
  return performance.now() - start;
};

test('between two steps, others get their share of the time', async () => {
  const runStep = createStepper({ share: 0.25 });
  const tookMs = await runStep(wait);
  const end = performance.now();
  const start = await runStep(async () => performance.now());
  expect(start - end).toBeGreaterThan(2.9 * tookMs);
});

test('a step that fails is followed by a pause as well', async () => {
  const runStep = createStepper({ minPauseMs: 50 });
  await expect(runStep(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const end = performance.now();
  expect((await runStep(async () => performance.now())) - end).toBeGreaterThan(45);
});
