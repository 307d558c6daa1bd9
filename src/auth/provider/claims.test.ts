import { describe, expect, test } from 'bun:test';
import { type ClaimSettings, type Claims, type Identity, readIdentity } from './claims.ts';

const defaults: ClaimSettings = {
  employeeIdClaims: ['sub'],
  roleClaims: ['/roles'],
  roleMap: new Map(),
  presetRoleMap: new Map(),
};

function identityOf(idToken: Claims, userinfo: Claims = {}, settings: Partial<ClaimSettings> = {}): Identity {
  const result = readIdentity({ sub: 'E-1', ...idToken }, userinfo, { ...defaults, ...settings });
  if ('refused' in result) throw new Error(result.refused);
  return result.identity;
}

function refusalOf(idToken: Claims, settings: Partial<ClaimSettings> = {}): string | undefined {
  const result = readIdentity({ sub: 'E-1', ...idToken }, {}, { ...defaults, ...settings });
  return 'refused' in result ? result.refused : undefined;
}

describe('the ID token comes first and userinfo fills its gaps', () => {
  test.each([
    ['only in the ID token', { name: 'A' }, {}, 'A'],
    ['only in userinfo', {}, { name: 'B' }, 'B'],
    ['in both', { name: 'A' }, { name: 'B' }, 'A'],
    ['empty in the ID token', { name: '' }, { name: 'B' }, 'B'],
    ['null in the ID token', { name: null }, { name: 'B' }, 'B'],
  ])('%s', (_, idToken, userinfo, name) => {
    expect(identityOf(idToken, userinfo).profile.name).toBe(name);
  });

  test('the subject comes from the ID token', () => {
    expect(identityOf({ sub: 'one' }, { sub: 'two' })).toMatchObject({ subject: 'one', employeeId: 'one' });
  });
});

describe('the name', () => {
  test.each([
    ['as stated', { name: 'Ada P.', given_name: 'Ada', family_name: 'Park' }, 'Ada P.'],
    ['from its parts', { given_name: 'Ada', family_name: 'Park' }, 'Ada Park'],
    ['from one part', { family_name: 'Park' }, 'Park'],
    ['from the user name', { preferred_username: 'ada' }, 'ada'],
    ['from the email', { email: 'ada@example.com' }, 'ada@example.com'],
    ['from the employee ID', {}, 'E-1'],
    ['in another script', { name: '山田 太郎' }, '山田 太郎'],
    ['from right to left', { name: 'محمد علي' }, 'محمد علي'],
    ['without control characters', { name: 'A\u0000d\u001ba\n' }, 'Ada'],
    ['with a lone surrogate replaced', { name: 'A\ud800' }, 'A\ufffd'],
    ['from the employee ID if it is not a text', { name: 7 }, 'E-1'],
  ])('%s', (_, claims, name) => {
    expect(identityOf(claims).profile.name).toBe(name);
  });

  test('is cut at 512 whole characters', () => {
    expect(identityOf({ name: '😀'.repeat(600) }).profile.name).toBe('😀'.repeat(512));
  });
});

describe('the rest of the profile', () => {
  test('is empty if nothing is known, and only the middle name and picture are absent', () => {
    expect(identityOf({}).profile).toEqual({
      name: 'E-1',
      givenName: '',
      middleName: undefined,
      familyName: '',
      picture: undefined,
      email: '',
      emailVerified: false,
      phoneNumber: '',
    });
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', false],
    [1, false],
    [undefined, false],
  ])('email_verified %p is %p', (claim, verified) => {
    expect(identityOf({ email_verified: claim }).profile.emailVerified).toBe(verified);
  });

  test.each([
    ['https://pics.example/a.png', 'https://pics.example/a.png'],
    ['http://pics.example/a.png', 'http://pics.example/a.png'],
    ['javascript:alert(1)', undefined],
    ['data:image/png;base64,AAAA', undefined],
    ['/relative.png', undefined],
    [`https://pics.example/${'a'.repeat(2048)}`, undefined],
    [7, undefined],
  ])('a picture %p is %p', (claim, picture) => {
    expect(identityOf({ picture: claim }).profile.picture).toBe(picture);
  });

  test('an empty middle name counts as missing', () => {
    expect(identityOf({ middle_name: ' ' }).profile.middleName).toBeUndefined();
  });

  test('the provider’s session id is kept', () => {
    expect(identityOf({ sid: 'S1' }).providerSessionId).toBe('S1');
    expect(identityOf({ sid: 7 }).providerSessionId).toBeUndefined();
  });
});

describe('the employee ID', () => {
  test.each([
    ['from a separate claim', { emp: 'X-7' }, ['emp'], 'X-7'],
    ['from the first claim that is present', { b: 'B', c: 'C' }, ['a', 'b', 'c'], 'B'],
    ['not from an empty claim', { a: '', b: 'B' }, ['a', 'b'], 'B'],
    ['from a number', { emp: 1001 }, ['emp'], '1001'],
    ['from a nested claim', { hr: { id: 'N' } }, ['/hr/id'], 'N'],
    ['from a claim whose name has dots and slashes', { 'https://x.example/id': 'D' }, ['https://x.example/id'], 'D'],
    ['from a pointer to a name with a slash', { 'a/b~c': 'P' }, ['/a~1b~0c'], 'P'],
  ])('%s', (_, claims, employeeIdClaims, employeeId) => {
    expect(identityOf(claims, {}, { employeeIdClaims }).employeeId).toBe(employeeId);
  });

  test.each([
    ['a missing employee ID', {}],
    ['an object', { emp: { id: 1 } }],
    ['a fraction', { emp: 1.5 }],
    ['a leading space', { emp: ' E' }],
    ['a trailing space', { emp: 'E ' }],
    ['a line break', { emp: 'E\n1' }],
    ['NUL', { emp: 'E\u0000' }],
    ['over 255 characters', { emp: 'E'.repeat(256) }],
    ['a lone surrogate', { emp: 'E\udc00' }],
    ['an invisible character', { emp: 'E\u200b' }],
    ['a control character for text direction', { emp: '\u2066E' }],
  ])('%s is refused, never corrected', (_, claims) => {
    expect(refusalOf(claims, { employeeIdClaims: ['emp'] })).toBeString();
  });

  test('the same rules apply to a subject', () => {
    expect(refusalOf({ sub: 'E-1 ' })).toBeString();
    expect(refusalOf({ sub: 'S'.repeat(256) })).toBeString();
  });

  test('a sign-in is refused if the provider’s session id cannot be stored unchanged', () => {
    expect(refusalOf({ sid: 'a\u0000b' })).toBeString();
    expect(refusalOf({ sid: 'a\udc00' })).toBeString();
    expect(refusalOf({ sid: 'S'.repeat(256) })).toBeString();
    expect(identityOf({ sid: 'S'.repeat(255) }).providerSessionId).toHaveLength(255);
  });

  test('a property that every object has is not a claim', () => {
    expect(refusalOf({}, { employeeIdClaims: ['constructor', '__proto__', '/toString/name'] })).toBeString();
  });
});

describe('roles', () => {
  const rolesOf = (claims: Claims, roleClaims: string[], roleMap = new Map<string, string>()) =>
    identityOf(claims, {}, { roleClaims, roleMap }).roles;

  test.each([
    ['an array', { roles: ['A', 'B C'] }, ['/roles'], ['A', 'B C']],
    ['one text', { roles: 'A' }, ['roles'], ['A']],
    ['separated by commas and spaces', { roles: 'A, B C,,D' }, ['/roles'], ['A', 'B', 'C', 'D']],
    ['one text with a space in it', { roles: 'HR Admin' }, ['/roles|one'], ['HR Admin']],
    ['the keys of an object', { roles: { A: { org: 1 }, B: {} } }, ['/roles'], ['A', 'B']],
    ['nested', { realm_access: { roles: ['A'] } }, ['/realm_access/roles'], ['A']],
    ['a name with dots', { 'https://x.example/roles': ['A'] }, ['/https:~1~1x.example~1roles'], ['A']],
    [
      'several sources, each role once',
      { roles: ['A', 'B'], groups: ['B', 'C'] },
      ['/roles', '/groups'],
      ['A', 'B', 'C'],
    ],
    ['none', {}, ['/roles'], []],
    ['without values that are not text', { roles: ['A', 7, null, { x: 1 }] }, ['/roles'], ['A']],
    ['a number', { roles: 7 }, ['/roles'], []],
  ])('%s', (_, claims, sources, roles) => {
    expect(rolesOf(claims, sources)).toEqual(roles);
  });

  test('are renamed or dropped by the map, and kept if the map does not name them', () => {
    const roleMap = new Map([
      ['hr', 'LOOKUP_ADMIN'],
      ['noise', ''],
    ]);
    expect(rolesOf({ roles: ['hr', 'noise', 'OTHER'] }, ['/roles'], roleMap)).toEqual(['LOOKUP_ADMIN', 'OTHER']);
  });

  test('are all read, even if there are five hundred', () => {
    const many = Array.from({ length: 500 }, (_, index) => `ROLE_${index}`);
    expect(rolesOf({ roles: many }, ['/roles'])).toEqual(many);
  });
});

describe('a sign-in is refused if the provider left out groups that are needed', () => {
  test.each([
    ['hasgroups', { hasgroups: true }, ['/groups'], true],
    ['hasgroups as text', { hasgroups: 'true' }, ['/groups'], true],
    ['a distributed claim', { _claim_names: { groups: 'src1' } }, ['/groups'], true],
    ['not for a distributed claim that is not used', { _claim_names: { address: 'src1' } }, ['/groups'], false],
    ['not for groups that are not used', { hasgroups: true }, ['/roles'], false],
    ['not if the groups were sent as well', { _claim_names: { groups: 'src1' }, groups: ['A'] }, ['/groups'], false],
  ])('%s', (_, claims, roleClaims, isRefused) => {
    expect(refusalOf(claims, { roleClaims }) !== undefined).toBe(isRefused);
  });
});
