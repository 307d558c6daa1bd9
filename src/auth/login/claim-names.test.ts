import { expect, test } from 'bun:test';
import { nameClaims } from './claim-names.ts';

test('the names of claims are listed by source, without their values', () => {
  expect(nameClaims({ sub: 'E-1', iss: 'https://idp.example' }, { email: 'erin@example.com' })).toBe(
    'ID token has iss, sub; userinfo has email',
  );
  expect(nameClaims({ 'https://example.com/roles': [] }, {})).toBe(
    'ID token has https://example.com/roles; userinfo has nothing',
  );
});

test('unusual names are quoted, so that they cannot imitate other names or control a terminal', () => {
  expect(nameClaims({ 'a, b; userinfo has c': 1, '\u001b[31m\u0000\u202e\ud800': 1, '': 1 }, {})).toBe(
    'ID token has "", "\\u001b[31m\\u0000?\\ud800", "a, b; userinfo has c"; userinfo has nothing',
  );
});

test('long names are cut, and so is a long list of names', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}${'x'.repeat(5000)}`, 1]));
  const named = nameClaims(many, many);
  expect(named).toEndWith('4960 more');
  expect(named.length).toBeLessThan(10_000);
});
