// Requests that keep coming, counted.

import { isThorough } from './thorough.ts';

/** `npm test` leaves more of the processor to the tests beside it. */
const paced = (pauseMs: number) => (isThorough ? pauseMs : Math.max(pauseMs, Math.min(pauseMs * 5, 100)));

export class Load {
  sent = 0;
  failed = 0;
  /** The first few, in words. */
  readonly faults: string[] = [];
  readonly milliseconds: number[] = [];
  #isOver = false;
  readonly #loops: Promise<void>[];

  /** `ask` tells what was wrong, or nothing. Several loops at once, each with a pause between its requests. */
  constructor(ask: () => Promise<string | undefined>, { loops = 4, pauseMs = 5 } = {}) {
    this.#loops = Array.from({ length: loops }, async () => {
      while (!this.#isOver) {
        const start = performance.now();
        const fault = await ask().catch((error: unknown) => String((error as { code?: unknown }).code ?? error));
        this.milliseconds.push(performance.now() - start);
        this.sent++;
        if (fault !== undefined) {
          this.failed++;
          if (this.faults.length < 5) this.faults.push(fault);
        }
        await Bun.sleep(paced(pauseMs));
      }
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  percentile(share: number): number {
    const sorted = this.milliseconds.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? 0;
  }
}

/** What was wrong with an answer that should have had this status; its body is read either way. */
export async function expectStatus(answer: Promise<Response>, ...statuses: number[]): Promise<string | undefined> {
  const response = await answer;
  await response.arrayBuffer();
  return statuses.includes(response.status) ? undefined : `${response.status} ${new URL(response.url).pathname}`;
}
