// npm run build -- client: builds client/dist, which is published.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dir;

/** Writes a script and its declarations for each source file, so that a bundler includes only what is used. */
export function buildClient(dist: string): void {
  const compiler = Bun.resolveSync('typescript/package.json', folder).replace(/package\.json$/, 'bin/tsc');
  // The command may use Node. The files that applications import must not, so they are compiled separately, and last,
  // because compiling the command also writes the files that it imports.
  for (const project of [join(folder, 'src/generate'), folder]) {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, compiler, '-p', project, '--outDir', dist]);
    if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
  }
  for (const name of readdirSync(dist).filter((each) => each.endsWith('.d.ts'))) {
    const file = join(dist, name);
    // A declaration file must import the scripts by their names, which end in .js.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'));
  }
}

if (import.meta.main) {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  buildClient(dist);
}
