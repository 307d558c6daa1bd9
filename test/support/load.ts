// Sends requests continuously, and counts them.
import { isThorough } from './thorough.ts';
import { until } from './waiting.ts';

/** Pauses are longer in `npm test`, to leave processor time for tests that run at the same time. */
const paced = (pauseMs: number) => (isThorough ? pauseMs : Math.max(pauseMs, Math.min(pauseMs * 5, 100)));

export class Load implements AsyncDisposable {
  sent = 0;
  failed = 0;
  /** Descriptions of the first few wrong answers. */
  readonly faults: string[] = [];
  readonly milliseconds: number[] = [];
  #isOver = false;
  readonly #loops: Promise<void>[];
  readonly #underWay = new Set<Promise<void>>();

  /** `ask` returns what was wrong with an answer, or undefined. Several loops run at once, each with pauses between requests. */
  constructor(ask: () => Promise<string | undefined>, { loops = isThorough ? 4 : 2, pauseMs = 5 } = {}) {
    this.#loops = Array.from({ length: loops }, async () => {
      while (!this.#isOver) {
        const answer = this.#count(ask);
        this.#underWay.add(answer);
        await answer;
        this.#underWay.delete(answer);
        await Bun.sleep(paced(pauseMs));
      }
    });
  }

  async #count(ask: () => Promise<string | undefined>): Promise<void> {
    const start = performance.now();
    const fault = await ask().catch((error: unknown) => String((error as { code?: unknown }).code ?? error));
    this.milliseconds.push(performance.now() - start);
    this.sent++;
    if (fault === undefined) return;
    this.failed++;
    if (this.faults.length < 5) this.faults.push(fault);
  }

  /** Waits until this many more requests have been answered. */
  async more(count: number): Promise<void> {
    const goal = this.sent + count;
    await until(async () => this.sent >= goal);
  }

  /** Waits for the answers to everything sent so far. */
  async untilAnswered(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  percentile(share: number): number {
    const sorted = this.milliseconds.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? 0;
  }
}

/** Returns what was wrong with an answer that should have one of these statuses. The body is always read. */
export async function expectStatus(answer: Promise<Response>, ...statuses: number[]): Promise<string | undefined> {
  const response = await answer;
  await response.arrayBuffer();
  return statuses.includes(response.status) ? undefined : `${response.status} ${new URL(response.url).pathname}`;
}
