// The client package as applications get it: served by Frontdesk, installed with npm and checked with other tools.
// client.test.ts tests the client in a browser. packaging.test.ts checks that a release contains this package, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import clientPackageJson from '../../client/package.json';
import packageJson from '../../package.json';
import { type Application, installClient } from '../support/application.ts';
import { addCaller, keyFile, makeSigner, ownClaims, requestToken } from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const path = '/client/frontdesk-client.tgz';
let desk: Frontdesk;
let application: Application;
let bytes: ArrayBuffer;
beforeAll(async () => {
  desk = await startFrontdesk();
  bytes = await (await desk.get(path)).arrayBuffer();
  application = await installClient(desk.url);
});
afterAll(async () => {
  await desk.stop();
  rmSync(application.folder, { recursive: true });
});

describe('served by Frontdesk', () => {
  test('it needs no token, and the answer is 304 if the requester has it already', async () => {
    const { status, headers } = await desk.get(path, { 'accept-encoding': 'br, gzip' });
    const named = ['content-type', 'content-encoding', 'cache-control'].map((name) => headers.get(name));
    expect([status, ...named]).toEqual([200, 'application/gzip', null, 'no-cache']);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await desk.get(path, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  });

  test('HEAD says how large it is', async () => {
    const { status, headers } = await fetch(desk.url + path, { method: 'HEAD' });
    expect([status, headers.get('content-length')]).toEqual([200, String(bytes.byteLength)]);
  });
});

describe('the package', () => {
  test('has the version of the service, its license and its README', () => {
    const installed = (file: string) => join(application.folder, 'node_modules/frontdesk-client', file);
    expect(clientPackageJson.version).toBe(packageJson.version);
    expect(JSON.parse(readFileSync(installed('package.json'), 'utf8'))).toEqual(clientPackageJson);
    expect(readFileSync(installed('LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const readme = readFileSync(installed('README.md'), 'utf8');
    // No relative links: they would lead to files that are not in the package.
    expect(readme.match(/\]\((?!https?:|#)[^)]*\)/g)).toBeNull();
  });

  test('passes publint without findings', async () => {
    expect((await publint({ pack: { tarball: bytes } })).messages).toEqual([]);
  });

  test('has types that are found with every way of resolving modules', async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    if (result.types === false) throw new Error('it has no types');
    // Two known limits: resolvers from before Node 12 ignore `exports` and find no subpaths; require() gets an ES module.
    const isOfOldModules = ({ kind, ...where }: (typeof result.problems)[number]) =>
      kind === 'CJSResolvesToESM' || ('resolutionKind' in where && where.resolutionKind === 'node10');
    expect(result.problems.filter((problem) => !isOfOldModules(problem))).toEqual([]);
    expect(Object.keys(result.entrypoints)).toEqual(expect.arrayContaining(['.', './react', './query', './testing']));
  });
});

describe('installed in an empty folder, with no registry', () => {
  // Without generated lists, any text may be the name of a list or a value.
  const program = `import { createFrontdesk, FrontdeskError, type LookupItem } from 'frontdesk-client';

const [baseUrl = '', accessToken = ''] = process.argv.slice(2);
const frontdesk = createFrontdesk({ baseUrl, accessToken });
const positions: LookupItem[] = await frontdesk.lookup('position');
const failure: unknown = await frontdesk.lookup('nothing').catch((error: unknown) => error);
const code = failure instanceof FrontdeskError ? failure.code : 'none';
const [judged] = (await frontdesk.validate({ position: 'ASTRONAUT', 'employee-level': ['LEAD'] })).results;
const label: string = await frontdesk.label('position', 'ACCOUNTANT');
console.log((await frontdesk.me()).sub, positions.length, code, judged?.status, label);
`;
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const payroll = /## In a back end, as a program[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  beforeAll(async () => {
    symlinkSync(join(root, 'node_modules/jose'), join(application.folder, 'node_modules/jose'));
    application.write('program.ts', program);
    application.write('payroll.ts', payroll.replace('https://desk.example.com', desk.url));
    expect(await application.compile(['program.ts', 'payroll.ts'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('a program for Node compiles and runs', async () => {
    const token = await desk.signIn('E-1001');
    expect(await application.run(['node', 'program.js', desk.url, token])).toEqual({
      exitCode: 0,
      stdout: 'E-1001 24 not-found unknown Accountant\n',
      stderr: '',
    });
  });

  test('the payroll example in the README compiles, and checks stored values, in Node and in Bun', async () => {
    const signer = await makeSigner();
    const privateKey = createPrivateKey({ key: { ...signer.privateJwk }, format: 'jwk' });
    application.write('payroll.key', String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const publicKey = String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
    await addCaller(desk, 'payroll', '--key', keyFile(desk, publicKey));
    // The service learns of the caller within a second.
    const assert = () => signer.sign(ownClaims('payroll', desk.url));
    await until(async () => (await requestToken(desk, await assert())).status === 200);
    const headers = { ...bearer(await desk.signIn()), 'content-type': 'application/json', 'if-match': '"1"' };
    const body = JSON.stringify({ replacedBy: 'ACCOUNTANT' });
    const address = `${desk.url}/admin/lookups/position/items/PAYROLL_CLERK/retire`;
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
    const stdout = [
      'ACCOUNTANT active - Accountant',
      'PAYROLL_CLERK retired ACCOUNTANT Payroll and Timekeeping Clerk',
      'ASTRONAUT unknown - ASTRONAUT',
    ];
    for (const runtime of ['node', process.execPath]) {
      const expected = { exitCode: 0, stdout: `${stdout.join('\n')}\n`, stderr: '' };
      expect(await application.run([runtime, 'payroll.js'])).toEqual(expected);
    }
  });
});
