// Metrics of the process: memory, processor time, open files, delay of the event loop.
import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Instead of prom-client's defaults, which depend on Node's engine. */
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
      this.set(orNaN(process.memoryUsage.rss));
    },
  });
  if (process.platform === 'linux') {
    new Gauge({
      name: 'process_open_fds',
      help: 'Open files and connections',
      registers,
      collect() {
        this.set(orNaN(() => readdirSync('/proc/self/fd').length));
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
    help: 'The longest delay of the event loop since the last scrape',
    aggregator: 'max',
    registers,
    collect() {
      this.set(Math.max(0, worst) / 1000);
      worst = 0;
    },
  });
}

/** When the process is out of file descriptors, the files in /proc cannot be read either. */
function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}

const lagCheckMs = 100;
