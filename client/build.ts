// npm run build:client: client/dist, ready to be published.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dir;
const dist = join(folder, 'dist');
rmSync(dist, { recursive: true, force: true });
const { success, logs } = await Bun.build({
  entrypoints: [join(folder, 'src/index.ts'), join(folder, 'src/react.ts')],
  outdir: dist,
  target: 'browser',
  external: ['react'],
});
if (!success) throw new AggregateError(logs);
const { exitCode, stdout } = Bun.spawnSync(['tsc', '-p', folder]);
if (exitCode !== 0) throw new Error(stdout.toString());
for (const name of readdirSync(dist).filter((each) => each.endsWith('.d.ts'))) {
  const file = join(dist, name);
  // Declarations stand beside scripts, and are found through their names.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'));
}
