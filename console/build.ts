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
    const path = join(import.meta.dir, 'data/export/compress-here.ts');
    build.onResolve({ filter: /^fflate$/ }, ({ importer }) => (importer === path ? undefined : { path }));
  },
};

/** Beside the page: workers are loaded by their own names. */
const entries = ['main.tsx', 'data/import/read-file.worker.ts', 'data/export/write-excel.worker.ts'];

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

/** The style sheets that all.css names, one after the other. */
function readStyles(): string {
  const folder = join(import.meta.dir, 'styles');
  const all = readFileSync(join(folder, 'all.css'), 'utf8');
  const names = [...all.matchAll(/@import "\.\/(.+)";/g)].map(([, name = '']) => name);
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

if (import.meta.main) await Bun.write(Bun.stdout, JSON.stringify(await buildConsole()));
