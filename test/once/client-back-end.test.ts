// The client in a back end, as a registered caller of a real Frontdesk: in Node, from the package, and in Bun.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createFrontdesk, FrontdeskError } from '../../client/src/index.ts';
import { type Application, installClient } from '../support/application.ts';
import { addCaller, addOwnKeyCaller, keyFile, makeSigner, ownClaims, runCallers } from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let application: Application;
beforeAll(async () => {
  desk = await startFrontdesk();
  application = await installClient(desk.url);
  symlinkSync(join(root, 'node_modules/jose'), join(application.folder, 'node_modules/jose'));
  const headers = { ...bearer(await desk.signIn()), 'content-type': 'application/json', 'if-match': '"1"' };
  const body = JSON.stringify({ replacedBy: 'ACCOUNTANT' });
  const address = `${desk.url}/admin/lookups/position/items/PAYROLL_CLERK/retire`;
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
});
afterAll(async () => {
  await desk.stop();
  rmSync(application.folder, { recursive: true });
});

/** Registered with a key, and known to the service. */
async function register(name: string, roles?: string) {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, name, signer, roles);
  return () => signer.sign(ownClaims(name, desk.url));
}

test('the payroll of the README compiles, and checks its stored values, in Node and in Bun', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  application.write('payroll.key', privateKey);
  await addCaller(desk, 'payroll', '--key', keyFile(desk, publicKey));
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const program = /## In a back end[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  application.write('payroll.ts', program.replace('https://desk.example.com', desk.url));
  expect(await application.compile(['payroll.ts'])).toMatchObject({ exitCode: 0, stdout: '' });
  const stdout = [
    'ACCOUNTANT active - Accountant',
    'PAYROLL_CLERK retired ACCOUNTANT Payroll and Timekeeping Clerk',
    'ASTRONAUT unknown - ASTRONAUT',
  ];
  const expected = { exitCode: 0, stdout: `${stdout.join('\n')}\n`, stderr: '' };
  // The service learns of the caller within a second.
  await until(async () => (await application.run(['node', 'payroll.js'])).exitCode === 0);
  expect(await application.run(['node', 'payroll.js'])).toEqual(expected);
  expect(await application.run([process.execPath, 'payroll.js'])).toEqual(expected);
});

test('it notices that it was removed, with the code of the refusal, and works again when it is registered', async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(desk, 'reports', signer);
  const client = createFrontdesk({ baseUrl: desk.url, assertion: () => signer.sign(ownClaims('reports', desk.url)) });
  expect((await client.lookup('position')).length).toBe(23);
  await runCallers(desk, 'remove', 'reports');
  const failure = async () =>
    client.lookup('position').then(
      () => undefined,
      (error: unknown) => error,
    );
  await until(async () => (await failure()) !== undefined);
  const error = await failure();
  if (!(error instanceof FrontdeskError)) throw new Error('it was not refused');
  expect([error.code, error.status]).toEqual(['assertion-rejected', 400]);
  await addOwnKeyCaller(desk, 'reports', signer);
  expect((await client.lookup('position')).length).toBe(23);
});

test('it hears of changes, and is no person', async () => {
  const client = createFrontdesk({ baseUrl: desk.url, assertion: await register('listener', 'LOOKUP_ADMIN') });
  const leaving = new AbortController();
  const connected = Promise.withResolvers<void>();
  const changes = client.changes({ signal: leaving.signal, onState: () => connected.resolve() });
  const next = changes.next();
  await connected.promise;
  const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
  const body = JSON.stringify({ label: 'Leads' });
  await client.request('/admin/lookups/employee-level/items/LEAD', { method: 'PATCH', headers, body });
  expect((await next).value).toMatchObject({ list: 'employee-level', version: 2 });
  leaving.abort();
  expect((await changes.next()).done).toBe(true);
  expect(await client.me().catch(({ code, status }: FrontdeskError) => [code, status])).toEqual(['not-a-person', 403]);
});

test('the command that writes typed lists takes an assertion; a planner gets every retired value, others those of today', async () => {
  const generate = async (assertion: string) => {
    application.write('assertion', `${assertion}\n`);
    rmSync(join(application.folder, 'lists.ts'), { force: true });
    const args = ['generate', '--url', desk.url, '--out', 'lists.ts'];
    const env = { FRONTDESK_ASSERTION_FILE: 'assertion' };
    return application.run(['node', 'node_modules/.bin/frontdesk-client', ...args], env);
  };
  const planner = await (await register('planner', 'LOOKUP_PLANNER'))();
  const done = { exitCode: 0, stderr: '' };
  expect(await generate(planner)).toEqual({ ...done, stdout: 'lists.ts: 4 lists, 44 values\n' });
  // An assertion with a key of its own works once.
  expect(await generate(planner)).toMatchObject({ exitCode: 77, stderr: expect.stringContaining('No access token') });
  const reader = await (await register('reader'))();
  expect(await generate(reader)).toEqual({ ...done, stdout: 'lists.ts: 4 lists, 43 values\n' });
});
