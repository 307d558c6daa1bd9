import { afterAll, beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';
import { createServiceCall } from './service-call.ts';

let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  const never = new Promise<Response>(() => {});
  const begun = () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }));
  server = Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch: ({ url }) => (new URL(url).pathname === '/begins' ? begun() : never),
  });
});
afterAll(() => server.stop(true));

test.each(['/says-nothing', '/begins'])(
  'a service that does not finish its answer is not waited for: %s',
  async (path) => {
    const call = createServiceCall(`http://localhost:${server.port}`, { FRONTDESK_TOKEN: 'x' }, 100);
    await expect(call(z.unknown(), path)).rejects.toMatchObject({
      name: 'CommandError',
      exitCode: 75,
      message: `http://localhost:${server.port} cannot be reached (time-out): try again.`,
    });
  },
);
