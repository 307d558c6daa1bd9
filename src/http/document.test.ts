import { describe, expect, test } from 'bun:test';
import { negotiateEncoding, prepareDocument, prepareOnce, serveDocument } from './document.ts';

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

describe('a document that somebody has already', () => {
  const gzipped = 'gzip, deflate';
  const all = 'gzip, deflate, br, zstd';
  // T stands for the tag without its encoding.
  test.each([
    ['the one that would be sent', all, '"T-br"', 304, '"T-br"'],
    ['in no encoding, where none is asked for', undefined, '"T"', 304, '"T"'],
    ['in another encoding that is taken', all, '"T-gzip"', 304, '"T-gzip"'],
    ['in an encoding, where nothing is said of any', undefined, '"T-gzip"', 304, '"T-gzip"'],
    ['in no encoding, which is always taken', all, '"T"', 304, '"T"'],
    ['several: the one that would be sent', all, '"T", "T-gzip", "T-br"', 304, '"T-br"'],
    ['several: one that is taken', gzipped, '"T-br", "T"', 304, '"T"'],
    ['beside an older one', gzipped, '"older-gzip" ,"T-gzip"', 304, '"T-gzip"'],
    ['weak, as a proxy that compresses makes it', undefined, 'W/"T"', 304, 'W/"T"'],
    ['weak, in an encoding', all, 'W/"T-br"', 304, 'W/"T-br"'],
    ['whichever', all, '*', 304, '"T-br"'],
    ['in an encoding that is not taken', gzipped, '"T-br"', 200, '"T-gzip"'],
    ['in an encoding, where none is taken', 'identity', '"T-gzip"', 200, '"T"'],
    ['in no encoding, where that is excluded', 'gzip, identity;q=0', '"T"', 200, '"T-gzip"'],
    ['an older one', all, '"older"', 200, '"T-br"'],
    ['with a tag that is none', all, 'T-br', 200, '"T-br"'],
    ['in an encoding there is not', all, '"T-deflate"', 200, '"T-br"'],
    ['with an empty tag', all, '', 200, '"T-br"'],
  ])('%s', async (_, acceptEncoding, ifNoneMatch, status, etag) => {
    const document = await prepareDocument('text', { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    const base = document.variants.identity.etag.slice(1, -1);
    const answer = serveDocument(document, {
      'Accept-Encoding': acceptEncoding,
      'If-None-Match': ifNoneMatch.replaceAll('T', base),
    });
    expect([answer.status, answer.headers.get('etag')]).toEqual([status, etag.replace('T', base)]);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.body === null).toBe(status === 304);
  });
});

test('the same text always has the same tag, however it was prepared, and a different text has a different one', async () => {
  const tagOf = async (text: string) => (await prepareDocument(text, {})).variants.identity.etag;
  expect(await tagOf('a')).toBe(await tagOf('a'));
  expect(await tagOf('a')).not.toBe(await tagOf('b'));
  expect(prepareOnce('a', {}).variants.identity.etag).toBe(await tagOf('a'));
});

test('answers share nothing that one of them could change', async () => {
  const document = await prepareDocument('text', { 'Cache-Control': 'no-cache' });
  serveDocument(document, {}).headers.set('Cache-Control', 'public');
  expect(serveDocument(document, {}).headers.get('Cache-Control')).toBe('no-cache');
});
