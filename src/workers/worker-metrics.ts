// What several workers count, as if they were one process. Sums never fall, whichever of them ends.
import type { MetricObject } from 'prom-client';
import { addUp, addUpCounted } from '../telemetry/metrics.ts';

export class WorkerMetrics<Worker> {
  /** The last that each living worker told. */
  readonly #living = new Map<Worker, MetricObject[]>();
  /** What those counted that have ended. */
  readonly #ended: MetricObject[][] = [];
  #compacting: Promise<void> | undefined;

  begin(worker: Worker): void {
    this.#living.set(worker, []);
  }

  /** What comes after the end was never shown, and would count twice. */
  heard(worker: Worker, snapshot: MetricObject[]): void {
    if (snapshot.length > 0 && this.#living.has(worker)) this.#living.set(worker, snapshot);
  }

  /** At once, not after a sum is made: who adds up meanwhile finds it in one place, never in both or in none. */
  end(worker: Worker): void {
    const last = this.#living.get(worker);
    this.#living.delete(worker);
    if (last !== undefined && last.length > 0) this.#ended.push(last);
    if (this.#ended.length > mostParts) this.#compacting ??= this.#compact();
  }

  /** In Prometheus' text format; of those that ended what they counted, and no gauge. */
  async text(): Promise<string> {
    const [living, ended] = [[...this.#living.values()], [...this.#ended]];
    return addUp([...living, await addUpCounted(ended)]);
  }

  /** How many it would add up. */
  get parts(): number {
    return this.#living.size + this.#ended.length;
  }

  async #compact(): Promise<void> {
    const parts = [...this.#ended];
    const sum = await addUpCounted(parts);
    // Those that ended meanwhile are behind them.
    this.#ended.splice(0, parts.length, sum);
    this.#compacting = undefined;
  }
}

const mostParts = 8;
