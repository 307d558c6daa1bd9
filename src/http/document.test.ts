import { expect, test } from 'bun:test';
import { matchesEtag, negotiateEncoding, prepareDocument, prepareOnce, serveDocument } from './document.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['zstd, gzip', 'zstd'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'zstd'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['identity', 'identity'],
  ['identity;q=0.5, gzip;q=0.1', 'identity'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=2', 'identity'],
  ['gzip;q=x', 'identity'],
  ['deflate', 'identity'],
  ['', 'identity'],
  [',,;', 'identity'],
] as const)('Accept-Encoding: %s gets %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});

test.each([
  ['"abc"', true],
  ['"abc-gzip"', true],
  ['W/"abc-br"', true],
  ['"x", "abc-zstd"', true],
  ['*', true],
  ['abc', false],
  ['"abc-deflate"', false],
  ['"abcd"', false],
  ['', false],
])('If-None-Match: %s matches: %p', (header, matches) => {
  expect(matchesEtag(header, 'abc')).toBe(matches);
});

test('the same text has the same tag, another text another, however it was prepared', async () => {
  const tagOf = async (text: string) => (await prepareDocument(text, {})).etagBase;
  expect(await tagOf('a')).toBe(await tagOf('a'));
  expect(await tagOf('a')).not.toBe(await tagOf('b'));
  expect(prepareOnce('a', {}).etagBase).toBe(await tagOf('a'));
});

test('answers share nothing that one of them could change', async () => {
  const document = await prepareDocument('text', { 'Cache-Control': 'no-cache' });
  const request = new Request('http://localhost/');
  serveDocument(document, request.headers).headers.set('Cache-Control', 'public');
  expect(serveDocument(document, request.headers).headers.get('Cache-Control')).toBe('no-cache');
});
