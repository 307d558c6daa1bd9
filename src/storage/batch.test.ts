import { describe, expect, test } from 'bun:test';
import { inBatches } from './batch.ts';

/** A table that answers when told to, and records what it was asked. */
function slowTable() {
  const asked: { keys: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const find = inBatches((keys: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
    const rows = new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, `row ${key}`]));
    asked.push({ keys, answer: () => resolve(rows), fail: reject });
    return promise;
  });
  return { asked, find };
}

const settle = () => Bun.sleep(0);

describe('batching', () => {
  test('a single request is queried at once', async () => {
    const { asked, find } = slowTable();
    const row = find('a');
    await settle();
    expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
    asked[0]?.answer();
    expect(await row).toBe('row a');
  });

  test('requests during a query share the next one, and each gets its own row', async () => {
    const { asked, find } = slowTable();
    const first = find('a');
    await settle();
    const later = [find('b'), find('a'), find('nobody'), find('b')];
    await settle();
    // Later requests do not get a row that was read before they were made, so the next query reads 'a' again.
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await settle();
    expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b', 'a', 'nobody']]);
    asked[1]?.answer();
    expect(await first).toBe('row a');
    expect(await Promise.all(later)).toEqual(['row b', 'row a', undefined, 'row b']);
  });

  test('a failed query fails the requests that share it, and no others', async () => {
    const { asked, find } = slowTable();
    const first = find('a').catch((error: Error) => error.message);
    await settle();
    const second = find('b');
    asked[0]?.fail(new Error('unavailable'));
    expect(await first).toBe('unavailable');
    await settle();
    asked[1]?.answer();
    expect(await second).toBe('row b');
  });

  test('after a failure requests are not batched until a query succeeds', async () => {
    const { asked, find } = slowTable();
    const first = find('a').catch((error: Error) => error.message);
    await settle();
    asked[0]?.fail(new Error('unavailable'));
    expect(await first).toBe('unavailable');
    const [hanging, quick] = [find('b'), find('c').catch((error: Error) => error.message)];
    expect(asked.slice(1).map(({ keys }) => keys)).toEqual([['b'], ['c']]);
    asked[2]?.fail(new Error('unavailable'));
    expect(await quick).toBe('unavailable');
    asked[1]?.answer();
    expect(await hanging).toBe('row b');
    // After a success, requests are batched again.
    const shared = [find('d'), find('e')];
    await settle();
    expect(asked.slice(3).map(({ keys }) => keys)).toEqual([['d', 'e']]);
    asked[3]?.answer();
    expect(await Promise.all(shared)).toEqual(['row d', 'row e']);
  });

  test('a slow query does not delay later requests', async () => {
    const { asked, find } = slowTable();
    const slow = find('a');
    await settle();
    const next = find('b');
    while (asked.length < 2) await Bun.sleep(10);
    // The next batch begins as soon as the last one has ended.
    const later = find('c');
    asked[1]?.answer();
    expect(await next).toBe('row b');
    await settle();
    asked[2]?.answer();
    expect(await later).toBe('row c');
    asked[0]?.answer();
    expect(await slow).toBe('row a');
    expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c']]);
  });

  test('keys that do not fit into one query are split between several queries, and none is left out', async () => {
    const { asked, find } = slowTable();
    const all = Promise.all(Array.from({ length: 2500 }, (_, index) => find(String(index))));
    for (let query = 0; query < 3; query++) {
      await settle();
      asked[query]?.answer();
    }
    expect(asked.map(({ keys }) => keys.length)).toEqual([1024, 1024, 452]);
    expect((await all).every((row, index) => row === `row ${index}`)).toBe(true);
  });
});
