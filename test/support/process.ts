// Frontdesk as a separate process, in its own folder. Uses the executable if test/run.ts has built it, because the executable
// starts twice as fast. Otherwise, starts Frontdesk from source, as `npm start` does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { untilWorks } from './waiting.ts';

export const root = join(import.meta.dir, '../..');

/** The command that starts Frontdesk from source. */
export const fromSource = ['bun', '--no-env-file', join(root, 'src/main.ts')];

const { TEST_EXECUTABLE: built } = process.env;
/** The command that starts Frontdesk: the executable if test/run.ts has built it, otherwise `fromSource`. */
export const command = built === undefined ? fromSource : [built];

/** Returns the path of the one-file executable. Builds it if test/run.ts has not. */
export function executable(): string {
  if (built !== undefined) return built;
  const { exitCode, stderr } = Bun.spawnSync(['npm', 'run', '-s', 'build'], { cwd: root });
  if (exitCode !== 0) throw new Error(`npm run build: ${stderr}`);
  return join(root, 'dist/frontdesk');
}

/** Only PATH and HOME, because other variables in the tests' environment could configure the service. */
function cleanEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME };
}

interface SpawnOptions {
  /** Shell commands to run before Frontdesk, such as ulimit. */
  limits?: string | undefined;
  /** Whether it gets its own process group. */
  detached?: boolean;
  /** The command to start; by default the executable, if there is one. */
  command?: readonly string[];
}

/** Starts Frontdesk with its output in a file, because a full pipe would block it. */
export function spawnFrontdesk(
  args: string[],
  env: Record<string, string>,
  cwd: string,
  output: Bun.BunFile | number,
  { limits, detached = false, command: words = command }: SpawnOptions = {},
): Bun.Subprocess {
  const typed = [...words, ...args];
  return Bun.spawn(limits === undefined ? typed : ['sh', '-c', `${limits}; exec "$@"`, 'sh', ...typed], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', output, output],
    detached,
  });
}

export function runFrontdesk(
  args: string[],
  env: Record<string, string>,
  folder = makeFolder(),
  words: readonly string[] = command,
) {
  return Bun.spawn([...words, ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** The child processes of a process. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

export async function untilReady(url: string): Promise<void> {
  await untilWorks(async () => (await fetch(`${url}/health/ready`)).ok);
}

/** Runs a command to its end, and returns everything it printed. */
export async function runToEnd(
  args: string[],
  env: Record<string, string>,
  folder?: string,
  words?: readonly string[],
) {
  const child = runFrontdesk(args, env, folder, words);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}
