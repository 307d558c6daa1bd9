import { expect, test } from 'bun:test';
import { isPostgresAddress, readPostgresAddress } from './postgres-address.ts';

test.each([
  ['postgres://desk:p%40ss@db/desk', ['postgres://desk:p%40ss@db/desk'], false],
  ['postgres:///desk', ['postgres:///desk'], false],
  ['postgres://a,b/desk', ['postgres://a/desk', 'postgres://b/desk'], false],
  [
    'postgresql://u:p@a:5433,[::1]:5434/desk?sslmode=verify-full&target_session_attrs=read-write',
    ['postgresql://u:p@a:5433/desk?sslmode=verify-full', 'postgresql://u:p@[::1]:5434/desk?sslmode=verify-full'],
    true,
  ],
  ['postgres://a/desk?target_session_attrs=primary', ['postgres://a/desk'], true],
  ['postgres://a/desk?target_session_attrs=any', ['postgres://a/desk'], false],
  [
    'postgres:///desk?host=a,b&port=5433',
    ['postgres:///desk?host=a&port=5433', 'postgres:///desk?host=b&port=5433'],
    false,
  ],
  [
    'postgres:///desk?host=a,b&port=5433,5434',
    ['postgres:///desk?host=a&port=5433', 'postgres:///desk?host=b&port=5434'],
    false,
  ],
  [
    'postgres:///desk?host=/run/a,/run/b',
    ['postgres:///desk?host=%2Frun%2Fa', 'postgres:///desk?host=%2Frun%2Fb'],
    false,
  ],
])('%s is split into one address for each host, as libpq does', (address, urls, needsWriter) => {
  const found = readPostgresAddress(address);
  expect([[...found.urls], found.needsWriter]).toEqual([urls, needsWriter]);
});

test.each(['postgres://a:x/desk', 'postgres://a,b:99999/desk', 'postgres', 'postgres://a b/desk'])(
  '%s is not a PostgreSQL address',
  (text) => {
    expect(isPostgresAddress(text)).toBe(false);
  },
);
