// A copy of this version with one more migration, started from source, to stand for the next version.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';

const leftOut = ['.git', 'bench', 'data', 'dist', 'docs', 'node_modules', 'test'];

/** Adds a nullable column, which this version neither writes nor knows. */
const addColumn = 'await sql`alter table session add column next_version text`.execute(db);';

/** Makes the copy, and returns the command that starts it. `migrations` maps the name of each migration to its code. */
export function makeNextVersion(
  folder: string,
  migrations: Record<string, string> = { '9999-next': addColumn },
): string[] {
  const source = join(folder, 'next');
  mkdirSync(source);
  for (const name of readdirSync(root).filter((each) => !leftOut.includes(each))) {
    cpSync(join(root, name), join(source, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  addMigrations(join(source, 'src/storage/migrate.ts'), migrations);
  return ['bun', '--no-env-file', join(source, 'src/main.ts')];
}

function addMigrations(file: string, migrations: Record<string, string>): void {
  const text = readFileSync(file, 'utf8');
  const added = Object.entries(migrations).map(
    ([name, up]) => `  '${name}': { changes: 'session', up: async (db) => { ${up} } },\n`,
  );
  const changed = text.replace(/const migrations: .*= \{\n(?: {2}.*\n)*/, (found) => found + added.join(''));
  if (changed === text) throw new Error(`${file} has no migrations to add one to`);
  writeFileSync(file, changed);
}
