// Leaving a page of the console, and pages that cannot be loaded.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, startConsole } from '../support/console.ts';

let app: Console;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(() => app?.stop());
afterEach(() => app.leavePages());

test('a part that a newer version replaced is told, with a way to load the page again', async () => {
  const page = await app.enter('E-1001');
  await page.route('**/console/part-*', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Preview form' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'This page has been updated' }).waitFor();
  await expectAccessible(page, 'a missing part');
  await page.unroute('**/console/part-*');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Preview form' }).waitFor();
});

test('the files are kept by browsers where their name says what is in them', async () => {
  const main = await fetch(`${app.desk.url}/console/main.js`);
  expect(main.headers.get('cache-control')).toBe('no-cache');
  const parts = [...new Set((await main.text()).match(/part-[a-z0-9]+\.js/g))];
  expect(parts.length).toBeGreaterThan(5);
  const part = await fetch(`${app.desk.url}/console/${parts[0]}`);
  expect([part.status, part.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
});

test.each(['part-00000000.js', 'constructor.js', '..%2Fmain.js', 'main.js.map'])('%s is no file', async (file) => {
  expect((await fetch(`${app.desk.url}/console/${file}`)).status).toBe(404);
});
