import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function fileWith(content: string | Uint8Array): string {
  const file = join(folder, `secret-${count++}`);
  writeFileSync(file, content);
  return file;
}

const key = 'k'.repeat(40);
const provider = { OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'desk' };
const production = { ...provider, NODE_ENV: 'production', PUBLIC_URL: 'https://desk.example' };

test('each secret may be in a file', () => {
  const config = readConfig({
    ...production,
    SECRET_KEY_FILE: fileWith(key),
    NEW_SECRET_KEY_FILE: fileWith(key.toUpperCase()),
    OIDC_CLIENT_SECRET_FILE: fileWith('the secret'),
    DATABASE_URL_FILE: fileWith('sqlite:/data/desk.db\n'),
  });
  expect(config.secretKey).toBe(key);
  expect(config.newSecretKey).toBe(key.toUpperCase());
  expect(config.provider?.clientSecret).toBe('the secret');
  expect(config.database).toEqual({ engine: 'sqlite', file: '/data/desk.db' });
  expect(config.warnings).toEqual([]);
});

test.each([
  ['secret\n', 'secret'],
  ['secret\r\n', 'secret'],
  [' secret \n\n', ' secret \n'],
  ['sécret', 'sécret'],
])('only the last line break of %j is removed', (content, secret) => {
  const env = { ...provider, OIDC_CLIENT_SECRET_FILE: fileWith(content) };
  expect(readConfig(env).provider?.clientSecret).toBe(secret);
});

test('if one of the two variables is empty, the other one counts', () => {
  expect(readConfig({ SECRET_KEY: '', SECRET_KEY_FILE: fileWith(key) }).secretKey).toBe(key);
  expect(readConfig({ SECRET_KEY: key, SECRET_KEY_FILE: '' }).secretKey).toBe(key);
});

describe('a single fault that does not quote the file is reported for', () => {
  const tooLong = 'must name a file of at most 65536 bytes';
  test.each([
    ['both variables', { SECRET_KEY: key, SECRET_KEY_FILE: fileWith(key) }, 'must not be set together with SECRET_KEY'],
    ['a missing file', { SECRET_KEY_FILE: join(folder, 'none') }, 'names a file that cannot be read (ENOENT)'],
    ['a folder', { SECRET_KEY_FILE: folder }, 'must name a regular file'],
    ['a device', { SECRET_KEY_FILE: '/dev/zero' }, 'must name a regular file'],
    ['an empty file', { SECRET_KEY_FILE: fileWith('\n') }, 'names an empty file'],
    ['a long file', { SECRET_KEY_FILE: fileWith('x'.repeat(65_537)) }, tooLong],
    ['no text', { SECRET_KEY_FILE: fileWith(new Uint8Array(64).fill(0xff)) }, 'names a file that is not UTF-8 text'],
    ['a short secret', { SECRET_KEY_FILE: fileWith('hunter2') }, 'must be at least 32 bytes long'],
  ])('%s', (_, env, fault) => {
    const settings = { ...production, OIDC_CLIENT_AUTH: 'none', ...env };
    expect(() => readConfig(settings)).toThrow(new Error(`SECRET_KEY_FILE: ${fault}`));
  });

  test('an invalid database address', () => {
    const env = { DATABASE_URL_FILE: fileWith('mysql://desk:hunter2@db.example') };
    const fault = 'must be sqlite:./path/of/a/file.db or postgres://user:password@host/database';
    expect(() => readConfig(env)).toThrow(new Error(`DATABASE_URL_FILE: ${fault}`));
  });

  test('a client secret that cannot be read', () => {
    const env = { ...provider, OIDC_CLIENT_SECRET_FILE: join(folder, 'none') };
    const fault = 'OIDC_CLIENT_SECRET_FILE: names a file that cannot be read (ENOENT)';
    expect(() => readConfig(env)).toThrow(new Error(fault));
  });
});

test('a misspelt name is reported', () => {
  expect(() => readConfig({ OIDC_CLIENT_SECRET_FIEL: 'x' })).toThrow('did you mean OIDC_CLIENT_SECRET_FILE?');
  expect(readConfig({ SECRETKEY_FILE: 'x' }).warnings.map(({ fault }) => fault)).toEqual([
    'is not a Frontdesk variable: did you mean SECRET_KEY_FILE?',
  ]);
});
