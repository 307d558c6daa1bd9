// Ports for what a test starts. Each test process has a range of its own, below those that the system gives to outgoing
// connections: two processes that asked for a free port at the same moment would be given the same one.

/** As many test processes as there are ranges. */
export const mostProcesses = 16;
// Above 10080, which browsers refuse to open (WHATWG Fetch, bad ports).
const [firstPort, lastPort] = [10_100, 32_000];
// The development provider takes the next free port behind the service's.
const step = 5;

const size = Math.floor((lastPort - firstPort) / mostProcesses / step);
const start = firstPort + (Number(process.env.BUN_TEST_WORKER_ID ?? 0) % mostProcesses) * size * step;
let given = 0;

/** One that nobody listens on right now, and that is not given again soon. */
export function freePort(): number {
  for (let tries = 0; tries < size; tries++) {
    const port = start + (given++ % size) * step;
    if (isFree(port)) return port;
  }
  throw new Error(`no free port from ${start} on`);
}

function isFree(port: number): boolean {
  try {
    // Both addresses of localhost.
    for (const hostname of ['127.0.0.1', '::1']) {
      Bun.serve({ port, hostname, reusePort: false, fetch: () => new Response() }).stop(true);
    }
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EADDRNOTAVAIL';
  }
}
