// Builds the console's files: the main script, a script for each part that is loaded on demand, and one style sheet.
// When run as a program, this module prints the files as JSON.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BunPlugin } from 'bun';

/** The contents of the files by file name. */
export type ConsoleFiles = Record<string, string>;

/**
 * react-aria contains texts in 34 languages. Only the English and German ones are bundled; all other languages use the
 * English ones.
 */
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

/** Replaces fflate with compress-here.ts. */
const compressHere: BunPlugin = {
  name: 'compress here',
  setup(build) {
    const path = join(import.meta.dir, 'lists/export/compress-here.ts');
    build.onResolve({ filter: /^fflate$/ }, ({ importer }) => (importer === path ? undefined : { path }));
  },
};

/** Workers are separate entry points, because the page loads them by file name. */
const entries = ['main.tsx', 'pages/import/file/read-file.worker.ts', 'lists/export/write-excel.worker.ts'];

async function buildConsole(): Promise<ConsoleFiles> {
  const result = await Bun.build({
    entrypoints: entries.map((file) => join(import.meta.dir, file)),
    root: import.meta.dir,
    target: 'browser',
    minify: true,
    splitting: true,
    // The hash depends on the content, so browsers keep unchanged parts and a page never mixes parts of two builds.
    naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [twoLanguages, compressHere],
  });
  const files = await Promise.all(
    result.outputs.map(async (output): Promise<[string, string]> => [basename(output.path), await output.text()]),
  );
  return { ...withImports(Object.fromEntries(files)), 'console.css': readStyles() };
}

const staticImport = /\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g;

/** All files that a file imports statically, directly or through other files. */
export function importsOf(file: string, files: ConsoleFiles, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of (files[file] ?? '').matchAll(staticImport)) {
    if (seen.has(name)) continue;
    seen.add(name);
    importsOf(name, files, seen);
  }
  return seen;
}

/**
 * Adds to main.js a table of the files that each part and worker imports. The page requests these files before it
 * starts the part or worker. Only main.js can contain the table: it is always loaded, and its name contains no hash.
 */
function withImports(files: ConsoleFiles): ConsoleFiles {
  const isLoaded = importsOf('main.js', files);
  const others = Object.keys(files).filter((file) => file !== 'main.js' && !isLoaded.has(file));
  const imports = others.map((file) => [file, [...importsOf(file, files).difference(isLoaded)]] as const);
  const table = Object.fromEntries(imports.filter(([, names]) => names.length > 0));
  return { ...files, 'main.js': `globalThis.consoleFileImports=${JSON.stringify(table)};${files['main.js']}` };
}

/** Joined into one style sheet in this order. */
export const styleSheets = [
  'parts/base.css',
  'shell/shell.css',
  'parts/controls.css',
  'parts/overlays.css',
  'parts/content.css',
  'lists/sentences/sentences.css',
  'lists/saving/conflict.css',
  'pages/value/value.css',
  'pages/translations/translations.css',
  'pages/lists/lists.css',
  'pages/history/history.css',
  'pages/settings/settings.css',
  'pages/list/list.css',
  'pages/home/home.css',
  'pages/profile/profile.css',
  'pages/welcome/welcome.css',
  'pages/audit/audit.css',
  'pages/import/import.css',
  'pages/preview/preview.css',
];

function readStyles(): string {
  return styleSheets.map((file) => readFileSync(join(import.meta.dir, file), 'utf8')).join('\n');
}

/**
 * Returns the console's files as JSON. console-files.ts calls this function as a macro: on the first visit if the
 * service runs from source, or when the executable is built. A macro runs inside Bun's bundler, so the files are built
 * in a second process. The function is async because Bun prints errors only for async macros.
 */
export async function bundleConsole(): Promise<string> {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, import.meta.path], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

if (import.meta.main) await Bun.write(Bun.stdout, JSON.stringify(await buildConsole()));
