import { expect, test } from 'bun:test';
import { addressKey, clientAddress, createLimiter } from './limits.ts';
import { Problem } from './problem.ts';

function statusOf(act: () => void): number {
  try {
    act();
    return 200;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.status;
  }
}

test('a quota applies to one key in one window', () => {
  let now = 0;
  const limiter = createLimiter('x', { quota: 2, windowSeconds: 60 }, () => now);
  if (limiter === undefined) throw new Error('no limiter');
  const take = (key: string) => statusOf(() => limiter.take(key, now));
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([200, 200, 429, 200]);
  expect(limiter.headers('a')).toEqual({ RateLimit: '"x";r=0;t=60', 'RateLimit-Policy': '"x";q=2;w=60' });
  now = 59_999;
  expect(take('a')).toBe(429);
  now = 60_000;
  expect([take('a'), take('a'), take('a')]).toEqual([200, 200, 429]);
});

test('between 25,000 and 50,000 counters are kept, and the oldest are dropped', () => {
  const limiter = createLimiter('x', { quota: 1, windowSeconds: 60 }, () => 0);
  const take = (key: string) => statusOf(() => limiter?.take(key, 0));
  expect([take('first'), take('first')]).toEqual([200, 429]);
  for (let index = 0; index < 24_999; index++) take(`other-${index}`);
  expect(take('first')).toBe(429);
  for (let index = 0; index < 50_000; index++) take(`key-${index}`);
  expect(take('first')).toBe(200);
});

test('without a limit there is no limiter', () => {
  expect(createLimiter('x', { quota: 0, windowSeconds: 0 }, Date.now)).toBeUndefined();
});

test.each([
  ['no proxy, ignores the header', '10.0.0.1', '1.1.1.1', 0, '10.0.0.1'],
  ['one proxy', '10.0.0.1', '1.1.1.1', 1, '1.1.1.1'],
  ['one proxy, a lying client', '10.0.0.1', '9.9.9.9, 8.8.8.8, 1.1.1.1', 1, '1.1.1.1'],
  ['two proxies, a lying client', '10.0.0.1', '9.9.9.9, 1.1.1.1, 10.0.0.2', 2, '1.1.1.1'],
  ['fewer hops than proxies', '10.0.0.1', '1.1.1.1', 2, '10.0.0.1'],
  ['one proxy that sends no header', '10.0.0.1', null, 1, '10.0.0.1'],
  ['a text that is not an address', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
  ['an address with a port', '10.0.0.1', '1.1.1.1:4711', 1, '1.1.1.1'],
  ['an IPv6 address in brackets', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['IPv4 in IPv6', '::ffff:10.0.0.1', null, 0, '10.0.0.1'],
  ['no socket address', undefined, null, 0, 'unknown'],
])('the client address, with %s', (_, socket, forwarded, proxies, address) => {
  expect(clientAddress(socket, forwarded, proxies)).toBe(address);
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is counted under %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
