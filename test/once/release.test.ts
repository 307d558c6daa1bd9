// npm run release, for this platform: what it makes and what it refuses. Runs in a separate clone, because this one may have
// uncommitted changes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json';
import packageLock from '../../package-lock.json';
import { makeFolder } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { programPath } from '../support/programs.ts';

const home = makeFolder();
const clone = join(home, 'clone');
const made = join(clone, 'dist/release');
const { version } = packageJson;
const own = `frontdesk-${version}-linux-${process.arch}`;
/** No registry answers at this address, so the Bun of another platform cannot be fetched. */
const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  npm_config_registry: 'http://localhost:1',
  npm_config_fetch_retries: '0',
  npm_config_update_notifier: 'false',
};

function run(command: string[], cwd = clone) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

const git = (...words: string[]) =>
  run([programPath('git'), '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words]);
const release = (...targets: string[]) => run(['npm', 'run', '-s', 'release', '--', ...targets]);
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

let commit: string;
let released: ReturnType<typeof run>;
beforeAll(() => {
  const listed = Bun.spawnSync([programPath('git'), 'ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: root,
  });
  for (const file of listed.stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(clone, file));
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  commit = git('rev-parse', 'HEAD').stdout.trim();
  released = release(`linux-${process.arch}`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a release of this platform', () => {
  test('says what it made, after trying its executable', () => {
    expect([released.exitCode, released.stderr]).toEqual([0, '']);
    expect(released.stdout).toEndWith(`\nDone: dist/release contains Frontdesk ${version}, commit ${commit}.\n`);
    expect(readdirSync(made).sort()).toEqual(
      [own, `frontdesk-${version}.cdx.json`, `frontdesk-client-${version}.tgz`, 'PROVENANCE.txt', 'SHA256SUMS'].sort(),
    );
    expect(run([join(made, own), '--version']).stdout).toBe(`${version} (commit ${commit})\n`);
  });

  test('has a checksum of every file, which sha256sum accepts', () => {
    const { exitCode, stdout } = run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], made);
    const others = readdirSync(made).filter((name) => name !== 'SHA256SUMS');
    expect([exitCode, stdout.trim().split('\n').sort()]).toEqual([0, others.map((name) => `${name}: OK`).sort()]);
  });

  test('has an SBOM with every production dependency of the lockfile, every package in the executable, and none that only development needs', () => {
    const sbom = JSON.parse(readFileSync(join(made, `frontdesk-${version}.cdx.json`), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string; scope: string; hashes?: { alg: string; content: string }[] }[];
    };
    expect([sbom.bomFormat, sbom.metadata.component]).toMatchObject(['CycloneDX', { name: 'frontdesk', version }]);
    const packages = Object.entries<{ version: string; dev?: boolean; devOptional?: boolean; name?: string }>(
      packageLock.packages,
    ).filter(([path]) => path !== '');
    const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const production = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const wanted = production.map(([path, each]) => `${each.name ?? nameOf(path)}@${each.version}`);
    const listed = sbom.components.map(({ name, version: found }) => `${name}@${found}`);
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((each) => !listed.includes(each))).toEqual([]);
    for (const name of Object.keys(packageJson.dependencies)) expect(listed.join(' ')).toContain(`${name}@`);
    // In the executable, a comment with its path precedes each module.
    const modules = readFileSync(join(made, own), 'latin1').matchAll(
      /\/\/ \S*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/\S+\.js/g,
    );
    const contained = new Set([...modules].map(([, name = '']) => name));
    expect([...contained]).toEqual(expect.arrayContaining(['zod', 'pg', 'oidc-provider']));
    const names = sbom.components.map(({ name }) => name);
    expect([...contained].filter((name) => !names.includes(name))).toEqual([]);
    expect(sbom.components.find(({ name }) => name === 'koa')).toMatchObject({ scope: 'required', properties: [] });
    for (const name of ['typescript', 'knip', 'playwright-core']) expect(listed.join(' ')).not.toContain(`${name}@`);
    expect(sbom.components.every(({ hashes }) => hashes?.[0]?.alg === 'SHA-512')).toBe(true);
  });

  test('has a client that npm installs', () => {
    const application = join(home, 'application');
    mkdirSync(application);
    writeFileSync(join(application, 'package.json'), '{"type":"module"}');
    const installed = run(['npm', 'install', '--offline', join(made, `frontdesk-client-${version}.tgz`)], application);
    expect([installed.exitCode, installed.stderr]).toEqual([0, '']);
    const code = "import * as client from 'frontdesk-client'; console.log(Object.keys(client).length > 0)";
    expect(run(['node', '--input-type=module', '--eval', code], application).stdout).toBe('true\n');
  });

  test('has a note of the commit, the lockfile, the tools and the commands, which claims no signature', () => {
    const note = readFileSync(join(made, 'PROVENANCE.txt'), 'utf8');
    expect(note).toContain(`\nCommit            ${commit}\n`);
    expect(note).toContain(`\npackage-lock.json sha256 ${hashOf(join(root, 'package-lock.json'))}\n`);
    expect(note).toContain(`\nBun               ${Bun.version} `);
    expect(note).toContain(`\nNode              ${run(['node', '--version']).stdout}`);
    expect(note).toContain('This note is not signed');
    expect(note).toMatch(/\nNot made {10}.*windows-x64/);
    expect(note).not.toContain(home);
  });

  test('has a note with commands that make the same executable and the same client when pasted into a shell', () => {
    const [, commands = ''] = /\n\n((?: {2}\S.*\n)+)/.exec(readFileSync(join(made, 'PROVENANCE.txt'), 'utf8')) ?? [];
    expect(commands).toContain(`--outfile dist/release/${own}`);
    const other = join(home, 'other');
    git('clone', '--quiet', clone, other);
    symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
    expect(run(['sh', '-e', '-c', commands], other)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('CycloneDX'),
    });
    const client = `frontdesk-client-${version}.tgz`;
    expect([join(other, 'dist/release', own), join(other, 'dist', client)].map(hashOf)).toEqual(
      [own, client].map((name) => hashOf(join(made, name))),
    );
  });
});

describe('no release is made', () => {
  test('of a tree with changes, of an unknown platform, or with a platform that cannot be fetched', () => {
    const before = hashOf(join(made, 'SHA256SUMS'));
    const missing = release('windows-x64');
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringContaining('windows-x64: @oven/bun-windows-x64 cannot be fetched, so no release was made.'),
    ]);
    expect(release('plan9')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unknown: plan9.') });
    writeFileSync(join(clone, 'new.ts'), '');
    expect(release()).toMatchObject({
      exitCode: 1,
      stderr: 'Commit or remove these changes first:\n?? new.ts\n\n',
    });
    // The previous release is unchanged.
    expect(hashOf(join(made, 'SHA256SUMS'))).toBe(before);
  });
});
