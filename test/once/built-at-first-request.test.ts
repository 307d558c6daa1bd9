// In a clone, what is built at the first request for it is built beside the service: nobody else waits.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Browser } from '../support/browser.ts';
import { bearer } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { fromSource, spawnFrontdesk, untilReady } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const makeFolder = temporaryFolders();
const port = freePort();
const url = `http://localhost:${port}`;
let service: Bun.Subprocess;
let token: string;
// A process of its own: in this one, another file may have had them built before.
beforeAll(async () => {
  const folder = makeFolder();
  const env = { PORT: String(port), DEV_IDP_PORT: String(freePort()), RATE_LIMIT_API: '0' };
  service = spawnFrontdesk([], env, folder, Bun.file(join(folder, 'log')), { command: fromSource });
  await untilReady(url);
  const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1003`);
  token = ((await response.json()) as { accessToken: string }).accessToken;
});
afterAll(async () => {
  service?.kill();
  await service?.exited;
});

test.each(['/client/frontdesk-client.tgz', '/console/main.js'])('lists are served while %s is built', async (path) => {
  let isBuilt = false;
  const building = fetch(url + path).finally(() => {
    isBuilt = true;
  });
  let served = 0;
  while (!isBuilt) {
    const response = await fetch(`${url}/employee/position`, { headers: bearer(token) });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    served++;
  }
  expect((await building).status).toBe(200);
  // On the event loop, the second one would wait for the end of the build.
  expect(served).toBeGreaterThan(20);
});
