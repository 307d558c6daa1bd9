import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { styleSheets } from './build.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dir, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');

/** The first class of each selector. */
function classesOf(file: string): Set<string> {
  const selectors = Array.from(textOf(file).matchAll(/([^{};@]+)\{/g), ([, selector = '']) => selector.split(','));
  const first = selectors.flat().map((selector) => /^\s*\.([a-z][\w-]*)/.exec(selector)?.[1]);
  return new Set(first.filter((name) => name !== undefined));
}

test('a class is styled by the sheet of one page, or by the shared ones', () => {
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
