// Frontdesk as its own process, started the way the README says, in a folder of its own.
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';

export const root = join(import.meta.dir, '../..');

/** Nothing of the tests' own environment that would configure the service. */
function cleanEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME };
}

/** With its output in a file, which never fills up and blocks it. */
export function spawnFrontdesk(
  args: string[],
  env: Record<string, string>,
  cwd: string,
  output: Bun.BunFile | number,
  limits?: string,
  detached = false,
): Bun.Subprocess {
  const command = ['bun', '--no-env-file', join(root, 'src/main.ts'), ...args];
  return Bun.spawn(limits === undefined ? command : ['sh', '-c', `${limits}; exec "$@"`, 'sh', ...command], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', output, output],
    detached,
  });
}

export function runFrontdesk(args: string[], env: Record<string, string>, folder = makeFolder()) {
  return Bun.spawn(['bun', '--no-env-file', join(root, 'src/main.ts'), ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await Bun.sleep(50);
  }
  throw new Error(`${url} did not come up`);
}

/** Runs to its end, with all it printed. */
export async function runToEnd(args: string[], env: Record<string, string>, folder?: string) {
  const child = runFrontdesk(args, env, folder);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}
