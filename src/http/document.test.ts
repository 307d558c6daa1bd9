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

describe('a client that has the document', () => {
  const gzipped = 'gzip, deflate';
  const all = 'gzip, deflate, br, zstd';
  // T stands for the ETag without the suffix for the encoding.
  test.each([
    ['in the encoding that would be sent gets 304', all, '"T-br"', 304, '"T-br"'],
    ['uncompressed gets 304 without Accept-Encoding', undefined, '"T"', 304, '"T"'],
    ['in another encoding that it accepts gets 304', all, '"T-gzip"', 304, '"T-gzip"'],
    ['compressed gets 304 without Accept-Encoding', undefined, '"T-gzip"', 304, '"T-gzip"'],
    ['uncompressed gets 304, since identity is always acceptable', all, '"T"', 304, '"T"'],
    ['in several encodings gets 304 for the one that would be sent', all, '"T", "T-gzip", "T-br"', 304, '"T-br"'],
    ['in several encodings gets 304 for one that it accepts', gzipped, '"T-br", "T"', 304, '"T"'],
    ['and an older version gets 304', gzipped, '"older-gzip" ,"T-gzip"', 304, '"T-gzip"'],
    ['with a weak tag from a compressing proxy gets 304', undefined, 'W/"T"', 304, 'W/"T"'],
    ['with a weak tag of an encoding gets 304', all, 'W/"T-br"', 304, 'W/"T-br"'],
    ['in any version (*) gets 304', all, '*', 304, '"T-br"'],
    ['in an encoding that it does not accept gets 200', gzipped, '"T-br"', 200, '"T-gzip"'],
    ['compressed gets 200 if it accepts no compression', 'identity', '"T-gzip"', 200, '"T"'],
    ['uncompressed gets 200 if it excludes identity', 'gzip, identity;q=0', '"T"', 200, '"T-gzip"'],
    ['in an older version gets 200', all, '"older"', 200, '"T-br"'],
    ['with a tag without quotes gets 200', all, 'T-br', 200, '"T-br"'],
    ['in an encoding that does not exist gets 200', all, '"T-deflate"', 200, '"T-br"'],
    ['with an empty tag gets 200', all, '', 200, '"T-br"'],
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

test('the ETag depends only on the text, however it was prepared', async () => {
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
