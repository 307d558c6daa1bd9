// The version before this one, from the history of this repository, to be started from its source.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';
import { programPath } from './programs.ts';

/** The state before the last three migrations: what to upgrade from until a version is tagged. */
const untagged = '4534104';

export interface PreviousVersion {
  /** A tag or a commit. */
  name: string;
  /** What starts it. */
  command: string[];
}

/** Unpacks the newest tag `v…` before this commit, with the packages of this clone where it needs the same. */
export function unpackPrevious(folder: string): PreviousVersion {
  programPath('git');
  programPath('tar');
  const name = run('git', 'describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD~1') ?? untagged;
  if (run('git', 'rev-parse', '--verify', '--quiet', `${name}^{commit}`) === undefined) {
    throw new Error(
      `the previous version, ${name}, is not in this repository: a rollout is tested in a clone with its whole history (git fetch --unshallow --tags)`,
    );
  }
  const source = join(folder, 'previous');
  mkdirSync(source);
  const unpacked = run('sh', '-c', 'git archive "$1" | tar -x -C "$2"', 'sh', name, source);
  if (unpacked === undefined) throw new Error(`git archive ${name} failed`);
  if (needsOtherPackages(source)) {
    const { exitCode, stderr } = Bun.spawnSync(['npm', 'ci', '--omit=dev'], { cwd: source });
    if (exitCode !== 0) throw new Error(`npm ci of ${name}: ${stderr}`);
  } else {
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  }
  return { name, command: ['bun', '--no-env-file', join(source, 'src/main.ts')] };
}

/** What it printed; undefined where it failed. */
function run(...command: string[]): string | undefined {
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd: root, stderr: 'ignore' });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

function needsOtherPackages(source: string): boolean {
  const [ours, theirs] = [root, source].map(
    (each) => JSON.parse(readFileSync(join(each, 'package.json'), 'utf8')).dependencies as Record<string, string>,
  );
  return Object.entries(theirs ?? {}).some(([name, version]) => ours?.[name] !== version);
}
