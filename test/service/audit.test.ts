// The audit records what people and commands do, without secrets.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { type AuditFilter, readAudit, type ShownRow } from '../../src/audit/audit.queries.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import type { Tables } from '../../src/storage/tables.ts';
import { Browser } from '../support/browser.ts';
import { runHere } from '../support/command.ts';
import { everyValueIn } from '../support/every-value.ts';
import { bearer, codeFromProvider, type Frontdesk, lastsADay, startFrontdesk } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const secretKey = 'a secret for these tests, long enough';
let desk: Frontdesk;
let storage: Storage;
beforeAll(async () => {
  desk = await startFrontdesk({ SECRET_KEY: secretKey });
  storage = await openStorage(desk.config.database);
});
afterAll(async () => {
  await storage.close();
  await desk.stop();
});

type StoredRow = Tables['audit'];

const runExecutable = (...words: string[]) => runToEnd(words, desk.commandEnv, desk.folder);
const run = (...words: string[]) => runHere(words, desk.commandEnv);

const audit = (filter: Partial<AuditFilter> = {}) => readAudit(storage.reads, { limit: 100, ...filter });

async function auditByCommand(...filters: string[]): Promise<ShownRow[]> {
  const { stdout } = await runExecutable('audit', '--json', ...filters);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ShownRow);
}

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

test('a sign-in, a refusal and a logout each leave a row that names who, where and which request', async () => {
  const { response } = await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1002`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const refused = await desk.get('/auth/login/callback?code=nonsense');
  const left = await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(accessToken) });
  const session = sessionOf(accessToken);
  const row = {
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    id: expect.stringMatching(/^\d+$/),
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  };
  const idOf = (answer: Response) => answer.headers.get('x-request-id');
  expect((await auditByCommand()).slice(-3) as unknown[]).toEqual([
    { ...row, type: 'sign-in', person: 'E-1002', actor: 'E-1002', session, requestId: idOf(response), detail: 'bound' },
    {
      ...row,
      type: 'sign-in-refused',
      person: null,
      actor: null,
      session: null,
      requestId: idOf(refused),
      detail: 'code-rejected: the provider refused: invalid_grant',
    },
    { ...row, type: 'logout', person: 'E-1002', actor: 'E-1002', session, requestId: idOf(left), detail: null },
  ]);
});

test('the creation of the first key is audited, too', async () => {
  expect((await audit({ type: 'key-activated' })).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
});

test('the audit can be filtered by type, person, time and number', async () => {
  await desk.signIn('E-1003');
  await desk.signIn('E-1001');
  const ofPerson = await auditByCommand('--person', 'E-1003', '--type', 'sign-in');
  expect(new Set(ofPerson.map(({ person, type }) => `${type} ${person}`))).toEqual(new Set(['sign-in E-1003']));
  const last = await auditByCommand('--limit', '1', '--since', '2020-01-01');
  expect(last).toEqual([expect.objectContaining({ person: 'E-1001' })]);
  expect(await auditByCommand('--since', '2999-01-01')).toEqual([]);
  expect((await auditByCommand('--before', last[0]?.id ?? '', '--limit', '1'))[0]).toMatchObject({ person: 'E-1003' });
});

test('the audit is printed as a table by default', async () => {
  const { stdout } = await runExecutable('audit', '--type', 'sign-in');
  expect(stdout.split('\n')[0]).toMatch(/^id +at +type +person +actor +session +address +request +detail$/);
});

test('a callback that is refused because it has no usable code is audited, too', async () => {
  const before = (await audit()).length;
  for (const query of ['', 'code=', 'code=a&code=b', 'state=x&state=y', 'error=access_denied']) {
    await desk.get(`/auth/login/callback?${query}`);
  }
  expect((await audit()).slice(before).map(({ detail }) => detail)).toEqual([
    'missing-code',
    'invalid-code',
    'invalid-callback',
    'invalid-callback',
    'login-denied',
  ]);
});

test('the audit names who claimed whose employee ID', async () => {
  const provider = await startHostileProvider();
  const own = await startFrontdesk({ ...provider.env, SECRET_KEY: secretKey, EMPLOYEE_ID_CLAIM: 'emp' });
  for (const sub of ['alice', 'mallory']) {
    provider.lie = { claims: { sub, emp: 'E-1' }, userinfo: () => Response.json({ sub }) };
    await own.get(`/auth/login/callback?code=${sub}`);
  }
  const [row] = await own.database.query<StoredRow>("select * from audit where type = 'sign-in-refused'");
  const logged = own.logged.join('');
  await own.stop();
  provider.stop();
  const detail =
    'account-not-permitted: the employee ID belongs to another account: subject mallory: ID token has aud, emp, exp, iat, iss, sub; userinfo has sub';
  expect(row).toMatchObject({ person: 'E-1', detail });
  expect(logged).not.toContain('mallory');
});

test('a refused sign-in is logged with the names of the received claims, without their values', async () => {
  const provider = await startHostileProvider();
  const own = await startFrontdesk({ ...provider.env, SECRET_KEY: secretKey, EMPLOYEE_ID_CLAIM: 'employee_number' });
  const values = ['zq-sub', 'zq-mail', 'zq-role', 'zq-deep', 'zq-odd'];
  const [sub, email, role, deep, odd] = values;
  provider.lie = {
    claims: { sub, roles: [role], tree: { deep }, 'odd, \u001b name\u0000': odd },
    userinfo: () => Response.json({ sub, email }),
  };
  expect((await own.get('/auth/login/callback?code=1')).status).toBe(403);
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${index}-${'n'.repeat(200)}`, odd]));
  provider.lie = { claims: { sub }, userinfo: () => Response.json({ sub, ...many }) };
  expect((await own.get('/auth/login/callback?code=2')).status).toBe(403);
  const rows = await own.database.query<StoredRow>("select * from audit where type = 'sign-in-refused' order by seq");
  const [stored, logged] = [await everyValueIn(own.database), own.logged.join('')];
  await own.stop();
  provider.stop();
  expect(rows[0]?.detail).toBe(
    'account-not-permitted: no claim holds an employee ID: ID token has aud, exp, iat, iss, "odd, \\u001b name\\u0000", roles, sub, tree; userinfo has email, sub',
  );
  expect(rows[1]?.detail).toEndWith('2961 more');
  expect(rows[1]?.detail?.length).toBeLessThan(3000);
  for (const value of values)
    expect([value, stored.includes(value), logged.includes(value)]).toEqual([value, false, false]);
});

test('people who get the subject as employee ID, for lack of another claim, are logged once an hour, without values', async () => {
  const provider = await startHostileProvider();
  const own = await startFrontdesk({
    ...provider.env,
    ...lastsADay,
    EMPLOYEE_ID_CLAIM: 'employee_number,/hr/number,sub',
  });
  const warnings = () =>
    own.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ missing }) => missing !== undefined);
  let codes = 0;
  const signIn = async (claims: Record<string, unknown>) => {
    provider.lie = { claims };
    expect((await own.get(`/auth/login/callback?code=${++codes}`)).status).toBe(200);
  };
  await signIn({ hr: { number: 'N-1' } });
  expect(warnings()).toEqual([]);
  for (let count = 0; count < 3; count++) await signIn({});
  expect(warnings()).toEqual([
    expect.objectContaining({
      level: 40,
      missing: ['employee_number', '/hr/number'],
      msg: 'the subject is used as the employee ID, because the provider sent none of the claims listed before it in EMPLOYEE_ID_CLAIM',
    }),
  ]);
  expect(JSON.stringify(warnings())).not.toContain('E-1');
  provider.lead = 3601;
  own.advance(3601);
  await signIn({});
  expect(warnings()).toHaveLength(2);
  await own.stop();
  provider.stop();
});

test('a command without a database says so, and creates none', async () => {
  const { folder } = desk;
  const result = await runToEnd(['sessions', 'list'], { DATABASE_URL: 'sqlite:typo/desk.db' }, folder);
  expect([result.exitCode, result.stderr]).toEqual([
    1,
    expect.stringContaining('There is no database at typo/desk.db'),
  ]);
  expect(existsSync(`${folder}/typo`)).toBe(false);
});

test.each([
  'person=%00',
  'type=a%00b',
  'after=-1',
  'after=',
  'before=1e3',
  'after=1&before=2',
  `after=${'9'.repeat(16)}`,
])('a filter that no text can match is refused: %s', async (query) => {
  const response = await desk.get(`/admin/audit?${query}`, bearer(await desk.signIn('E-1006')));
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ title: 'Request malformed' }),
  ]);
});

test('the audit contains no token and no code', async () => {
  const token = await desk.signIn();
  const { searchParams } = await codeFromProvider(desk);
  await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`);
  await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`);
  const text = JSON.stringify(await audit());
  for (const secret of [token, searchParams.get('code') ?? '', 'eyJ', 'example.com', 'Park']) {
    expect(text).not.toContain(secret);
  }
});

describe('sessions from the command line', () => {
  const statusOf = async (token: string) => (await desk.get('/employee/position', bearer(token))).status;

  test('sessions list shows who is signed in', async () => {
    const token = await desk.signIn('E-1004');
    const { stdout } = await runExecutable('sessions', 'list', '--person', 'E-1004');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s{2,}/));
    expect(rows[0]).toEqual(['session', 'person', 'opened', 'seen', 'ends', 'address', 'browser']);
    expect(
      rows.slice(1).map(([session, person, , , , address, browser]) => [session, person, address, browser]),
    ).toEqual([[sessionOf(token), 'E-1004', expect.stringMatching(/^(127\.0\.0\.1|::1)$/), 'Chrome 142 on Windows']]);
  });

  test('sessions end ends one session or all sessions of a person, and the running service notices', async () => {
    const [one, two, three, other] = [
      await desk.signIn('E-1005'),
      await desk.signIn('E-1005'),
      await desk.signIn('E-1005'),
      await desk.signIn('E-1003'),
    ];
    // The service caches these tokens as valid, so that only a revocation can stop them.
    expect(await Promise.all([one, two, three, other].map(statusOf))).toEqual([200, 200, 200, 200]);
    expect(await runExecutable('sessions', 'end', sessionOf(one))).toMatchObject({
      exitCode: 0,
      stdout: '1 session has ended.\n',
    });
    await until(async () => (await statusOf(one)) === 401);
    expect(await statusOf(two)).toBe(200);
    expect(await run('sessions', 'end', '--person', 'E-1005')).toMatchObject({ stdout: '2 sessions have ended.\n' });
    await until(async () => (await statusOf(two)) === 401 && (await statusOf(three)) === 401);
    expect(await statusOf(other)).toBe(200);
    expect((await audit({ type: 'session-ended' })).length).toBe(3);
    expect(await run('sessions', 'end', 'nobody')).toMatchObject({
      exitCode: 1,
      stderr: 'There is no such session.\n',
    });
  });

  test('people move gives an employee ID to another account and ends the sessions of the previous account', async () => {
    await desk.signIn('E-1001');
    const token = await desk.signIn('E-1002');
    expect(await run('people', 'move', 'E-1002', 'https://new.example', 'E-1002')).toMatchObject({ exitCode: 0 });
    await until(async () => (await statusOf(token)) === 401);
    // The earlier account is refused now: the employee ID no longer belongs to it.
    const { response } = await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1002`);
    expect(response.status).toBe(403);
    expect(await run('people', 'move', 'E-1002', 'urn:frontdesk:development', 'E-1002')).toMatchObject({ exitCode: 0 });
    expect(await statusOf(await desk.signIn('E-1002'))).toBe(200);
    expect(await run('people', 'move', 'E-9', 'https://new.example', 'x')).toMatchObject({
      exitCode: 1,
      stderr: 'Nobody has the employee ID E-9.\n',
    });
    expect(await run('people', 'move', 'E-1002', 'urn:frontdesk:development', 'E-1001')).toMatchObject({
      exitCode: 1,
      stderr: 'That account has signed in under another employee ID.\n',
    });
  });

  test('repeating people move changes nothing, and an unknown ID is reported, whichever account is given', async () => {
    const token = await desk.signIn('E-1004');
    const moved = (await audit({ type: 'person-moved' })).length;
    expect(await run('people', 'move', 'E-1004', 'urn:frontdesk:development', 'E-1004')).toMatchObject({
      exitCode: 0,
      stdout: 'E-1004 already belongs to that account. Nothing was changed.\n',
    });
    expect([await statusOf(token), (await audit({ type: 'person-moved' })).length]).toEqual([200, moved]);
    expect(await run('people', 'move', 'E-9', 'urn:frontdesk:development', 'E-1004')).toMatchObject({
      exitCode: 1,
      stderr: 'Nobody has the employee ID E-9.\n',
    });
  });
});
