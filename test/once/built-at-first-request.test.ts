// In a clone, what is built at the first request for it is built beside the service: nobody else waits.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

let desk: Frontdesk;
beforeAll(async () => {
  desk = await startFrontdesk({ RATE_LIMIT_API: '0' });
});
afterAll(() => desk?.stop());

test.each(['/client/frontdesk-client.tgz', '/console/main.js'])('lists are served while %s is built', async (path) => {
  const headers = bearer(await desk.signIn());
  let isBuilt = false;
  const building = desk.get(path).finally(() => {
    isBuilt = true;
  });
  let served = 0;
  while (!isBuilt) {
    const response = await desk.get('/employee/position', headers);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    served++;
  }
  expect((await building).status).toBe(200);
  // On the event loop, the second one would wait for the end of the build.
  expect(served).toBeGreaterThan(20);
});
