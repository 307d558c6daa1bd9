import { join } from 'node:path';

/**
 * The console's files as JSON, built when console-files.ts is loaded: in a clone at the first visit, in the executable
 * at build time. A macro runs inside Bun's bundler, so the build runs in a second process. Async, because Bun prints
 * errors of async macros only.
 */
export async function bundleConsole(): Promise<string> {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, join(import.meta.dir, 'build.ts')], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
