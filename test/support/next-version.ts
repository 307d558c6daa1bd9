// A copy of this version with one more migration, started from source, to stand for the next version.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';

const leftOut = ['.git', 'bench', 'data', 'dist', 'docs', 'node_modules', 'test'];

/** Makes the copy, and returns the command that starts it. */
export function makeNextVersion(folder: string): string[] {
  const source = join(folder, 'next');
  mkdirSync(source);
  for (const name of readdirSync(root).filter((each) => !leftOut.includes(each))) {
    cpSync(join(root, name), join(source, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  addMigration(join(source, 'src/storage/migrate.ts'));
  return ['bun', '--no-env-file', join(source, 'src/main.ts')];
}

/** Adds a nullable column, which this version neither writes nor knows. */
function addMigration(file: string): void {
  const text = readFileSync(file, 'utf8');
  const migration =
    "'9999-next': { up: async (db) => void (await sql`alter table session add column next_version text`.execute(db)) },";
  const changed = text.replace(/(const migrations: .*= \{\n)/, `$1  ${migration}\n`);
  if (changed === text) throw new Error(`${file} has no migrations to add one to`);
  writeFileSync(file, changed);
}
