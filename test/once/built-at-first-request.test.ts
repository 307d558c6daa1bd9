// In a clone, some files are built when first requested. The build runs outside the event loop, so other requests do not wait.
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
// Starts the service in a separate process, because another test file may already have built the files in this one.
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
  // If the build blocked the event loop, one of the first requests would wait for its end, and no others would follow.
  expect(served).toBeGreaterThan(20);
});
