// Typed lists: the file that the client's command writes, what the compiler makes of it, and when it is out of date.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readListFile, writeListFile } from '../../client/src/generate/list-file.ts';
import type { ListedValue } from '../../client/src/generate/read-lists.ts';
import { type Application, installClient } from '../support/application.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';

let desk: Frontdesk;
let application: Application;
let admin: string;
let reader: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  application = await installClient(desk.url);
  admin = await desk.signIn('E-1001');
  reader = await desk.signIn('E-1003');
  await retire('PAYROLL_CLERK', 'CUSTOMER_SERVICE_REPRESENTATIVE');
  await retire('CUSTOMER_SERVICE_REPRESENTATIVE', 'ACCOUNTANT');
});
afterAll(async () => {
  await desk.stop();
  rmSync(application.folder, { recursive: true });
});

const command = ['node', 'node_modules/.bin/frontdesk-client', 'generate'];
const generate = (
  args: readonly string[] = [],
  env: Record<string, string> = { FRONTDESK_TOKEN: reader },
  url = desk.url,
) => application.run([...command, '--url', url, '--out', 'lists.ts', ...args], env);
const check = (...sources: string[]) => generate(['--check', ...sources]);
const written = () => readFileSync(join(application.folder, 'lists.ts'), 'utf8');
const done = { exitCode: 0, stderr: '' };

async function change(path: string, method: string, body: object): Promise<void> {
  const list = await desk.get(path.replace(/\/items.*/, ''), bearer(admin));
  const headers = { ...bearer(admin), 'content-type': 'application/json', 'if-match': list.headers.get('etag') ?? '' };
  const response = await fetch(desk.url + path, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}
const retire = (value: string, replacedBy?: string) =>
  change(`/admin/lookups/position/items/${value}/retire`, 'POST', { replacedBy });

describe('the compiler', () => {
  const program = `import { createFrontdesk } from 'frontdesk-client';
import { Position, positionValues } from './lists.js';

const frontdesk = createFrontdesk({ baseUrl: 'http://localhost:3000' });
const [first] = await frontdesk.lookup('position');
const chosen: Position | undefined = first?.value;
const all: readonly Position[] = positionValues;
export const isAccountant = chosen === Position.ACCOUNTANT && all.includes('ACCOUNTANT');
await frontdesk.validate({ position: 'a stored text', 'employee-level': ['LEAD'] });
export const label: string = await frontdesk.label('position', 'a stored text');
`;

  test('accepts a program with the right names, and finds each misspelt one in its line', async () => {
    expect(await generate()).toMatchObject({ ...done, stdout: 'lists.ts: 4 lists, 42 values\n' });
    application.write('right.ts', program);
    expect(await application.compile(['right.ts'])).toMatchObject({ exitCode: 0, stdout: '' });
    const wrong = `${program}await frontdesk.lookup('positon');
export const isOther = chosen === 'ACOUNTANT';
export const stored: Position = 'ACCOUNTANTS';
await frontdesk.validate({ positions: 'ACCOUNTANT' });
await frontdesk.label('level', 'LEAD');
export const level: 'LEAD' | undefined = (await frontdesk.lookups())['employee-levels'][0]?.value;
`;
    application.write('wrong.ts', wrong);
    const { exitCode, stdout } = await application.compile(['wrong.ts']);
    const lines = [...stdout.matchAll(/^wrong\.ts\((\d+),\d+\): error /gm)].map(([, line]) => Number(line));
    // The lines behind those of the right program.
    const right = program.split('\n').length;
    expect([exitCode === 0, lines]).toEqual([false, [0, 1, 2, 3, 4, 5].map((line) => right + line)]);
    for (const misspelt of ['positon', 'ACOUNTANT', 'ACCOUNTANTS', 'positions', 'level', 'employee-levels'])
      expect(stdout).toMatch(new RegExp(`["']${misspelt}["']`));
  });

  test('knows the values of a hook', async () => {
    await generate();
    application.write(
      'hooks.ts',
      `import { useLookup } from 'frontdesk-client/react';
import type { Position } from './lists.js';
export const usePosition = (): Position | undefined => useLookup('position', { live: true }).data?.[0]?.value;
export const useOther = () => useLookup('position').data?.[0]?.value === 'ACOUNTANT';
export const useNothing = () => useLookup('positon');
`,
    );
    const { stdout } = await application.compile(['hooks.ts'], { lib: ['ES2023', 'DOM'], noEmit: true });
    expect(stdout).toMatch(/^hooks\.ts\(4,\d+\): .*"ACOUNTANT".*\n(?: .*\n)*hooks\.ts\(5,\d+\): .*"positon".*\n$/);
  });

  test('takes any text where nothing was generated', async () => {
    const plain = program
      .replace(/^import \{ Position.*\n/m, '')
      .replace(/^(const (chosen|all)|export const isAcc).*\n/gm, '');
    application.write(
      'plain.ts',
      `${plain}export const other: string[] = (await frontdesk.lookup('shoe-size')).map(({ value }) => value);\n`,
    );
    expect(await application.compile(['plain.ts'])).toMatchObject({ exitCode: 0, stdout: '' });
  });
});

describe('the file', () => {
  test('is up to date until a list changes, whatever the ends of its lines', async () => {
    await generate();
    const before = written();
    expect(await check()).toEqual({ ...done, stdout: '' });
    application.write('lists.ts', before.replaceAll('\n', '\r\n'));
    expect(await check()).toEqual({ ...done, stdout: '' });
    await change('/admin/lookups/employee-level/items/LEAD', 'PATCH', { label: 'Lead */ of [two]' });
    expect(await check()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('lists.ts is out of date') });
    expect(written()).toBe(before.replaceAll('\n', '\r\n'));
    await generate();
    expect(await check()).toEqual({ ...done, stdout: '' });
    expect(written()).toBe(before.replace('/** Lead */', '/** Lead *\\/ of [two] */'));
  });

  test('keeps a value that is retired, as deprecated, and names what replaces it in the end', async () => {
    await generate();
    const order = written().match(/"\w+",/g);
    await retire('DATA_SCIENTIST', 'SOFTWARE_DEVELOPER');
    await retire('SOFTWARE_DEVELOPER', 'SYSTEMS_ADMINISTRATOR');
    expect((await check()).exitCode).toBe(2);
    await generate();
    expect(written()).toContain('  /** @deprecated Data Scientist: use SYSTEMS_ADMINISTRATOR. */\n  DATA_SCIENTIST:');
    expect(written()).toContain('  /** @deprecated Data Scientist: use SYSTEMS_ADMINISTRATOR. */\n  "DATA_SCIENTIST",');
    expect(written().match(/"\w+",/g)).toEqual(order);
    expect(await check()).toEqual({ ...done, stdout: '' });
  });

  test('has every retired value from the start for those who may read the administration', async () => {
    const asAdmin = { FRONTDESK_TOKEN: admin };
    rmSync(join(application.folder, 'lists.ts'), { force: true });
    await generate([], asAdmin);
    const complete = written();
    expect(complete).toContain('@deprecated Payroll and Timekeeping Clerk: use ACCOUNTANT.');
    await generate();
    expect(written()).toBe(complete);
    rmSync(join(application.folder, 'lists.ts'));
    await generate();
    expect(written()).not.toContain('PAYROLL_CLERK');
    expect((await generate(['--check'], asAdmin)).exitCode).toBe(2);
  });
});

test('a value in a source file is warned about when it is retired or expires soon', async () => {
  await generate();
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await change('/admin/lookups/position/items/CHIEF_EXECUTIVE', 'PATCH', { validTo: inTenDays });
  mkdirSync(join(application.folder, 'app/node_modules'), { recursive: true });
  application.write('app/node_modules/package.ts', "'PAYROLL_CLERK'");
  application.write(
    'app/form.ts',
    `import { Position } from '../lists.js';
export const old = ['PAYROLL_CLERK', "ACCOUNTANT", \`CHIEF_EXECUTIVE\`];
// PAYROLL_CLERK in words is not meant.
export const other = Position.CHIEF_EXECUTIVE ?? 'NOT_OF_ANY_LIST';
`,
  );
  const retired = 'app/form.ts:2: warning: PAYROLL_CLERK of position is retired: use ACCOUNTANT\n';
  const expiring = [2, 4].map(
    (line) => `app/form.ts:${line}: warning: CHIEF_EXECUTIVE of position expires within 30 days\n`,
  );
  expect(await check('app/form.ts', 'lists.ts')).toEqual({ ...done, stdout: retired + expiring.join('') });
  // A folder is searched whole, without packages.
  expect(await check('app')).toEqual({ ...done, stdout: retired + expiring.join('') });
  expect(await check('--days', '9', 'app')).toEqual({ ...done, stdout: retired });
});

describe('whoever asks', () => {
  test('signs in at the development provider where nothing is said', async () => {
    expect(
      await application.run(['npx', 'frontdesk-client', 'generate', '--url', desk.url, '--out', 'by-dev.ts']),
    ).toEqual({
      ...done,
      stdout: 'by-dev.ts: 4 lists, 44 values\n',
    });
    expect(readFileSync(join(application.folder, 'by-dev.ts'), 'utf8')).toContain('@deprecated Payroll and');
  });

  test.each<[string, number, string, () => Promise<{ exitCode: number; stderr: string }>]>([
    ['an unknown person', 77, 'FRONTDESK_TOKEN', () => generate(['--person', 'E-9999'], {})],
    ['a wrong token', 77, 'Access token not valid', () => generate([], { FRONTDESK_TOKEN: 'wrong' })],
    ['a token of several lines', 78, 'FRONTDESK_TOKEN has no token', () => generate([], { FRONTDESK_TOKEN: 'a\nb' })],
    ['no such assertion', 78, 'cannot be read', () => generate([], { FRONTDESK_ASSERTION_FILE: 'nothing' })],
    ['two ways', 78, 'not both', () => generate([], { FRONTDESK_TOKEN: 'x', FRONTDESK_ASSERTION_FILE: 'x' })],
    ['nobody, elsewhere', 78, 'Set FRONTDESK_TOKEN', () => generate([], {}, 'https://desk.example.com')],
    ['http, elsewhere', 64, 'https', () => generate([], undefined, 'http://desk.example.com')],
    ['no address', 64, 'like https', () => generate([], undefined, 'desk')],
    [
      'nothing there',
      75,
      'cannot be reached (ECONNREFUSED)',
      () => generate([], undefined, `http://localhost:${freePort()}`),
    ],
    ['nothing there to sign in', 75, 'cannot be reached', () => generate([], {}, `http://localhost:${freePort()}`)],
    ['no out', 64, '--out', () => application.run([...command, '--url', desk.url])],
    ['sources without a check', 64, '--check', () => generate(['form.ts'])],
    ['a source that is not there', 64, 'no file', () => check('nothing.ts')],
    ['many days', 64, '--days', () => check('--days', '99999')],
    ['an unknown option', 64, "Unknown option '--what'. See frontdesk-client --help.", () => generate(['--what'])],
  ])('with %s ends with %i', async (_, exitCode, said, act) => {
    expect(await act()).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
  });
});

describe('a service that is not Frontdesk', () => {
  const item = { id: 1, value: 'A', label: 'A', sortOrder: 1 };
  test.each<[string, number, string, () => Response]>([
    ['redirects', 1, 'status 307', () => Response.redirect('http://localhost:1/', 307)],
    ['answers with a page', 1, 'not that of Frontdesk', () => new Response('<html>')],
    ['has other lists', 1, 'not that of Frontdesk', () => Response.json({ position: [{ ...item, value: 7 }] })],
    ['has no lists', 1, 'not that of Frontdesk', () => Response.json({ position: 'none' })],
    ['is overloaded', 75, 'status 503', () => new Response('', { status: 503 })],
    [
      'controls the terminal',
      77,
      ' [2J: no',
      () => Response.json({ title: '\u001b[2J', detail: 'no', type: 'problems/x' }, { status: 403 }),
    ],
    [
      'never ends',
      1,
      'too large',
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4 << 20)) })),
    ],
  ])('and %s ends with %i', async (_, exitCode, said, respond) => {
    const server = Bun.serve({ port: 0, hostname: 'localhost', fetch: respond });
    await using _stopped = { [Symbol.asyncDispose]: () => server.stop(true) };
    const before = written();
    const outcome = await generate([], undefined, `http://localhost:${server.port}`);
    expect(outcome.stderr).not.toContain('\u001b');
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
    expect(written()).toBe(before);
  });
});

describe('a development provider', () => {
  const elsewhere = { status: 302, headers: { location: 'https://login.example.com/?client_id=x' } };
  test.each<[string, number, string, number, (request: Request) => Response]>([
    ['that sends elsewhere is not followed', 77, 'FRONTDESK_TOKEN', 1, () => new Response('', elsewhere)],
    ['that redirects for ever is given up', 77, 'FRONTDESK_TOKEN', 12, ({ url }) => Response.redirect(url, 302)],
    ['that shows a page does not sign in', 77, 'E-1001', 1, () => new Response('<html>')],
    ['that gives no token does not sign in', 77, 'E-1001', 1, () => Response.json({ accessToken: 7 })],
    ['whose answer is too large is not read', 75, 'cannot be reached', 1, () => new Response('x'.repeat(1 << 20))],
  ])('%s', async (_, exitCode, said, requests, respond) => {
    let count = 0;
    const answer = (request: Request) => {
      count++;
      return respond(request);
    };
    const server = Bun.serve({ port: 0, hostname: 'localhost', fetch: answer });
    const outcome = await generate([], {}, `http://localhost:${server.port}`);
    await server.stop(true);
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
    expect(count).toBe(requests);
  });
});

test('a certificate that is not accepted is no reason to try again', async () => {
  const file = (name: string) => readFileSync(new URL(`../support/tls/${name}`, import.meta.url), 'utf8');
  const tls = { key: file('localhost.key'), cert: file('localhost.pem') };
  const server = Bun.serve({ port: 0, hostname: 'localhost', tls, fetch: () => Response.json({}) });
  const outcome = await generate([], undefined, `https://localhost:${server.port}`);
  await server.stop(true);
  expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('certificate') });
});

test('names, values and labels of any kind become text, and nothing else', async () => {
  const texts = [
    '*/ throw 1 /*',
    '"quoted"',
    "it's",
    '`$'.concat('{1}`'),
    'a\\',
    'a\nb',
    '\u2028',
    '\u202e',
    '😀',
    '__proto__',
    '@deprecated no',
    '{@link x}',
    '',
    '1',
    'ö',
    'A_1',
  ];
  const value = (text: string, index: number): ListedValue => ({
    value: text,
    label: text,
    sortOrder: index,
    isOver: index % 2 === 1,
    replacedBy: index % 4 === 1 ? text : null,
  });
  const names = [...texts, 'change', 'lists', 'generated-lists', 'a-1', 'a1', 'frontdesk-error'];
  const lists = names.map((list) => ({ list, values: texts.map(value) }));
  const file = writeListFile(lists);
  // No character that is not seen, and none that turns the text around.
  expect(file.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  application.write('hostile.ts', file);
  application.write(
    'use-hostile.ts',
    `import { createFrontdesk, type Lists } from 'frontdesk-client';
import * as lists from './hostile.js';
const frontdesk = createFrontdesk({ baseUrl: '' });
export const first: Promise<'ö' | '__proto__'> = frontdesk.lookup('change').then((items) => items[0]!.value as 'ö');
export const names: Record<keyof Lists, unknown> = {} as { [List in keyof lists.GeneratedLists]: 1 };
const objects = Object.entries(lists).filter(([, values]) => !Array.isArray(values));
const arrays = Object.values(lists).filter((values) => Array.isArray(values));
console.log(JSON.stringify([arrays, objects.map(([, values]) => Object.values(values).length)]));
`,
  );
  expect(await application.compile(['use-hostile.ts', 'hostile.ts'])).toEqual({ ...done, stdout: '' });
  const { stdout } = await application.run(['node', 'use-hostile.js']);
  const [arrays, sizes] = JSON.parse(stdout) as [string[][], number[]];
  expect(arrays).toEqual(names.map(() => texts));
  expect(sizes).toEqual(names.map(() => texts.length));
  // What is read again are values that a list can have.
  expect([...readListFile(file).keys()]).toEqual(names);
  expect([...readListFile(file).values()]).toEqual(names.map(() => ['1', 'A_1']));
});
