import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

test.each(readdirSync(import.meta.dir).filter((file) => !file.endsWith('.test.ts')))(
  'no text of %s is empty in either language: a control without a name cannot be found by a screen reader',
  (file) => {
    const text = readFileSync(join(import.meta.dir, file), 'utf8');
    const empty = [...text.matchAll(/^\s*(\w+): (?:''|""|``),?$/gm)].map(([, name]) => name);
    // What is the same in two versions is not marked.
    expect(empty.filter((name) => name !== 'same')).toEqual([]);
  },
);
