// Loaded before a server (bun --preload): measures the time from the start of one handler to the start of the next, which
// is what a request costs while the server is busy. On SIGUSR2 it writes its figures to a file and begins again.
import { heapStats } from 'bun:jsc';
import { renameSync, writeFileSync } from 'node:fs';

const most = 1_000_000;
const nanoseconds = new Float64Array(most);
let count = 0;
let last = 0;

export interface Figures {
  /** 10th percentile, which other load on the machine hardly changes. */
  microseconds: number;
  modules: number;
  heapMiB: number;
}

type Handler = (request: unknown, server: unknown) => unknown;

function measured(handler: Handler): Handler {
  return (request, server) => {
    const now = Bun.nanoseconds();
    if (count < most) nanoseconds[count++] = now - last;
    last = now;
    return handler(request, server);
  };
}

const path = '/employee/position';
const serve = Bun.serve as (options: { routes?: Record<string, { GET: Handler }> }) => unknown;
Object.assign(Bun, {
  serve(options: Parameters<typeof serve>[0]) {
    const { [path]: handlers, ...others } = options.routes ?? {};
    if (handlers === undefined) return serve(options);
    return serve({ ...options, routes: { ...others, [path]: { ...handlers, GET: measured(handlers.GET) } } });
  },
});

process.on('SIGUSR2', () => {
  const sorted = nanoseconds.slice(0, count).sort();
  count = 0;
  Bun.gc(true);
  const figures: Figures = {
    microseconds: (sorted[Math.floor(sorted.length / 10)] ?? Number.NaN) / 1000,
    modules: Object.keys(require.cache).length,
    heapMiB: heapStats().heapSize / 2 ** 20,
  };
  const file = process.env.FIGURES_FILE ?? '';
  writeFileSync(`${file}.part`, JSON.stringify(figures));
  renameSync(`${file}.part`, file);
});
