import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Classes that several pages use are styled in these. */
const shared = ['base.css', 'shell.css', 'controls.css', 'overlays.css', 'content.css'];

const sheets = readdirSync(import.meta.dir).filter((file) => file.endsWith('.css') && file !== 'all.css');
const textOf = (file: string) => readFileSync(join(import.meta.dir, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');

/** The classes that a rule of it begins with. */
function classesOf(file: string): Set<string> {
  const selectors = Array.from(textOf(file).matchAll(/([^{};@]+)\{/g), ([, selector = '']) => selector.split(','));
  const first = selectors.flat().map((selector) => /^\s*\.([a-z][\w-]*)/.exec(selector)?.[1]);
  return new Set(first.filter((name) => name !== undefined));
}

test('a class is styled by the sheet of one page, or by the shared ones', () => {
  const ofPages = sheets.filter((file) => !shared.includes(file));
  const homes = new Map<string, string[]>();
  for (const file of ofPages) {
    for (const name of classesOf(file)) homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('every style sheet is part of the console', () => {
  const imported = Array.from(textOf('all.css').matchAll(/@import "\.\/(.+)";/g), ([, file]) => file);
  expect(imported.toSorted()).toEqual(sheets.toSorted());
});
