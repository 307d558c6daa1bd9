// Typed lists: the file that the client's command writes, how it compiles, and when it is outdated.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { readListFile, writeListFile } from '../../client/src/generate/list-file.ts';
import type { ListedValue } from '../../client/src/generate/read-lists.ts';
import { type Application, installClient } from '../support/application.ts';
import { addOwnKeyCaller, makeSigner, ownClaims } from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';

let desk: Frontdesk;
let application: Application;
let runCommand: Awaited<ReturnType<typeof startCommandHost>>;
let admin: string;
let reader: string;
beforeAll(async () => {
  desk = await startFrontdesk();
  application = await installClient(desk.url);
  runCommand = await startCommandHost(application);
  admin = await desk.signIn('E-1001');
  reader = await desk.signIn('E-1003');
  await retire('PAYROLL_CLERK', 'CUSTOMER_SERVICE_REPRESENTATIVE');
  await retire('CUSTOMER_SERVICE_REPRESENTATIVE', 'ACCOUNTANT');
});
afterAll(async () => {
  await runCommand.stop();
  await desk.stop();
  rmSync(application.folder, { recursive: true });
});

interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the package's command repeatedly in one Node process, because starting Node takes longer than the command. */
async function startCommandHost({ folder, write }: Application) {
  write(
    'host.mjs',
    `import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { realpathSync } from 'node:fs';

const command = pathToFileURL(realpathSync('node_modules/.bin/frontdesk-client')).href;
const [print, ownEnv] = [process.stdout.write.bind(process.stdout), process.env];
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) process[name].write = (text) => (printed[name] += text) !== '';
  process.argv = [...process.argv.slice(0, 2), ...args];
  process.env = { ...ownEnv, ...env };
  process.exitCode = 0;
  // Imported as a new module each time; the import resolves when the command is done.
  await import(\`\${command}?\${count++}\`);
  print(\`\${JSON.stringify({ exitCode: process.exitCode, ...printed })}\\n\`);
  process.exitCode = 0;
}
`,
  );
  const { PATH = '' } = process.env;
  const child = Bun.spawn(['node', 'host.mjs'], {
    cwd: folder,
    env: { PATH, HOME: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: Readable.fromWeb(child.stdout as never) })[Symbol.asyncIterator]();
  async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
    child.stdin.write(`${JSON.stringify({ args, env })}\n`);
    child.stdin.flush();
    const { value, done } = await answers.next();
    if (done) throw new Error('The process of the command has ended.');
    return JSON.parse(value);
  }
  async function stop(): Promise<void> {
    child.stdin.end();
    expect(await child.exited).toBe(0);
  }
  return Object.assign(run, { stop });
}

const generate = (
  args: readonly string[] = [],
  env: Record<string, string> = { FRONTDESK_TOKEN: reader },
  url = desk.url,
) => runCommand(['generate', '--url', url, '--out', 'lists.ts', ...args], env);
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

  test('accepts correct names, in hooks as well, and reports each misspelt name with its line', async () => {
    expect(await generate()).toMatchObject({ ...done, stdout: 'lists.ts: 4 lists, 42 values\n' });
    application.write('right.ts', program);
    const wrong = `${program}await frontdesk.lookup('positon');
export const isOther = chosen === 'ACOUNTANT';
export const stored: Position = 'ACCOUNTANTS';
await frontdesk.validate({ positions: 'ACCOUNTANT' });
await frontdesk.label('level', 'LEAD');
export const level: 'LEAD' | undefined = (await frontdesk.lookups())['employee-levels'][0]?.value;
`;
    application.write('wrong.ts', wrong);
    application.write(
      'hooks.ts',
      `import { useLookup } from 'frontdesk-client/react';
import type { Position } from './lists.js';
export const usePosition = (): Position | undefined => useLookup('position', { live: true }).data?.[0]?.value;
export const useOther = () => useLookup('position').data?.[0]?.value === 'ACOUNTANT';
export const useNothing = () => useLookup('positon');
`,
    );
    const options = { lib: ['ES2023', 'DOM'], noEmit: true };
    const { exitCode, stdout } = await application.compile(['right.ts', 'wrong.ts', 'hooks.ts'], options);
    expect(exitCode).not.toBe(0);
    // wrong.ts begins with the correct program. The wrong lines follow it.
    const right = program.split('\n').length;
    const expected: [string, number, string][] = [
      ['hooks.ts', 4, 'ACOUNTANT'],
      ['hooks.ts', 5, 'positon'],
      ['wrong.ts', right, 'positon'],
      ['wrong.ts', right + 1, 'ACOUNTANT'],
      ['wrong.ts', right + 2, 'ACCOUNTANTS'],
      ['wrong.ts', right + 3, 'positions'],
      ['wrong.ts', right + 4, 'level'],
      ['wrong.ts', right + 5, 'employee-levels'],
    ];
    const errors = stdout.split(/^(?=\S)/m).sort();
    const places = errors.map((error) => /^(\S+)\((\d+),\d+\): error /.exec(error)?.slice(1));
    expect(places).toEqual(expected.map(([file, line]) => [file, String(line)]));
    for (const [index, [, , misspelt]] of expected.entries())
      expect(errors[index]).toMatch(new RegExp(`["']${misspelt}["']`));
  });
});

describe('the file', () => {
  test('is up to date until a list changes, with any line endings', async () => {
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

  test('keeps a retired value, marked as deprecated, and names its final replacement', async () => {
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

  test('has every retired value from the first run on for people who may see the administration', async () => {
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

test('a value in a source file causes a warning if it is retired or expires soon', async () => {
  await generate();
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await change('/admin/lookups/position/items/CHIEF_EXECUTIVE', 'PATCH', { validTo: inTenDays });
  mkdirSync(join(application.folder, 'app/node_modules'), { recursive: true });
  application.write('app/node_modules/package.ts', "'PAYROLL_CLERK'");
  application.write(
    'app/form.ts',
    `import { Position } from '../lists.js';
export const old = ['PAYROLL_CLERK', "ACCOUNTANT", \`CHIEF_EXECUTIVE\`];
// PAYROLL_CLERK in a comment does not count.
export const other = Position.CHIEF_EXECUTIVE ?? 'NOT_OF_ANY_LIST';
`,
  );
  const retired = 'app/form.ts:2: warning: PAYROLL_CLERK of position is retired: use ACCOUNTANT\n';
  const expiring = [2, 4].map(
    (line) => `app/form.ts:${line}: warning: CHIEF_EXECUTIVE of position expires within 30 days\n`,
  );
  expect(await check('app/form.ts', 'lists.ts')).toEqual({ ...done, stdout: retired + expiring.join('') });
  // Subfolders are searched, too, except those with installed packages.
  expect(await check('app')).toEqual({ ...done, stdout: retired + expiring.join('') });
  expect(await check('--days', '9', 'app')).toEqual({ ...done, stdout: retired });
});

describe('the credentials of the command', () => {
  test('signs in at the development provider by default', async () => {
    const args = ['generate', '--url', desk.url, '--out', 'by-dev.ts'];
    expect(await application.run(['npx', 'frontdesk-client', ...args])).toEqual({
      ...done,
      stdout: 'by-dev.ts: 4 lists, 44 values\n',
    });
    expect(readFileSync(join(application.folder, 'by-dev.ts'), 'utf8')).toContain('@deprecated Payroll and');
    // The executable also exits with 64 for wrong arguments, as `runCommand` does in the tests below.
    expect(await application.run(['node', 'node_modules/.bin/frontdesk-client', ...args, '--what'])).toEqual({
      exitCode: 64,
      stdout: '',
      stderr: "Unknown option '--what'. See frontdesk-client --help.\n",
    });
  });

  test('may be an assertion; only a planner also gets the values that are already retired', async () => {
    const withAssertion = async (assertion: string) => {
      application.write('assertion', `${assertion}\n`);
      rmSync(join(application.folder, 'lists.ts'), { force: true });
      return generate([], { FRONTDESK_ASSERTION_FILE: 'assertion' });
    };
    const signer = await makeSigner();
    for (const [name, roles] of [['planner', 'LOOKUP_PLANNER'], ['reader']] as const)
      await addOwnKeyCaller(desk, name, signer, roles);
    const planner = await signer.sign(ownClaims('planner', desk.url));
    expect((await withAssertion(planner)).exitCode).toBe(0);
    expect(written()).toContain('PAYROLL_CLERK');
    // An assertion signed with the program's own key works only once.
    expect(await withAssertion(planner)).toMatchObject({
      exitCode: 77,
      stderr: expect.stringContaining('No access token'),
    });
    expect((await withAssertion(await signer.sign(ownClaims('reader', desk.url)))).exitCode).toBe(0);
    expect(written()).not.toContain('PAYROLL_CLERK');
  });

  test.each<[string, number, string, () => Promise<{ exitCode: number; stderr: string }>]>([
    ['an unknown person', 77, 'FRONTDESK_TOKEN', () => generate(['--person', 'E-9999'], {})],
    ['a wrong token', 77, 'Access token not valid', () => generate([], { FRONTDESK_TOKEN: 'wrong' })],
    [
      'a token of several lines',
      78,
      'FRONTDESK_TOKEN contains no token',
      () => generate([], { FRONTDESK_TOKEN: 'a\nb' }),
    ],
    ['no such assertion', 78, 'cannot be read', () => generate([], { FRONTDESK_ASSERTION_FILE: 'nothing' })],
    ['two ways', 78, 'not both', () => generate([], { FRONTDESK_TOKEN: 'x', FRONTDESK_ASSERTION_FILE: 'x' })],
    ['nobody, elsewhere', 78, 'Set FRONTDESK_TOKEN', () => generate([], {}, 'https://desk.example.com')],
    ['http, elsewhere', 64, 'https', () => generate([], undefined, 'http://desk.example.com')],
    ['no address', 64, 'such as https', () => generate([], undefined, 'desk')],
    [
      'nothing there',
      75,
      'cannot be reached (ECONNREFUSED)',
      () => generate([], undefined, `http://localhost:${freePort()}`),
    ],
    ['no service to sign in at', 75, 'cannot be reached', () => generate([], {}, `http://localhost:${freePort()}`)],
    ['no out', 64, '--out', () => runCommand(['generate', '--url', desk.url])],
    ['source files without --check', 64, '--check', () => generate(['form.ts'])],
    ['a source file that does not exist', 64, 'no file', () => check('nothing.ts')],
    ['many days', 64, '--days', () => check('--days', '99999')],
  ])('with %s ends with %i', async (_, exitCode, said, act) => {
    expect(await act()).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
  });
});

describe('a service that is not Frontdesk', () => {
  const item = { id: 1, value: 'A', label: 'A', sortOrder: 1 };
  test.each<[string, number, string, () => Response]>([
    ['redirects', 1, 'status 307', () => Response.redirect('http://localhost:1/', 307)],
    ['answers with a page', 1, 'not from Frontdesk', () => new Response('<html>')],
    ['has other lists', 1, 'not from Frontdesk', () => Response.json({ position: [{ ...item, value: 7 }] })],
    ['has no lists', 1, 'not from Frontdesk', () => Response.json({ position: 'none' })],
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
    const before = 'export {};\n';
    application.write('lists.ts', before);
    const outcome = await generate([], undefined, `http://localhost:${server.port}`);
    expect(outcome.stderr).not.toContain('\u001b');
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
    expect(written()).toBe(before);
  });
});

describe('a development provider', () => {
  const elsewhere = { status: 302, headers: { location: 'https://login.example.com/?client_id=x' } };
  test.each<[string, number, string, number, (request: Request) => Response]>([
    ['that redirects to another site is not followed', 77, 'FRONTDESK_TOKEN', 1, () => new Response('', elsewhere)],
    ['that redirects forever is given up', 77, 'FRONTDESK_TOKEN', 12, ({ url }) => Response.redirect(url, 302)],
    ['that shows a page does not sign in', 77, 'E-1001', 1, () => new Response('<html>')],
    ['that returns no token does not sign in', 77, 'E-1001', 1, () => Response.json({ accessToken: 7 })],
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

test('a request is not retried if the certificate is not accepted', async () => {
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
  // No invisible characters, and none that change the direction of the text.
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
  // Values that no list can have are not read back.
  expect([...readListFile(file).keys()]).toEqual(names);
  expect([...readListFile(file).values()]).toEqual(names.map(() => ['1', 'A_1']));
});
