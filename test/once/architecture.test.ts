// What documents and rules say about the tree, held against the tree.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../support/process.ts';
import { programPath } from '../support/programs.ts';

const tracked = Bun.spawnSync([programPath('git'), 'ls-files'], { cwd: root })
  .stdout.toString()
  .trim()
  .split('\n');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = tracked.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');

test.each(documents)('%s names files that exist', (document) => {
  const names = new Set(tracked.map((file) => basename(file)));
  const isThere = (name: string) =>
    name.includes('/')
      ? existsSync(join(root, name)) || tracked.some((file) => file.endsWith(`/${name}`))
      : names.has(name);
  const missing = [...read(document).matchAll(/`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|css))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isThere(name));
  expect(missing).toEqual([]);
});

test.each(documents)('%s links to files that exist', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
});

test('src has three files beside its folders', () => {
  const loose = tracked.filter((file) => /^src\/[^/]+$/.test(file));
  expect(loose).toEqual(['src/app.ts', 'src/main.ts', 'src/serve.ts']);
});

test('one file uses openid-client, and one Bun.serve', () => {
  const source = tracked.filter((file) => /^src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'));
  const withText = (text: string) => source.filter((file) => read(file).includes(text));
  expect(withText("'openid-client'")).toEqual(['src/auth/provider/identity-provider.ts']);
  expect(withText('Bun.serve(')).toEqual(['src/serve.ts']);
});
