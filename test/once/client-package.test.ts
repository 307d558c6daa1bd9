// The client's package, as applications get it: served by Frontdesk, installed by npm, judged by others' checks.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import clientPackageJson from '../../client/package.json';
import packageJson from '../../package.json';
import { type Application, installClient } from '../support/application.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';

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
  test('it needs no token, and costs a 304 when it is known', async () => {
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

  test('it is the file of a release, byte for byte', async () => {
    const packed = Bun.spawn(['npm', 'run', '-s', 'client:pack'], { cwd: root, stdout: 'pipe' });
    const file = (await new Response(packed.stdout).text()).trim();
    expect([await packed.exited, file]).toEqual([0, join(root, `dist/frontdesk-client-${packageJson.version}.tgz`)]);
    expect(Bun.hash(readFileSync(file))).toBe(Bun.hash(bytes));
  });
});

describe('the package', () => {
  test('has the version of the service, its license and its README', () => {
    const installed = (file: string) => join(application.folder, 'node_modules/frontdesk-client', file);
    expect(clientPackageJson.version).toBe(packageJson.version);
    expect(JSON.parse(readFileSync(installed('package.json'), 'utf8'))).toEqual(clientPackageJson);
    expect(readFileSync(installed('LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const readme = readFileSync(installed('README.md'), 'utf8');
    // Links to files that are not in it.
    expect(readme.match(/\]\((?!https?:|#)[^)]*\)/g)).toBeNull();
  });

  test('is without a finding of publint', async () => {
    expect((await publint({ pack: { tarball: bytes } })).messages).toEqual([]);
  });

  test('has types that every resolution of modules finds', async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    if (result.types === false) throw new Error('it has no types');
    // Without `exports`, from before Node 12, subpaths are not found; require() gets an ES module, as Node has it.
    const isOfOldModules = ({ kind, ...where }: (typeof result.problems)[number]) =>
      kind === 'CJSResolvesToESM' || ('resolutionKind' in where && where.resolutionKind === 'node10');
    expect(result.problems.filter((problem) => !isOfOldModules(problem))).toEqual([]);
    expect(Object.keys(result.entrypoints)).toEqual(expect.arrayContaining(['.', './react', './query', './testing']));
  });
});

describe('installed in an empty folder, with no registry', () => {
  const program = `import { createFrontdesk, FrontdeskError, type LookupItem } from 'frontdesk-client';

const [baseUrl = '', accessToken = ''] = process.argv.slice(2);
const frontdesk = createFrontdesk({ baseUrl, accessToken });
const positions: LookupItem[] = await frontdesk.lookup('position');
const failure: unknown = await frontdesk.lookup('nothing').catch((error: unknown) => error);
const code = failure instanceof FrontdeskError ? failure.code : 'none';
console.log((await frontdesk.me()).sub, positions.length, code);
`;

  test('a program for Node compiles and runs', async () => {
    application.write('program.ts', program);
    expect(await application.compile(['program.ts'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const token = await desk.signIn('E-1001');
    expect(await application.run(['node', 'program.js', desk.url, token])).toEqual({
      exitCode: 0,
      stdout: 'E-1001 24 not-found\n',
      stderr: '',
    });
  });

  test('a program for browsers compiles', async () => {
    application.write(
      'page.ts',
      `import { createFrontdesk } from 'frontdesk-client';\nexport const open = createFrontdesk;\n`,
    );
    const options = { module: 'Preserve', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [], noEmit: true };
    expect(await application.compile(['page.ts'], options)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});
