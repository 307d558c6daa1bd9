import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { importsOf, styleSheets } from './build.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dir, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');

/** The first class of each selector. */
function classesOf(file: string): Set<string> {
  const selectors = Array.from(textOf(file).matchAll(/([^{};@]+)\{/g), ([, selector = '']) => selector.split(','));
  const first = selectors.flat().map((selector) => /^\s*\.([a-z][\w-]*)/.exec(selector)?.[1]);
  return new Set(first.filter((name) => name !== undefined));
}

test('no class is styled by the style sheets of two pages', () => {
  const homes = new Map<string, string[]>();
  for (const file of styleSheets.filter((sheet) => sheet.startsWith('pages/'))) {
    for (const name of classesOf(file)) homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('every style sheet is part of the console', () => {
  const sheets = [...new Glob('**/*.css').scanSync(import.meta.dir)];
  expect(styleSheets.toSorted()).toEqual(sheets.toSorted());
});

test('the imports of a part include indirect imports, each only once, but not files that it loads on demand', () => {
  const files = {
    'main.js': 'import{a}from"./part-1.js";a(()=>import("./part-2.js"));',
    'part-1.js': 'export let a=1;',
    'part-2.js': 'import{a}from"./part-1.js";import"./part-3.js";a(()=>import("./part-4.js"));',
    'part-3.js': 'import{b}from"./part-1.js";import{c}from"./part-2.js";',
  };
  expect([...importsOf('main.js', files)]).toEqual(['part-1.js']);
  expect([...importsOf('part-2.js', files)].sort()).toEqual(['part-1.js', 'part-2.js', 'part-3.js']);
});
