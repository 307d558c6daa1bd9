// Ports for servers that tests start. Each test process has its own range, because two processes that look for a free port
// at the same moment would find the same one. All are below the ports that the system uses for outgoing connections.

/** Maximum number of test processes, one for each range. */
export const maxProcesses = 16;
// Above 10080, which browsers refuse to open (WHATWG Fetch, bad ports).
const [firstPort, lastPort] = [10_100, 32_000];
// The development provider takes the next free port after the service's.
const step = 5;

const size = Math.floor((lastPort - firstPort) / maxProcesses / step);
const start = firstPort + (Number(process.env.BUN_TEST_WORKER_ID ?? 0) % maxProcesses) * size * step;
let given = 0;

/** A port that nobody listens on now, and that is not returned again soon. */
export function freePort(): number {
  for (let tries = 0; tries < size; tries++) {
    const port = start + (given++ % size) * step;
    if (isFree(port)) return port;
  }
  throw new Error(`no free port from ${start} on`);
}

function isFree(port: number): boolean {
  try {
    // The port must be free on both addresses of localhost.
    for (const hostname of ['127.0.0.1', '::1']) {
      Bun.serve({ port, hostname, reusePort: false, fetch: () => new Response() }).stop(true);
    }
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EADDRNOTAVAIL';
  }
}
