// Runs a sequence of operations, compares some answers with the model after each, and shrinks a failing sequence to the
// shortest one that still fails.
import fc from 'fast-check';
import { beginning, operation } from './any-operation.ts';
import { view } from './any-view.ts';
import { look } from './look.ts';
import type { Operation } from './operations.ts';
import { perform } from './perform.ts';
import type { ModelledService } from './service.ts';
import type { View } from './views.ts';
import { newWorld } from './world.ts';

export interface Step {
  operation: Operation;
  views: View[];
}

export interface Failure {
  steps: Step[];
  error: unknown;
}

const someSteps = fc.array(fc.record({ operation, views: fc.array(view, { minLength: 1, maxLength: 3 }) }), {
  minLength: 30,
  maxLength: 60,
});

/** Random sequences. Most begin with both lists and some items. */
export const steps: fc.Arbitrary<Step[]> = fc
  .tuple(beginning, someSteps)
  .map(([first, some]) => [...first.map((each): Step => ({ operation: each, views: [] })), ...some]);

/** Stops at the first difference, and returns the steps up to it, of their views only the one that failed. */
export async function run(service: ModelledService, all: readonly Step[]): Promise<Failure | undefined> {
  const world = newWorld(service);
  for (const [index, step] of all.entries()) {
    let asked: View[] = [];
    try {
      await perform(world, step.operation);
      for (const each of step.views) {
        asked = [each];
        await look(world, each);
      }
    } catch (error) {
      const before = all.slice(0, index).map((each) => ({ ...each, views: [] }));
      return { steps: [...before, { operation: step.operation, views: asked }], error };
    }
  }
  return undefined;
}

/** Removes steps without which the run still fails: halves first, then smaller parts, then single steps. */
export async function shorten(service: ModelledService, found: Failure): Promise<Failure> {
  let shortest = found;
  for (let size = Math.ceil(found.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.steps.length; ) {
      const shorter = await run(service, shortest.steps.toSpliced(from, size));
      if (shorter === undefined) from += size;
      else shortest = shorter;
    }
  }
  return shortest;
}

export const describeFailure = ({ steps: all, error }: Failure): string =>
  [
    ...all.map((step) => JSON.stringify(step.operation)),
    ...(all.at(-1)?.views ?? []).map((each) => `then ${JSON.stringify(each)}`),
    error instanceof Error ? error.message : String(error),
  ].join('\n');
