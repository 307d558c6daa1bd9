import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { coveredDigest, coveredDigestInSlices } from './digest.ts';

const key = Buffer.from('a key of the audit');
const slice = 256 * 1024;

test.each([
  ['nothing', ''],
  ['a short text', '[{"value":"A","after":{"label":"Ä \\" \\\\ \\n"}}]'],
  ['a text of one slice', 'a'.repeat(slice)],
  ['a character between two slices', `${'a'.repeat(slice - 1)}😀${'"'.repeat(slice)}😀`],
  ['characters at every place', '😀é"\\\u0000'.repeat(slice / 2)],
  ['halves of characters', `${'\ud83d'.repeat(slice + 1)}\ude00\ude00`],
])('the digest of %s is that of the whole, however it is computed', async (_, text) => {
  const whole = createHmac('sha256', key)
    .update(JSON.stringify(['covered', 'salt', text]))
    .digest('hex');
  expect(coveredDigest(key, 'salt', text)).toBe(whole);
  expect(await coveredDigestInSlices(key, 'salt', [text])).toBe(whole);
});
