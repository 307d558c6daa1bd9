import { describe, expect, test } from 'bun:test';
import { RecentMap } from './recent-map.ts';

const filled = (map: RecentMap<{ n: number }>, from: number, to: number) => {
  for (let n = from; n <= to; n++) map.set(`key ${n}`, { n });
};
const kept = (map: RecentMap<{ n: number }>, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => map.get(`key ${from + i}`)?.n).filter((n) => n !== undefined);

describe('a map of recently used entries', () => {
  test('keeps as many as configured', () => {
    const map = new RecentMap<{ n: number }>(3);
    filled(map, 1, 3);
    expect(kept(map, 1, 3)).toEqual([1, 2, 3]);
  });

  test('drops entries that are not used, and never holds more than twice as many', () => {
    const map = new RecentMap<{ n: number }>(3);
    filled(map, 1, 6);
    map.get('key 2');
    filled(map, 7, 8);
    // Key 2 was read before older values were dropped, so it was kept. Key 1 was not read.
    expect([map.get('key 8')?.n, map.get('key 7')?.n, map.get('key 2')?.n]).toEqual([8, 7, 2]);
    expect(map.get('key 1')).toBeUndefined();
    const crowded = new RecentMap<{ n: number }>(3);
    filled(crowded, 1, 100);
    expect(kept(crowded, 1, 100).length).toBeLessThanOrEqual(6);
  });

  test('is empty after it is cleared, in both generations', () => {
    const map = new RecentMap<{ n: number }>(3);
    filled(map, 1, 5);
    map.clear();
    expect(kept(map, 1, 5)).toEqual([]);
  });

  test('keeps entries that are used repeatedly, whatever else is added', () => {
    const map = new RecentMap<{ n: number }>(3);
    map.set('mine', { n: 0 });
    for (let n = 1; n <= 100; n++) {
      map.set(`key ${n}`, { n });
      expect(map.get('mine')).toEqual({ n: 0 });
    }
  });

  test('has the newest value and no deleted value in either generation', () => {
    const map = new RecentMap<{ n: number }>(2);
    map.set('a', { n: 1 });
    map.set('b', { n: 1 });
    map.set('c', { n: 1 });
    map.set('a', { n: 2 });
    expect(map.get('a')).toEqual({ n: 2 });
    map.delete('a');
    map.delete('b');
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, { n: 1 }]);
  });

  test('counts values by their size if it is given a function for that', () => {
    const map = new RecentMap<string>(10, (text) => text.length);
    map.set('a', 'x'.repeat(8));
    map.set('b', 'x'.repeat(8));
    map.set('c', 'x'.repeat(8));
    expect([map.get('a'), map.get('b'), map.get('c')].map((text) => text?.length)).toEqual([8, 8, 8]);
    for (const key of ['d', 'e', 'f', 'g']) map.set(key, 'x'.repeat(8));
    expect(map.get('a')).toBeUndefined();
    map.clear();
    expect(map.get('g')).toBeUndefined();
  });

  test('a value that is set again takes no more space', () => {
    const map = new RecentMap<{ n: number }>(2);
    filled(map, 1, 2);
    for (let n = 0; n < 10; n++) map.set('key 2', { n });
    expect(map.get('key 1')).toEqual({ n: 1 });
  });
});
