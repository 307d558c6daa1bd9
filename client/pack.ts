// npm run build -- package: builds the package as one file, dist/frontdesk-client-VERSION.tgz, for a release.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from './build.ts';
import packageJson from './package.json';

const folder = import.meta.dir;

/**
 * The package's bytes in base64. They are made when tarball.ts is loaded: in a clone on the first request, and for the
 * executable at build time. The same files give the same bytes, because `bun pm pack` gives all files the same date
 * and the modes are set here. Empty if the compiler is not installed (npm ci --omit=dev). Async for the reason given in
 * console/build.ts.
 */
export async function packClient(): Promise<string> {
  try {
    Bun.resolveSync('typescript/package.json', folder);
  } catch {
    return '';
  }
  const stage = mkdtempSync(join(tmpdir(), 'frontdesk-client-'));
  try {
    copyFileSync(join(folder, 'package.json'), join(stage, 'package.json'));
    copyFileSync(join(folder, 'README.md'), join(stage, 'README.md'));
    copyFileSync(join(folder, '../LICENSE'), join(stage, 'LICENSE'));
    buildClient(join(stage, 'dist'));
    setModes(stage);
    const command = [process.execPath, 'pm', 'pack', '--quiet', '--ignore-scripts', '--filename', 'package.tgz'];
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: stage });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return readFileSync(join(stage, 'package.tgz'), 'base64');
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Sets the modes, which could differ between clones. npm itself makes commands executable. */
function setModes(stage: string): void {
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
}

if (import.meta.main) {
  const releases = join(folder, '../dist');
  mkdirSync(releases, { recursive: true });
  const file = join(releases, `frontdesk-client-${packageJson.version}.tgz`);
  const bytes = Buffer.from(await packClient(), 'base64');
  if (bytes.length === 0) throw new Error('The TypeScript compiler is missing. Run npm ci to install it.');
  writeFileSync(file, bytes);
  process.stdout.write(`${file}\n`);
}
