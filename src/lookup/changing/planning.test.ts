// Planning takes time linear in the size of the list and the document. The tests count reads instead of measuring time.
import { expect, test } from 'bun:test';
import { blankItem, type KeptItem } from '../rules/item.ts';
import { mostLanguages, noSettings } from '../rules/list.ts';
import { createFinalValues, findCircular } from '../rules/replacements.ts';
import type { DocumentItem } from './lookup-document.schema.ts';
import { planDocument } from './planning.ts';

const now = new Date(0);
const countTo = (length: number) => Array.from({ length }, (_, index) => index);

/** Counts how often planning reads a property. */
function countReads(items: readonly KeptItem[], wanted: readonly DocumentItem[]): number {
  let reads = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name, receiver) {
        reads++;
        const found: unknown = Reflect.get(object, name, receiver);
        return found;
      },
    });
  const known = new Map([['country', new Set(countTo(items.length).map((index) => `C${index}`))]]);
  const list = { list: 'a', ...noSettings, title: 'a', version: 1, items: items.map(counting) };
  planDocument(list, { items: wanted.map(counting) }, known, now);
  return reads;
}

const kept = (count: number): KeptItem[] =>
  countTo(count).map((index) => ({ id: index, ...blankItem(`V${index}`, 'x', 10), codes: { s: `${index}` } }));

const documents = {
  'items with codes and parents': (count: number) =>
    countTo(count).map((index) => {
      // Each item gets the code that the next item has now.
      const codes = { s: `${(index + 1) % count}`, t: `${index}` };
      return { value: `V${index}`, label: 'y', codes, parents: { country: [`C${index}`] } };
    }),
  'a chain of replacements': (count: number) =>
    countTo(count).map((index) => {
      const last = index + 1 === count;
      return { value: `V${index}`, label: 'x', ...(!last && { retired: true, replacedBy: `V${index + 1}` }) };
    }),
  'labels in many languages': (count: number) => {
    const labels = Object.fromEntries(countTo(mostLanguages).map((index) => [`x-${index}`, 'l']));
    return countTo(count).map((index) => ({ value: `V${index}`, label: 'x', labels }));
  },
};

test.each(Object.entries(documents))('planning twice as many items reads twice as much: %s', (_, make) => {
  const [one, two] = [100, 200].map((count) => countReads(kept(count), make(count)));
  expect(one).toBeGreaterThan(100);
  // Not exactly twice as much, because the last item of a chain has no replacement to read.
  expect(Math.abs((two ?? 0) - 2 * (one ?? 0))).toBeLessThan(20);
});

class CountingMap extends Map<string, string | null> {
  reads = 0;
  override get(value: string) {
    this.reads++;
    return super.get(value);
  }
}

const chain = (end: string | null) =>
  countTo(10_000).map((index): [string, string | null] => [`V${index}`, index < 9999 ? `V${index + 1}` : end]);

test.each([
  ['listed from its beginning', chain(null), 0],
  ['listed from its end', chain(null).reverse(), 0],
  ['that forms a circle', chain('V0'), 10_000],
  ['that ends in a circle', chain('V9998'), 10_000],
])('a chain of 10,000 replacements %s is followed once', (_, entries, circular) => {
  const replacements = new CountingMap(entries);
  expect(findCircular(replacements).size).toBe(circular);
  expect(replacements.reads).toBe(10_000);
  replacements.reads = 0;
  const finalOf = createFinalValues((value) => replacements.get(value) ?? null);
  for (const [value] of entries) finalOf(value);
  expect(replacements.reads).toBeLessThanOrEqual(10_000);
});
