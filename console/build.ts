// Builds the console's files: one script to begin with, one for each part that is loaded when needed, one style sheet.
// Run as a program, it prints them as JSON.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BunPlugin } from 'bun';

/** By file name. */
export type ConsoleFiles = Record<string, string>;

/** react-aria has its own texts in 34 languages; the console has texts in two. Others read English in both. */
const twoLanguages: BunPlugin = {
  name: 'two languages',
  setup(build) {
    build.onResolve({ filter: /\/[a-z]{2}-[A-Z]{2}\.mjs$/ }, ({ path, importer }) => {
      if (!/[/\\]intl[/\\]/.test(path)) return undefined;
      const file = basename(path) === 'de-DE.mjs' ? 'de-DE.mjs' : 'en-US.mjs';
      return { path: join(dirname(importer), dirname(path), file) };
    });
  },
};

/** See compress-here.ts. */
const compressHere: BunPlugin = {
  name: 'compress here',
  setup(build) {
    const path = join(import.meta.dir, 'lists/export/compress-here.ts');
    build.onResolve({ filter: /^fflate$/ }, ({ importer }) => (importer === path ? undefined : { path }));
  },
};

/** Beside the page: workers are loaded by their own names. */
const entries = ['main.tsx', 'pages/import/file/read-file.worker.ts', 'lists/export/write-excel.worker.ts'];

async function buildConsole(): Promise<ConsoleFiles> {
  const result = await Bun.build({
    entrypoints: entries.map((file) => join(import.meta.dir, file)),
    root: import.meta.dir,
    target: 'browser',
    minify: true,
    splitting: true,
    // What changed has another name: browsers keep the other parts, and a page never loads a part of another build.
    naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [twoLanguages, compressHere],
  });
  const files = await Promise.all(
    result.outputs.map(async (output): Promise<[string, string]> => [basename(output.path), await output.text()]),
  );
  return { ...Object.fromEntries(files), 'console.css': readStyles() };
}

/** In the order in which they are joined. */
export const styleSheets = [
  'parts/base.css',
  'shell/shell.css',
  'parts/controls.css',
  'parts/overlays.css',
  'parts/content.css',
  'pages/value/value.css',
  'pages/translations/translations.css',
  'pages/lists/lists.css',
  'pages/history/history.css',
  'pages/settings/settings.css',
  'pages/list/list.css',
  'pages/home/home.css',
  'pages/audit/audit.css',
  'pages/import/import.css',
  'pages/preview/preview.css',
];

function readStyles(): string {
  return styleSheets.map((file) => readFileSync(join(import.meta.dir, file), 'utf8')).join('\n');
}

if (import.meta.main) await Bun.write(Bun.stdout, JSON.stringify(await buildConsole()));
