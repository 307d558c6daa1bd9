// What the process itself tells: memory, processor time, open files, how long its turn is waited for.
import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

/** prom-client's own would tell of Node's engine, which is not there. */
export function addProcessMetrics(registers: Registry[]): void {
  const startedAt = Date.now() / 1000 - process.uptime();
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started',
    aggregator: 'max',
    registers,
  }).set(startedAt);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory in use',
    registers,
    collect() {
      this.set(orNothing(process.memoryUsage.rss));
    },
  });
  if (process.platform === 'linux') {
    new Gauge({
      name: 'process_open_fds',
      help: 'Open files and connections',
      registers,
      collect() {
        this.set(orNothing(() => readdirSync('/proc/self/fd').length));
      },
    });
  }
  let worst = 0;
  let due = performance.now() + lagCheckMs;
  setInterval(() => {
    worst = Math.max(worst, performance.now() - due);
    due = performance.now() + lagCheckMs;
  }, lagCheckMs).unref();
  new Gauge({
    name: 'frontdesk_event_loop_lag_seconds',
    help: 'The longest anything had to wait for its turn since the last time this was read',
    aggregator: 'max',
    registers,
    collect() {
      this.set(Math.max(0, worst) / 1000);
      worst = 0;
    },
  });
}

/** With no file left to open, the system tells nothing about itself either. */
function orNothing(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}

const lagCheckMs = 100;
