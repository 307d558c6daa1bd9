// Combines the metrics of several workers into those of one process. Sums never decrease, even when a worker ends.
import type { MetricObject } from 'prom-client';
import { oneAtATime } from '../base/one-at-a-time.ts';
import { addUp, addUpCounted } from '../telemetry/metrics.ts';

export class WorkerMetrics<Worker> {
  /** The supervisor's own metrics. */
  readonly #own: MetricObject[];
  /** The last metrics of each running worker. */
  readonly #running = new Map<Worker, MetricObject[]>();
  /** The counters of workers that have ended. */
  readonly #ended: MetricObject[][] = [];

  constructor(own: MetricObject[]) {
    this.#own = own;
  }

  begin(worker: Worker): void {
    this.#running.set(worker, []);
  }

  /** Ignores metrics that arrive after the worker has ended, because they would count twice. */
  update(worker: Worker, snapshot: MetricObject[]): void {
    if (snapshot.length > 0 && this.#running.has(worker)) this.#running.set(worker, snapshot);
  }

  /** Moves the counters synchronously and adds them up later, so that a concurrent sum counts them exactly once. */
  end(worker: Worker): void {
    const last = this.#running.get(worker);
    this.#running.delete(worker);
    if (last !== undefined && last.length > 0) this.#ended.push(last);
    if (this.#ended.length > maxParts) void this.#compact();
  }

  /** Returns the metrics in Prometheus' text format. Workers that have ended contribute only their counters. */
  async text(): Promise<string> {
    const [running, ended] = [[...this.#running.values()], [...this.#ended]];
    return addUp([this.#own, ...running, await addUpCounted(ended)]);
  }

  /** The number of sets of metrics that are added up. */
  get parts(): number {
    return this.#running.size + this.#ended.length;
  }

  readonly #compact = oneAtATime(async () => {
    const parts = [...this.#ended];
    const sum = await addUpCounted(parts);
    // The counters of workers that ended in the meantime come after these parts, and are kept.
    this.#ended.splice(0, parts.length, sum);
  });
}

const maxParts = 8;
