// Checks what the documents and rules say about the files and the code.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commandTable } from '../../src/cli/command-table.ts';
import { variables } from '../../src/config/variables.ts';
import { csvColumns } from '../../src/lookup/documents/csv-columns.ts';
import { extraFields, fieldNames } from '../../src/lookup/rules/item.ts';
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

/** Variables that are read by OpenTelemetry, not by Frontdesk. */
const foreignVariables = ['OTEL_EXPORTER_OTLP_ENDPOINT'];

test('docs/configuration.md has every variable, with its default', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z].*?) \| (.*?) \| /gm)];
  const documented = new Map(
    rows.flatMap(([, names = '', value = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, value] as const),
    ),
  );
  expect([...documented.keys()].sort()).toEqual([...Object.keys(variables), ...foreignVariables].sort());
  const defaults = Object.entries(variables).flatMap(([name, schema]) => {
    const text = defaultText(schema.parse(undefined));
    return text === '' ? [] : [[name, `\`${text}\``]];
  });
  expect(defaults.length).toBeGreaterThan(20);
  expect(defaults.map(([name = '']) => [name, documented.get(name)])).toEqual(defaults);
});

/** The default as the document shows it; empty if there is none. */
function defaultText(value: unknown): string {
  if (value instanceof Map || value === undefined) return '';
  if (typeof value === 'object' && value !== null && 'quota' in value && 'windowSeconds' in value)
    return `${value.quota}/${Number(value.windowSeconds) / 60}m`;
  return String(value);
}

test('.env.example has every variable of the service', () => {
  const named = new Set([...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name));
  // NEW_SECRET_KEY is only for one command.
  const ofService = Object.keys(variables).filter((name) => !name.startsWith('NEW_'));
  expect([...named].sort()).toEqual([...ofService, ...foreignVariables].sort());
});

test('docs/operations.md has every command', () => {
  const [, section = ''] = /## The command line\n([\s\S]*?)(?:\n## |$)/.exec(read('docs/operations.md')) ?? [];
  const named = [...section.matchAll(/^frontdesk ([a-z]+(?: [a-z]+)?)/gm)].map(([, name = '']) => name);
  expect(named.sort()).toEqual(Object.keys(commandTable).sort());
});

test('docs/keeping-lists.md has every field of an item', () => {
  const guide = read('docs/keeping-lists.md');
  const [, table = ''] = /An item has\n([\s\S]*?)\n\n(?!\|)/.exec(guide) ?? [];
  const described = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  expect([...described, 'retiredAt'].sort()).toEqual(fieldNames.toSorted());
  expect(guide).toContain(`\`fields=${extraFields}\``);
  expect(guide).toContain(`CSV has the columns \`${csvColumns}\``);
});

test('src has three files beside its folders', () => {
  const loose = tracked.filter((file) => /^src\/[^/]+$/.test(file));
  expect(loose).toEqual(['src/app.ts', 'src/main.ts', 'src/serve.ts']);
});

test('only one file uses openid-client, and only one uses Bun.serve', () => {
  const source = tracked.filter((file) => /^src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'));
  const withText = (text: string) => source.filter((file) => read(file).includes(text));
  expect(withText("'openid-client'")).toEqual(['src/auth/provider/identity-provider.ts']);
  expect(withText('Bun.serve(')).toEqual(['src/serve.ts']);
});
