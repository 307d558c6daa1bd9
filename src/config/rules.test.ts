// Rules between variables, and what production requires in addition.
import { describe, expect, test } from 'bun:test';
import { faultsOf, production, provider } from '../../test/support/config.ts';
import { readConfig } from './config.ts';

describe('production', () => {
  test('starts if everything it needs is set', () => {
    expect(readConfig(production).production).toBe(true);
  });

  test('reports everything that is missing at once', () => {
    expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
      'SECRET_KEY',
      'OIDC_ISSUER',
      'PUBLIC_URL',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
    ]);
  });

  test.each(['SECRET_KEY', 'OIDC_ISSUER', 'PUBLIC_URL'])('does not start without %s', (variable) => {
    expect(faultsOf({ ...production, [variable]: '' })).toEqual([variable]);
  });
});

describe.each(['production', 'development', ''])(
  'nothing leaves this machine in plaintext, with NODE_ENV=%s',
  (NODE_ENV) => {
    const settings = { ...production, NODE_ENV };

    test.each([
      ['PUBLIC_URL', 'http://desk.example'],
      ['PUBLIC_URL', 'http://192.0.2.1:3000'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?sslmode=disable'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?sslmode=no-verify'],
      ['DATABASE_URL', 'postgres://desk:secret@localhost/desk?host=db.example'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?ssl=0'],
      ['DATABASE_URL', 'postgres://desk:secret@localhost,db.example/desk'],
    ])('%s=%s is a fault unless ALLOW_PLAINTEXT is true', (variable, value) => {
      expect(faultsOf({ ...settings, [variable]: value })).toEqual([variable]);
      expect(faultsOf({ ...settings, [variable]: value, ALLOW_PLAINTEXT: 'false' })).toEqual([variable]);
      expect(faultsOf({ ...settings, [variable]: value, ALLOW_PLAINTEXT: 'true' })).toEqual([]);
    });

    test.each([
      ['PUBLIC_URL', 'http://localhost:3000'],
      ['PUBLIC_URL', 'http://127.0.0.1:3000'],
      ['DATABASE_URL', 'sqlite:./desk.db'],
      ['DATABASE_URL', 'postgres://desk:secret@localhost/desk'],
      ['DATABASE_URL', 'postgres://desk:secret@[::1]/desk?sslmode=no-verify'],
      ['DATABASE_URL', 'postgres:///desk'],
      ['DATABASE_URL', 'postgres://desk@db.example/desk?host=/var/run/postgresql'],
      ['DATABASE_URL', 'postgres://desk@%2Fvar%2Frun%2Fpostgresql/desk'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?sslmode=require'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?sslmode=verify-full'],
      ['DATABASE_URL', 'postgres://desk:secret@a.example,b.example/desk?sslmode=require'],
      ['DATABASE_URL', 'postgres://desk:secret@db.example/desk?ssl=true'],
    ])('%s=%s is not a fault', (variable, value) => {
      expect(faultsOf({ ...settings, [variable]: value })).toEqual([]);
    });

    test('an address without a host uses PGHOST', () => {
      const env = { ...settings, DATABASE_URL: 'postgres:///desk', PGHOST: 'db.example' };
      expect(faultsOf(env)).toEqual(['DATABASE_URL']);
      expect(faultsOf({ ...env, PGHOST: '/var/run/postgresql' })).toEqual([]);
    });
  },
);

describe('the development provider', () => {
  test.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '192.0.2.1'],
    ['PUBLIC_URL', 'https://desk.example'],
    ['PUBLIC_URL', 'https://localhost.evil.example'],
  ])('is not offered with %s=%s', (variable, value) => {
    expect(faultsOf({ [variable]: value })).toEqual(['OIDC_ISSUER']);
  });

  test.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('is offered on %s', (host) => {
    expect(faultsOf({ HOST: host })).toEqual([]);
  });
});

test('an http issuer must be on this machine, unless OIDC_ALLOW_HTTP permits others', () => {
  const issuer = { ...provider, OIDC_ISSUER: 'http://idp.example' };
  expect(faultsOf(issuer)).toEqual(['OIDC_ISSUER']);
  expect(readConfig({ ...issuer, OIDC_ALLOW_HTTP: 'true' }).provider?.allowHttp).toBe(true);
  expect(readConfig({ ...provider, OIDC_ISSUER: 'http://localhost:9' }).provider?.allowHttp).toBe(true);
});

test('a public client needs no secret', () => {
  expect(faultsOf({ OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_AUTH: 'none' })).toEqual(
    [],
  );
});
