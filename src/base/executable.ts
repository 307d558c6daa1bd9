// This program: its version, the commit it was made from, and how it starts threads.
import { dirname, join } from 'node:path';
import packageJson from '../../package.json';

export const { version } = packageJson;

/** Whether this is the one-file executable, which holds every module and file it needs. */
export const isExecutable = Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[/\\]~BUN[/\\]/.test(Bun.main);

/** build.ts replaces this name with the commit when it makes the executable. */
declare const FRONTDESK_COMMIT: string | undefined;

/** The commit, with `-dirty` if files differ from it; `unknown` if this is neither a clone nor built from one. */
export function findCommit(): string {
  if (typeof FRONTDESK_COMMIT === 'string') return FRONTDESK_COMMIT;
  const git = (...words: string[]) => {
    const options = { cwd: join(import.meta.dir, '../..'), stderr: 'ignore', timeout: 2000 } as const;
    return Bun.spawnSync(['git', ...words], options)
      .stdout.toString()
      .trim();
  };
  try {
    // A tree without its own .git may be inside the clone of another project.
    const isClone = git('rev-parse', '--show-toplevel', '--show-prefix').split('\n').length === 1;
    const commit = isClone ? git('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*') : '';
    return commit === '' ? 'unknown' : commit;
  } catch {
    // git is not installed.
    return 'unknown';
  }
}

/** Starts a thread that runs a file in src. `name` is its path without `.ts`. The one-file executable contains these files. */
export function startThread(
  name: 'audit/removal-worker' | 'lookup/documents/document-worker' | 'storage/migration-worker',
): Worker {
  return new Worker(isExecutable ? join(dirname(Bun.main), `${name}.js`) : new URL(`../${name}.ts`, import.meta.url));
}
