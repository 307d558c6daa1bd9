import { join } from 'node:path';

/**
 * The console's files as JSON, made when console-files.ts is loaded: in a clone at the first visit, and for the executable
 * when it is built. Called as a macro, where Bun's bundler is in use already, so a second process runs another. Async:
 * Bun prints what an async macro throws, and hides what another throws.
 */
export async function bundleConsole(): Promise<string> {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, join(import.meta.dir, 'build.ts')], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
