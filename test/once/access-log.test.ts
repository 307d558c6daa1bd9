// With ACCESS_LOG=stdout, the service writes a line of JSON for each request. Without it, it writes none.
import { expect, test } from 'bun:test';
import { hostname } from 'node:os';
import { Browser } from '../support/browser.ts';
import { bearer } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { runFrontdesk, untilReady } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const folder = temporaryFolders();

/** Sends the same requests to a service with these settings. Returns what it wrote, and the token. */
async function serve(env: Record<string, string>) {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const child = runFrontdesk([], { PORT: String(port), LOG_LEVEL: 'warn', ...env }, folder());
  await untilReady(url);
  const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const headers = bearer(accessToken);
  const asked: [method: string, path: string, headers?: Record<string, string>][] = [
    ['GET', '/employee/position', headers],
    ['HEAD', '/employee/position', headers],
    ['GET', '/employee/position?q=secret', headers],
    ['GET', '/employee/position'],
    ['GET', '/employee/nothing-of-the-kind', headers],
    ['GET', '/auth/me', headers],
    ['GET', '/secret-path'],
    ['POST', '/auth/logout', headers],
    ['GET', '/auth/me', headers],
  ];
  const ids: (string | null)[] = [];
  for (const [method, path, sent = {}] of asked) {
    ids.push((await fetch(url + path, { method, headers: sent })).headers.get('x-request-id'));
  }
  child.kill('SIGTERM');
  const output = await new Response(child.stdout).text();
  await child.exited;
  const lines = output
    .split('\n')
    .filter((line) => line.includes('"access"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { lines, output, ids, accessToken };
}

test('each request has a line with its route, status, time, request ID and employee ID, and nothing else', async () => {
  const { lines, ids, accessToken, output } = await serve({ ACCESS_LOG: 'stdout', INSTANCE_NAME: 'desk-1' });
  const last = lines.slice(-9);
  expect(last.map(({ method, route, status, employeeId }) => [method, route, status, employeeId])).toEqual([
    ['GET', '/employee/position', 200, 'E-1001'],
    ['HEAD', '/employee/position', 200, 'E-1001'],
    ['GET', '/employee/position', 200, 'E-1001'],
    ['GET', '/employee/position', 401, undefined],
    ['GET', '/employee/{list}', 404, undefined],
    ['GET', '/auth/me', 200, 'E-1001'],
    ['GET', 'none', 404, undefined],
    ['POST', '/auth/logout', 204, 'E-1001'],
    ['GET', '/auth/me', 401, undefined],
  ]);
  expect(last.map(({ requestId }) => requestId ?? null)).toEqual(ids);
  const known = ['access', 'time', 'instance', 'method', 'route', 'status', 'requestId', 'employeeId', 'ms'];
  for (const line of lines) {
    expect(Object.keys(line).filter((name) => !known.includes(name))).toEqual([]);
    expect([line.instance, line.ms]).toEqual(['desk-1', expect.any(Number)]);
  }
  expect(lines.some(({ route, status }) => route === '/auth/login/callback' && status === 200)).toBe(true);
  for (const secret of [accessToken, 'secret', 'nothing-of-the-kind', 'example.com'])
    expect(output).not.toContain(secret);
});

test('by default there is no access log', async () => {
  const { lines, output } = await serve({});
  expect([lines, output]).toEqual([[], expect.not.stringContaining('E-1001 ')]);
});

test('log lines name the replica: INSTANCE_NAME, or else the name of the host', async () => {
  const { output } = await serve({ LOG_LEVEL: 'info' });
  const logged = output.split('\n').filter((line) => line.startsWith('{'));
  expect(logged.length).toBeGreaterThan(1);
  expect(logged.filter((line) => (JSON.parse(line) as { instance?: string }).instance !== hostname())).toEqual([]);
});
