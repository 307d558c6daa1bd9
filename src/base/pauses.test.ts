import { expect, test } from 'bun:test';
import { Pauses } from './pauses.ts';

test.each([0, 1, 200, 201, 1000, 5003])(
  '%d items are sorted, and items that compare as equal keep their order',
  async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % 101, index }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(await new Pauses().sort(items, compare)).toEqual(items.toSorted(compare));
  },
);

test('mapping and filtering keep the order', async () => {
  const numbers = Array.from({ length: 1001 }, (_, index) => index);
  expect(await new Pauses().map(numbers, (number) => number * 2)).toEqual(numbers.map((number) => number * 2));
  const isOdd = (number: number) => number % 2 === 1;
  expect(await new Pauses().filter(numbers, isOdd)).toEqual(numbers.filter(isOdd));
});

test('other work runs every few milliseconds during long work', async () => {
  let turns = 0;
  let isOver = false;
  const tick = () => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await new Pauses().map(Array.from({ length: 2000 }), (_, index) => {
    const until = performance.now() + (index % 200 === 0 ? 3 : 0);
    while (performance.now() < until);
  });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('pieces of long work that run at the same time do not share a turn of the event loop', async () => {
  let log = '';
  let isOver = false;
  const tick = () => {
    log += '.';
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const work = async () => {
    const pauses = new Pauses();
    for (let slice = 0; slice < 3; slice++) {
      await pauses.ifDue();
      log += 'x';
      const until = performance.now() + 9;
      while (performance.now() < until);
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  isOver = true;
  expect([log.replaceAll('.', '').length, /xxx/.test(log)]).toEqual([30, false]);
});
