// Ports for what a test starts. Each test process has a range of its own, below those that the system gives to outgoing
// connections: two processes that asked for a free port at the same moment would be given the same one.
const firstPort = 10_000 + Number(process.env.BUN_TEST_WORKER_ID ?? 0) * 2000;
let taken = 0;

/** One that nobody listens on right now, and that is not given again soon. */
export function freePort(): number {
  for (let tries = 0; tries < 2000; tries++) {
    const port = firstPort + (taken++ % 2000);
    if (isFree(port)) return port;
  }
  throw new Error(`no free port from ${firstPort} on`);
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
