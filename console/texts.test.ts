import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const sources = [...new Glob('**/*.{ts,tsx}').scanSync(import.meta.dir)].filter((file) => !file.endsWith('.test.ts'));
const hasTexts = (file: string) =>
  file.endsWith('.de.ts') || /\bcatalogue\(/.test(readFileSync(join(import.meta.dir, file), 'utf8'));

test.each(sources.filter(hasTexts))(
  'no text in %s is empty in either language, so that every control has a name for screen readers',
  (file) => {
    const text = readFileSync(join(import.meta.dir, file), 'utf8');
    const empty = [...text.matchAll(/^\s*(\w+): (?:''|""|``),?$/gm)].map(([, name]) => name);
    // `same` marks an unchanged value, for which no text is shown.
    expect(empty.filter((name) => name !== 'same')).toEqual([]);
  },
);
