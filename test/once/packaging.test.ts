// Frontdesk as it is distributed: a clone in any folder, the one-file executable, the container image.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleConsole, type ConsoleFiles } from '../../console/build.ts';
import packageJson from '../../package.json';
import { variables } from '../../src/config/variables.ts';
import { Browser } from '../support/browser.ts';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { executable, root, runToEnd, untilReady } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { isThorough } from '../support/thorough.ts';

const folders: string[] = [];
const folder = () => {
  const made = makeFolder();
  folders.push(made);
  return made;
};
const children: Bun.Subprocess[] = [];
afterAll(async () => {
  // Ends what a failed test left running.
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ exited }) => exited));
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** The files of a clone: those that git tracks, and new ones that it does not ignore. */
function filesOfClone(): string[] {
  const { stdout, exitCode } = Bun.spawnSync(
    [programPath('git'), 'ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'],
    {
      cwd: root,
    },
  );
  expect(exitCode).toBe(0);
  return stdout
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

/** The files that `docker build` sends: a path is left out if the last matching pattern excludes it. */
function filesOfContext(): string[] {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const isLeftOut = (file: string) => {
    const parts = file.split('/');
    // A pattern that matches a folder matches everything in it.
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = patterns.findLast((pattern) =>
      paths.some((path) => new Bun.Glob(pattern.replace(/^!/, '')).match(path)),
    );
    return last !== undefined && !last.startsWith('!');
  };
  return filesOfClone().filter((file) => !isLeftOut(file));
}

/**
 * Copies the files from which the image is built to a new folder, and links the packages that `npm ci` installed here. The
 * service must run from these files alone, as it does from a clone.
 */
function copyContext(): string {
  const copy = join(folder(), 'A clone #1, 100% größer');
  for (const file of filesOfContext()) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  linkPackages(copy);
  return copy;
}

function linkPackages(copy: string, isWanted = (_: string) => true): void {
  const packages = join(copy, 'node_modules');
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules')).filter(isWanted))
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
}

let copy: string;
/** The console and the client package as this tree builds them. */
let ownScript: string;
let releasedClient: Uint8Array;
beforeAll(async () => {
  copy = copyContext();
  const { 'main.js': script = '' } = JSON.parse(await bundleConsole()) as ConsoleFiles;
  ownScript = script;
  const packed = Bun.spawnSync(['npm', 'run', '-s', 'build', '--', 'package'], { cwd: root });
  const file = join(root, `dist/frontdesk-client-${packageJson.version}.tgz`);
  expect([packed.exitCode, packed.stdout.toString()]).toEqual([0, `${file}\n`]);
  releasedClient = readFileSync(file);
});

/** The names of the bundle's chunks depend on the path of node_modules, which is a symbolic link in the copy. */
const withoutPartNames = (script: string) => script.replaceAll(/\b[0-9a-z]{8}\b/g, '');

/** Compares the page at /, its script and the client's package with what this tree builds, byte for byte. */
async function expectFiles(url: string): Promise<void> {
  const [page, script] = await Promise.all([fetch(`${url}/`), fetch(`${url}/console/main.js`)]);
  expect([page.status, script.status]).toEqual([200, 200]);
  expect(await page.text()).toContain('<script type="module" src="console/main.js"></script>');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const text = await script.text();
  expect(text).toContain('Sign in with your company account');
  expect(Bun.hash(withoutPartNames(text))).toBe(Bun.hash(withoutPartNames(ownScript)));
  const client = await fetch(`${url}/client/frontdesk-client.tgz`);
  expect(client.status).toBe(200);
  expect(Bun.hash(await client.arrayBuffer())).toBe(Bun.hash(releasedClient));
}

const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

/** Starts Frontdesk with this command, checks what it serves, and stops it. */
async function expectFilesOf(command: readonly string[], expectServed = expectFiles): Promise<void> {
  const port = freePort();
  const child = Bun.spawn([...command], {
    cwd: folder(),
    env: { ...environment, PORT: String(port) },
    stdout: 'ignore',
  });
  children.push(child);
  await untilReady(`http://localhost:${port}`);
  await expectServed(`http://localhost:${port}`);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
}

describe('a clone', () => {
  test('has a console and a client in a folder with any name', async () => {
    linkPackages(copy);
    await expectFilesOf([process.execPath, '--no-env-file', join(copy, 'src/main.ts')]);
  });

  test('without the development packages has a console, but no client package', async () => {
    linkPackages(copy, (name) => name !== 'typescript');
    await expectFilesOf([process.execPath, '--no-env-file', join(copy, 'src/main.ts')], async (url) => {
      const files = ['/console/main.js', '/client/frontdesk-client.tgz'].map((path) => fetch(url + path));
      expect((await Promise.all(files)).map(({ status }) => status)).toEqual([200, 404]);
    });
  });
});

test('everything that is released has one version', () => {
  const versionIn = (file: string) =>
    (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;
  const { version } = packageJson;
  expect(['package-lock.json', 'client/package.json'].map(versionIn)).toEqual([version, version]);
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
});

describe('the one-file executable', () => {
  test('runs in an empty folder with everything inside', async () => {
    const home = folder();
    copyFileSync(executable(), join(home, 'frontdesk'));
    const port = freePort();
    const url = `http://localhost:${port}`;
    // A dollar sign in .env is literal for the executable, too.
    writeFileSync(join(home, '.env'), `PORT=${port}\nSECRET_KEY='$HOME is not meant, and this is long enough'\n`);
    const run = (...args: string[]) =>
      Bun.spawn([join(home, 'frontdesk'), ...args], { cwd: home, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    const child = run();
    children.push(child);
    await untilReady(url);
    const health = run('health');
    expect([await health.exited, await new Response(health.stdout).text()]).toEqual([0, 'up\n']);
    const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
    const { accessToken } = (await response.json()) as { accessToken: string };
    const list = await fetch(`${url}/employee/position`, { headers: bearer(accessToken) });
    expect(((await list.json()) as unknown[]).length).toBe(24);
    await expectFiles(url);
    // Documents are read in a thread, whose code must be in the executable, too.
    const plan = await fetch(`${url}/admin/lookups/plan`, {
      method: 'POST',
      headers: { ...bearer(accessToken), 'content-type': 'application/yaml' },
      body: 'lists: { position: { items: [{ value: NEW_ONE, label: New }] } }',
    });
    expect([plan.status, await plan.json()]).toMatchObject([200, { changes: [{ value: 'NEW_ONE', kind: 'add' }] }]);
    for (const path of [
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/problems/not-found',
    ]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    const env = {
      SECRET_KEY: '$HOME is not meant, and this is long enough',
      DATABASE_URL: `sqlite:${home}/data/frontdesk.db`,
    };
    expect(await runToEnd(['check'], env, home)).toMatchObject({ exitCode: 0 });
    expect(await run('health').exited).toBe(1);
  });
});

describe('the container image', () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');

  test('is built by exactly the commands that these tests run', () => {
    const [stage = ''] = dockerfile.split(/\n(?=FROM )/);
    // The packages are those that npm ci installed in the clone: see linkPackages.
    expect([...stage.matchAll(/^RUN (.*)$/gm)].map(([, command]) => command)).toEqual(['npm ci', 'npm run build']);
  });

  test('has labels with the version, and with the commit that the executable is built with', () => {
    expect(dockerfile).toContain(`org.opencontainers.image.version="${packageJson.version}"`);
    expect(dockerfile).toContain('org.opencontainers.image.revision="$FRONTDESK_COMMIT"');
    const [stage = '', image = ''] = dockerfile.split(/\n(?=FROM )/);
    for (const part of [stage, image]) expect(part).toContain('\nARG FRONTDESK_COMMIT=unknown\n');
  });

  // In other runs, the tests of a clone above show that the image's context has enough files, and test/run.ts shows that the
  // executable can be built.
  if (isThorough) {
    /** Runs the command of the image's first build stage in a folder with the files of the image's context. */
    const build = () => Bun.spawnSync(['npm', 'run', '-s', 'build'], { cwd: copy, env: environment });

    test('is built from exactly the files of its context', async () => {
      linkPackages(copy);
      const { exitCode, stderr } = build();
      expect([exitCode, stderr.toString()]).toEqual([0, expect.not.stringContaining('error')]);
      await expectFilesOf([join(copy, 'dist/frontdesk')]);
    });

    test('names the file if one is missing', () => {
      linkPackages(copy);
      const file = join(copy, 'client/src/react.ts');
      const text = readFileSync(file);
      unlinkSync(file);
      const { exitCode, stderr } = build();
      writeFileSync(file, text);
      expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining('client/src/react.ts')]);
    });
  }

  test('runs in compose.yaml beside a realm whose people keep their subjects when it is imported again', () => {
    const realm = JSON.parse(readFileSync(join(root, 'deploy/keycloak/company-realm.json'), 'utf8')) as {
      users: { id?: string }[];
    };
    // Keycloak uses `id` as the subject, and generates one if it is missing.
    const ids = realm.users.map(({ id = '' }) => id);
    expect(
      ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([]);
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });

  test('and compose.yaml name only variables that exist', () => {
    const { services } = Bun.YAML.parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')) as {
      services: { frontdesk: { environment: Record<string, string> } };
    };
    for (const name of Object.keys(services.frontdesk.environment)) expect(Object.keys(variables)).toContain(name);
    for (const [, names = ''] of dockerfile.matchAll(/^ENV (.*)$/gm)) {
      for (const pair of names.split(' ')) expect(Object.keys(variables)).toContain(pair.split('=')[0] ?? '');
    }
  });
});
