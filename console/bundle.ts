import { join } from 'node:path';

/**
 * The console's script, made when console-script.ts is loaded: for the first visitor of a clone, and once and for all when
 * the one-file executable is built. Called as a macro, in which Bun's own bundler is busy; a second one is not. Async:
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
