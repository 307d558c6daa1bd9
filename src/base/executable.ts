import { dirname, join } from 'node:path';

/** Whether this is the one-file executable, which holds every module and file it needs. */
export const isExecutable = Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[/\\]~BUN[/\\]/.test(Bun.main);

/** Starts a thread that runs a file of src, named without its extension. The executable has a separate entry for each. */
export function startThread(
  name: 'audit/removal-worker' | 'lookup/documents/document-worker' | 'storage/migration-worker',
): Worker {
  return new Worker(isExecutable ? join(dirname(Bun.main), `${name}.js`) : new URL(`../${name}.ts`, import.meta.url));
}
