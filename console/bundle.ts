import { join } from 'node:path';

/**
 * The console's script, made when console-script.ts is loaded: in a clone at the first visit, and for the executable when
 * it is built. Called as a macro, where Bun's bundler is in use already, so a second process runs another. Async:
 * Bun prints what an async macro throws, and hides what another throws.
 */
export async function bundleConsole(): Promise<string> {
  const entry = join(import.meta.dir, 'main.tsx');
  const command = [process.execPath, 'build', entry, '--production', '--target=browser'];
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
