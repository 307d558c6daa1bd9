// npm run release               makes all files of a release, in dist/release
// npm run release -- TARGET …   makes only the executables for these platforms and for this machine
//
// Nothing is uploaded or signed: docs/operations.md shows how. If the Bun for a platform cannot be fetched, no release is made.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executableArgs } from './build.ts';
import { packClient } from './client/pack.ts';
import packageJson from './package.json';
import packageLock from './package-lock.json';
import { findCommit } from './src/base/executable.ts';
import { Browser } from './test/support/browser.ts';
import { freePort } from './test/support/ports.ts';
import { untilReady } from './test/support/process.ts';

/** Each platform, and the package with its Bun. The x64 platforms need a processor with AVX2 (2013 or later). */
const targets = {
  'linux-x64': 'bun-linux-x64',
  'linux-x64-musl': 'bun-linux-x64-musl',
  'linux-arm64': 'bun-linux-aarch64',
  'linux-arm64-musl': 'bun-linux-aarch64-musl',
  'darwin-x64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-aarch64',
  'windows-x64': 'bun-windows-x64',
} as const;
type Target = keyof typeof targets;
const isTarget = (name: string): name is Target => Object.hasOwn(targets, name);

const { version } = packageJson;
const root = import.meta.dir;
const folder = join(root, 'dist/release');
/** Inside the clone, so that the provenance note can show the commands with paths relative to the clone. */
const downloads = join(root, 'dist/bun');
const longestCommandMs = 600_000;
/** Every command that was run, for the provenance note. */
const commands: string[] = [];

class ReleaseRefused extends Error {}

/** Runs a command in this clone, and returns what it printed. */
function run(words: string[], cwd = root): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd, timeout: longestCommandMs });
  if (exitCode !== 0) throw new ReleaseRefused(`${words.join(' ')}\n${stderr}`);
  return stdout.toString();
}

/** Notes a command as it can be pasted into a shell, with paths from the root of the clone. */
function note(words: string[]): void {
  const shown = words.map((word) =>
    word.replaceAll(process.execPath, 'node_modules/.bin/bun').replaceAll(`${root}/`, ''),
  );
  commands.push(
    shown.map((word) => (/^[\w@=:./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' '),
  );
}

function runNoted(words: string[]): string {
  note(words);
  return run(words);
}

function makeFolder(path: string): void {
  note(['mkdir', '-p', path]);
  mkdirSync(path, { recursive: true });
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const nameOf = (target: Target) => `frontdesk-${version}-${target}${target.startsWith('windows') ? '.exe' : ''}`;

/**
 * Returns the commit. Refuses a tree with uncommitted changes, because nobody else could build the same release from
 * it.
 */
function expectClean(): string {
  const commit = findCommit();
  const changes = commit === 'unknown' ? '' : run(['git', 'status', '--porcelain']);
  if (commit === 'unknown')
    throw new ReleaseRefused('This folder is not a Git clone. A release must name the commit it was built from.');
  if (changes !== '') throw new ReleaseRefused(`Commit or remove these changes first:\n${changes}`);
  return commit;
}

function ownTarget(): Target {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const own = `${platform}-${process.arch}`;
  if (!isTarget(own))
    throw new ReleaseRefused(`No release can be made on ${own}, because no executable could be tried here.`);
  return own;
}

function readTargets(names: string[]): Target[] {
  const own = ownTarget();
  const wrong = names.filter((name) => !isTarget(name));
  if (wrong.length > 0) {
    throw new ReleaseRefused(`Unknown: ${wrong.join(', ')}. The platforms are ${Object.keys(targets).join(', ')}.`);
  }
  const wanted = names.length === 0 ? Object.keys(targets) : names;
  return [own, ...wanted.filter((name): name is Target => isTarget(name) && name !== own)];
}

/**
 * Returns the path of the Bun that the lockfile names for a platform. For this machine, that is the Bun that runs this
 * script, because npm has installed it.
 */
function fetchBun(target: Target): string {
  if (target === ownTarget()) return process.execPath;
  const name = `@oven/${targets[target]}` as const;
  const file = target.startsWith('windows') ? 'bin/bun.exe' : 'bin/bun';
  const { version: bunVersion, integrity } = packageLock.packages[`node_modules/${name}`];
  print(`fetching ${name} ${bunVersion}`);
  const words = ['npm', 'pack', '--loglevel=error', `${name}@${bunVersion}`, '--pack-destination', downloads];
  let packed: string;
  try {
    packed = join(downloads, runNoted(words).trim());
  } catch (cause) {
    throw new ReleaseRefused(
      `${target}: ${name} cannot be fetched, so no release was made. To leave out this platform, name the others as arguments.\n${cause}`,
    );
  }
  const digest = `sha512-${createHash('sha512').update(readFileSync(packed)).digest('base64')}`;
  if (digest !== integrity) throw new ReleaseRefused(`${target}: ${name} is not the package that the lockfile names.`);
  const unpacked = join(downloads, target);
  makeFolder(unpacked);
  runNoted(['tar', '-xzf', packed, '-C', unpacked]);
  return join(unpacked, 'package', file);
}

function buildExecutable(target: Target, bun: string, commit: string): void {
  print(`building ${nameOf(target)}`);
  const args = executableArgs(join(folder, nameOf(target)), commit);
  runNoted([process.execPath, ...args, `--target=bun-${target}`, `--compile-executable-path=${bun}`]);
}

interface Sbom {
  metadata: { component: { name: string; 'bom-ref': string } };
  components: { 'bom-ref': string; scope?: string; properties?: unknown[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * Lists what the executables are made from. `npm sbom --omit=dev` would leave out packages that development packages
 * need as well, so the lockfile decides; the development provider and its dependencies are added, because the
 * executables contain them. npm names the root component after its folder; this gives it the package's name.
 */
function writeSbom(): void {
  const words = ['npm', 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const all = JSON.parse(runNoted(words)) as Sbom;
  const { metadata } = all;
  metadata.component.name = packageJson.name;
  const packages = Object.entries<{ name?: string; version: string; dev?: boolean; devOptional?: boolean }>(
    packageLock.packages,
  );
  const production = packages.filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional);
  const provider = withDependencies(`oidc-provider@${packageJson.devDependencies['oidc-provider']}`, all);
  const kept = new Set([
    metadata.component['bom-ref'],
    ...provider,
    ...production.map(([path, each]) => `${each.name ?? path.replace(/^.*node_modules\//, '')}@${each.version}`),
  ]);
  const sbom: Sbom = {
    ...all,
    components: all.components
      .filter((each) => kept.has(each['bom-ref']))
      // npm marks the provider's packages as optional and for development only, but the executables need them.
      .map((each) => (provider.has(each['bom-ref']) ? { ...each, scope: 'required', properties: [] } : each)),
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
  writeFileSync(join(folder, `frontdesk-${version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
}

/** This package and all packages that it needs, directly or through others. */
function withDependencies(
  reference: string,
  { dependencies }: Pick<Sbom, 'dependencies'>,
  found = new Set<string>(),
): Set<string> {
  if (found.has(reference)) return found;
  found.add(reference);
  for (const each of dependencies.find(({ ref }) => ref === reference)?.dependsOn ?? [])
    withDependencies(each, { dependencies }, found);
  return found;
}

async function writeClient(): Promise<void> {
  note(['npm', 'run', 'build', '--', 'package']);
  const bytes = Buffer.from(await packClient(), 'base64');
  if (bytes.length === 0) throw new ReleaseRefused('The TypeScript compiler is missing. Run npm ci to install it.');
  writeFileSync(join(folder, `frontdesk-client-${version}.tgz`), bytes);
}

/** Starts the executable in an empty folder, signs a person in, and checks the answers to the most common requests. */
async function tryExecutable(file: string, commit: string): Promise<void> {
  const expectSame = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) throw new ReleaseRefused(`The executable fails: ${what} is ${found}, not ${wanted}.`);
  };
  expectSame('--version', run([file, '--version']), `${version} (commit ${commit})\n`);
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-release-'));
  const url = `http://localhost:${freePort()}`;
  const env = { PORT: new URL(url).port, DEV_IDP_PORT: String(freePort()) };
  const service = Bun.spawn([file], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await Promise.race([
      untilReady(url),
      service.exited.then((code) => expectSame('the exit code at startup', code, undefined)),
    ]);
    const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
    expectSame('the status of a sign-in', response.status, 200);
    const { accessToken } = (await response.json()) as { accessToken: string };
    const ask = async (path: string) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${accessToken}` } });
      expectSame(`the status of ${path}`, answer.status, 200);
      return answer.json();
    };
    expectSame('the person', ((await ask('/auth/me')) as { sub: string }).sub, 'E-1001');
    for (const list of ['position', 'overtime-eligibility', 'employment-type', 'employee-level']) {
      const items = (await ask(`/employee/${list}`)) as { value: string }[];
      expectSame(
        `the check that ${list} has values`,
        items.length > 0 && items.every(({ value }) => value !== ''),
        true,
      );
    }
    const { info } = (await ask('/openapi.json')) as { info: { version: string } };
    expectSame('the version of the contract', info.version, version);
    service.kill('SIGTERM');
    expectSame('the exit code after SIGTERM', await service.exited, 0);
  } finally {
    service.kill('SIGKILL');
    await service.exited;
    rmSync(home, { recursive: true });
  }
}

function writeProvenance(commit: string, made: Target[]): void {
  const leftOut = Object.keys(targets).filter((target) => !made.some((each) => each === target));
  const text = `Frontdesk ${version}: how these files were made

This note is not signed and proves nothing by itself. It says how to make the files again and compare them.

Commit            ${commit}
package-lock.json sha256 ${sha256(readFileSync(join(root, 'package-lock.json')))}
Made at           ${new Date().toISOString()}
Made on           ${process.platform} ${process.arch}
Bun               ${Bun.version} (${Bun.revision})
Node              ${run(['node', '--version']).trim()}
npm               ${run(['npm', '--version']).trim()}
Executables       ${made.join(', ')}
Not made          ${leftOut.join(', ') || 'none'}
Tried here        ${nameOf(made[0] as Target)}: version, sign-in, /auth/me, the four lists, shutdown

The Bun in each executable is the package that package-lock.json names, checked against its sha512.

Commands, after git clone, git checkout and npm ci, in the folder of the clone:

${commands.map((command) => `  ${command}`).join('\n')}

They make the same executables again, and the same client in dist. The SBOM is what npm sbom prints, without the packages that the
executables do not contain; its number and time differ every time.
`;
  writeFileSync(join(folder, 'PROVENANCE.txt'), text);
}

/** In the format of sha256sum -c. Written last, so a folder without it is not a complete release. */
function writeSums(): void {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

async function release(names: string[]): Promise<void> {
  const wanted = readTargets(names);
  const commit = expectClean();
  rmSync(downloads, { recursive: true, force: true });
  makeFolder(downloads);
  try {
    // Fetched before anything is built, so that a platform that cannot be fetched is found at once.
    const fetched = wanted.map((target) => ({ target, bun: fetchBun(target) }));
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    for (const { target, bun } of fetched) buildExecutable(target, bun, commit);
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
  await writeClient();
  writeSbom();
  await tryExecutable(join(folder, nameOf(wanted[0] as Target)), commit);
  writeProvenance(commit, wanted);
  writeSums();
  for (const name of readdirSync(folder))
    print(`${(Bun.file(join(folder, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
  print(`Done: dist/release contains Frontdesk ${version}, commit ${commit}.`);
}

await release(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ReleaseRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
