import { expect, test } from 'bun:test';
import { KeptOnRequest } from './kept-on-request.ts';

const sizeOf = ({ size }: { size: number }) => size;

test('requests while a value is being made share it, and later requests get it at once', async () => {
  const kept = new KeptOnRequest(100, sizeOf);
  let made = 0;
  const make = async () => ({ size: ++made });
  const [first, second] = await Promise.all([kept.getOrMake('a', make), kept.getOrMake('a', make)]);
  expect([made, first === second, kept.getOrMake('a', make)]).toEqual([1, true, first]);
});

test('after a failure, the value is made again', async () => {
  const kept = new KeptOnRequest(100, sizeOf);
  const failing = () => Promise.reject(new Error('away'));
  const asked = await Promise.allSettled([kept.getOrMake('a', failing), kept.getOrMake('a', failing)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await kept.getOrMake('a', async () => ({ size: 2 }))).toEqual({ size: 2 });
});

test('however many values are made, the kept values stay within the limit', async () => {
  const kept = new KeptOnRequest(100, sizeOf);
  let made = 0;
  const make = async () => ({ size: 10, number: ++made });
  for (let key = 0; key < 1000; key++) await kept.getOrMake(String(key), make);
  const before = made;
  for (let key = 0; key < 1000; key++) await kept.getOrMake(String(999 - key), make);
  expect(made - before).toBeGreaterThanOrEqual(980);
});

test('a value that was begun before clear() is not kept', async () => {
  const kept = new KeptOnRequest(100, sizeOf);
  const { promise, resolve } = Promise.withResolvers<{ size: number }>();
  const old = kept.getOrMake('a', () => promise);
  kept.clear();
  const current = kept.getOrMake('a', async () => ({ size: 2 }));
  resolve({ size: 1 });
  expect([await old, await current, await kept.getOrMake('a', async () => ({ size: 3 }))]).toEqual([
    { size: 1 },
    { size: 2 },
    { size: 2 },
  ]);
});
