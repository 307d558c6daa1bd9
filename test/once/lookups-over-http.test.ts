// `frontdesk lookups` over HTTP, from a folder that shares no files with the service: the same output and exit codes as
// with the database.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ExitError } from '../../src/base/exit-error.ts';
import { readCommandLine } from '../../src/cli/arguments.ts';
import type { CommandResult } from '../../src/cli/command.ts';
import { runCommand } from '../../src/cli/commands.ts';
import { isLookupCommand, type LookupCommandName } from '../../src/cli/lookups.ts';
import { runOverHttp } from '../../src/cli/remote-lists.ts';
import { readConfig } from '../../src/config/config.ts';
import { noSettings } from '../../src/lookup/rules/list.ts';
import { addOwnKeyCaller, makeSigner, ownClaims } from '../support/callers.ts';
import { type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { runToEnd } from '../support/process.ts';

let remote: Frontdesk;
/** A second service, which starts with the same lists. Commands that work directly on a database use its database. */
let local: Frontdesk;
let token: string;
/** A folder without any of the service's files, except an .env with which no service would start. */
const elsewhere = makeFolder();
const brokenEnv = { OIDC_ISSUER: 'nonsense', PORT: 'none', DATABASE_URL: 'mysql://db.example', SECRET_KEY: 'x' };

beforeAll(async () => {
  [remote, local] = await Promise.all([startFrontdesk(), startFrontdesk()]);
  token = await remote.signIn('E-1001');
  writeFileSync(join(elsewhere, '.env'), 'OIDC_ISSUER=also nonsense\nOIDC_WHAT=this\nFRONTDESK_TOKEN=not from here\n');
});
afterAll(async () => {
  await Promise.all([remote.stop(), local.stop()]);
  rmSync(elsewhere, { recursive: true });
});

interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Like main.ts, but in this process, which is ten times as fast. */
async function runHere(
  words: readonly string[],
  run: (name: LookupCommandName, args: Parameters<typeof runCommand>[1]) => Promise<CommandResult>,
): Promise<Finished> {
  const call = readCommandLine(['lookups', ...words]);
  if ('help' in call || !isLookupCommand(call.name)) throw new Error(`${words} is not a command about lists`);
  try {
    const result = await run(call.name, call.args);
    const { text, exitCode } = typeof result === 'string' ? { text: result, exitCode: 0 } : result;
    return { exitCode, stdout: text, stderr: '' };
  } catch (error) {
    if (error instanceof ExitError) return { exitCode: error.exitCode, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

/** `history` writes directly to standard output, so it must run as a process. */
const needsProcess = ([command]: readonly string[]) => command === 'history';

function asProcess(
  words: readonly string[],
  env: Record<string, string> = { FRONTDESK_TOKEN: token },
  url = remote.url,
): Promise<Finished> {
  return runToEnd(['lookups', ...words, '--url', url], { ...brokenEnv, ...env }, elsewhere);
}

function overHttp(
  words: readonly string[],
  env: Record<string, string> = { FRONTDESK_TOKEN: token },
  url = remote.url,
): Promise<Finished> {
  if (needsProcess(words)) return asProcess(words, env, url);
  return runHere([...words, '--url', url], async (name, args) =>
    runOverHttp(name, args, url, { ...brokenEnv, ...env }),
  );
}

function onDatabase(words: readonly string[]): Promise<Finished> {
  if (needsProcess(words)) return runToEnd(['lookups', ...words], local.commandEnv, local.folder);
  return runHere(words, (name, args) => runCommand(name, args, readConfig(local.commandEnv)));
}

/** Writes a file for the commands over HTTP and with the database, and returns its path. */
function file(name: string, text: string): string {
  const path = join(elsewhere, name);
  writeFileSync(path, text);
  return path;
}

/** Removes times and names, which differ between the two services. */
const neutral = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'AT')
    .replaceAll(/AT {2}(command line \([^)]+\)|E-1001|Frontdesk)/g, 'AT  WHO');

async function expectSame(words: readonly string[], run = overHttp): Promise<Finished> {
  const [over, on] = [await run(words), await onDatabase(words)];
  const shown = ({ exitCode, stdout, stderr }: Finished) => ({
    exitCode,
    stdout: neutral(stdout),
    stderr: neutral(stderr),
  });
  expect(shown(over)).toEqual(shown(on));
  return on;
}

describe('each command prints the same and exits with the same code as with the database:', () => {
  test('export, edit, plan, apply, history, undo, as processes whose environment no service would start with', async () => {
    const same = (...words: string[]) => expectSame(words, asProcess);
    const exported = await same('export');
    expect(exported.exitCode).toBe(0);
    const lists = file('lists.yaml', exported.stdout);
    expect((await same('plan', lists)).stdout).toBe('Nothing to change.\n');
    const edited = exported.stdout.replace('label: Intern\n', 'label: Trainee\n');
    file('lists.yaml', edited);
    expect(await same('plan', lists)).toMatchObject({
      exitCode: 2,
      stdout: 'employment-type\n  ~ INTERN\n      label: "Intern" → "Trainee"\n',
    });
    const applied = await same('apply', lists, '--reason', 'new wording & more');
    expect([applied.exitCode, applied.stdout.endsWith('Applied.\n')]).toEqual([0, true]);
    expect((await expectSame(['apply', lists])).stdout).toBe('Nothing to change.\n');
    const history = await same('history', 'employment-type');
    expect(history.stdout).toContain('new wording & more');
    expect((await same('history', 'employment-type', '--limit', '1')).stdout).toContain('1 older versions');
    expect((await same('undo', 'employment-type', '1', '--reason', 'back')).exitCode).toBe(0);
    expect((await expectSame(['undo', 'employment-type', '1'])).stdout).toBe('Nothing to change.\n');
    expect((await expectSame(['undo', 'employment-type', '99'])).exitCode).toBe(1);
    expect((await same('history', 'employment-type')).stdout).toContain('version 3, restoring version 1');
    // The file was made from version 1, and would overwrite later changes.
    file('lists.yaml', edited.replace('label: Trainee\n', 'label: Apprentice\n'));
    expect(await same('apply', lists)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('employment-type is at version 3 now'),
    });
  });

  test.each([
    ['export', ['position', 'employee-level'], 0],
    ['export', ['position', '--plain'], 0],
    ['export', ['--format', 'csv'], 0],
    ['export', ['position', 'nowhere'], 1],
    ['export', ['../../health/live'], 1],
    ['history', ['nowhere'], 1],
    ['undo', ['nowhere', '1'], 1],
    ['migration', ['nowhere'], 1],
    ['migration', ['position', '--since', '99'], 1],
    ['plan', ['nowhere.yaml'], 1],
    ['plan', ['lists.txt'], 65],
    ['apply', ['reason.json', '--reason', 'x'.repeat(501)], 65],
  ])('%s %j', async (command, words, exitCode) => {
    file('reason.json', '{"lists":{"position":{"items":[{"value":"ACCOUNTANT","label":"Changed"}]}}}');
    file('lists.txt', '');
    const typed = words.map((word) => (/^\w+\.\w+$/.test(word) ? join(elsewhere, word) : word));
    expect((await expectSame([command, ...typed])).exitCode).toBe(exitCode);
  });

  test.each([
    ['a fault in the file itself', 'list,value,label\nposition,lower,\n', 'wrong.csv:2:10'],
    [
      'a fault found by comparing it with the lists',
      'list,value,label,retired,replacedBy\nposition,ACCOUNTANT,Accountant,true,NOBODY\n',
      'wrong.csv:2:',
    ],
  ])('%s', async (_, text, place) => {
    const { exitCode, stderr } = await expectSame(['apply', file('wrong.csv', text)]);
    expect([exitCode, stderr]).toEqual([65, expect.stringContaining(place)]);
    expect(stderr).toEndWith('Nothing was changed.\n');
  });

  test('migration and history, with more changes than one answer holds', async () => {
    const values = Array.from({ length: 1010 }, (_, index) => `V${index}`);
    const write = (rest: string) =>
      `list,value,label,retired,replacedBy\nold,LAST,Last,,\n${values.map((value) => `old,${value},L${rest}\n`).join('')}`;
    for (const [rest, inAll] of [
      [',,', 'list 1, add 1011'],
      [',true,LAST', 'retire 1010'],
    ] as const) {
      const words = ['apply', file('old.csv', write(rest))];
      // With the database, all changes are printed; over HTTP, the first thousand and the total.
      expect(await onDatabase(words)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ V1009\b/) });
      const { exitCode, stdout } = await overHttp(words);
      expect([exitCode, stdout.includes(' V1009')]).toEqual([0, false]);
      expect(stdout).toMatch(
        new RegExp(`\\n1\\d more changes are not shown. In all:\\n  old: ${inAll}\\nApplied.\\n$`),
      );
    }
    const { stdout } = await expectSame(['migration', 'old', '--since', '1', '--column', 'grade']);
    expect(stdout.match(/ THEN 'LAST'$/gm)?.length).toBe(1010);
    expect((await expectSame(['migration', 'old', '--since', '2'])).stdout).toContain('nothing to map');
    expect((await expectSame(['migration', 'old'])).stdout).toContain('CASE value\n');
    expect((await expectSame(['history', 'old'])).stdout).toContain('+ V1009');
  });
});

describe('without exactly one valid credential:', () => {
  test.each([
    ['no token', {}, 'With --url, FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE has to be set.\n'],
    [
      'both',
      { FRONTDESK_TOKEN: 'x', FRONTDESK_ASSERTION_FILE: 'y' },
      'FRONTDESK_TOKEN and FRONTDESK_ASSERTION_FILE are both set. Set only one of them.\n',
    ],
    [
      'a token of two lines',
      { FRONTDESK_TOKEN: 'x\ny' },
      'FRONTDESK_TOKEN must hold an access token, and nothing else.\n',
    ],
    [
      'no assertion',
      { FRONTDESK_ASSERTION_FILE: 'nowhere' },
      'FRONTDESK_ASSERTION_FILE names a file that cannot be read (ENOENT).\n',
    ],
    [
      'a file that is not an assertion',
      { FRONTDESK_ASSERTION_FILE: join(elsewhere, '.env') },
      'FRONTDESK_ASSERTION_FILE names a file that does not hold a JWT.\n',
    ],
  ])('%s: 78', async (_, env, stderr) => {
    expect(await overHttp(['export'], env)).toEqual({ exitCode: 78, stdout: '', stderr });
  });
});

describe('without permission:', () => {
  test('a person without the role, or an invalid token: 77', async () => {
    const other = await remote.signIn('E-1002');
    for (const FRONTDESK_TOKEN of [other, 'nonsense']) {
      const { exitCode, stdout, stderr } = await overHttp(['export'], { FRONTDESK_TOKEN });
      expect([exitCode, stdout]).toEqual([77, '']);
      expect(stderr).toStartWith(`${remote.url}: `);
      expect(stderr).not.toContain(FRONTDESK_TOKEN);
    }
  });
});

test('an assertion signed with the program’s own key works for one command that sends many requests', async () => {
  const signer = await makeSigner();
  await addOwnKeyCaller(remote, 'pipeline', signer, 'LOOKUP_PLANNER');
  const withAssertion = async () => ({
    FRONTDESK_ASSERTION_FILE: file('own', await signer.sign(ownClaims('pipeline', remote.url))),
  });
  const env = await withAssertion();
  const exported = await overHttp(['export'], env);
  expect(exported).toMatchObject({ exitCode: 0, stderr: '' });
  expect(exported).toEqual(await overHttp(['export']));
  expect(await overHttp(['export'], env)).toEqual({
    exitCode: 77,
    stdout: '',
    stderr: `${remote.url} refuses the assertion in FRONTDESK_ASSERTION_FILE (invalid_grant): the service's log says why. An assertion that a program has signed with its own key works only once.\n`,
  });
  expect(await overHttp(['undo', 'position', '1'], await withAssertion())).toMatchObject({ exitCode: 77 });
});

describe('a service that does not answer as it should', () => {
  type Answer = (request: Request) => Response | Promise<Response>;
  let answer: Answer;
  let asked: [path: string, authorization: string | null][] = [];
  let server: ReturnType<typeof Bun.serve>;
  let url: string;
  beforeAll(() => {
    server = Bun.serve({
      port: freePort(),
      fetch(request) {
        asked.push([new URL(request.url).pathname, request.headers.get('authorization')]);
        return answer(request);
      },
    });
    url = `http://localhost:${server.port}`;
  });
  afterAll(() => server.stop(true));

  const problem = (status: number) =>
    Response.json(
      { type: `${url}/problems/some`, title: 'Some\u001b[31m title', status, detail: 'A detail.' },
      { status },
    );

  test.each<[string, number, string, Answer]>([
    ['503', 75, 'Try again.', () => problem(503)],
    ['504 of a proxy', 75, 'answers 504', () => new Response('<html>', { status: 504 })],
    ['502 of a proxy', 75, 'answers 502', () => new Response('<html>', { status: 502 })],
    ['429', 75, 'Try again.', () => problem(429)],
    ['401', 77, 'A detail.', () => problem(401)],
    ['403 of a proxy', 77, 'answers 403', () => new Response('no', { status: 403 })],
    ['500', 1, 'A detail.', () => problem(500)],
    ['404 of something else', 1, 'answers 404', () => new Response('no such page', { status: 404 })],
    [
      'a redirect',
      1,
      'answers with a redirect, which is not followed',
      () => Response.redirect(`${url}/elsewhere`, 302),
    ],
    [
      'a page of another program',
      1,
      'sent an answer that is not from this version of Frontdesk',
      () => new Response('<html>'),
    ],
    [
      'JSON of another program',
      1,
      'sent an answer that is not from this version of Frontdesk',
      () => Response.json({ lists: 1 }),
    ],
    [
      'an answer without an end',
      1,
      'answers with more than 134217728 bytes',
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4 * 1024 * 1024)) })),
    ],
  ])('%s: %d', async (_, exitCode, text, how) => {
    answer = how;
    asked = [];
    const result = await overHttp(['export'], { FRONTDESK_TOKEN: 'some-token' }, url);
    expect([result.exitCode, result.stdout, result.stderr]).toEqual([exitCode, '', expect.stringContaining(text)]);
    expect(result.stderr).not.toContain('\u001b');
    expect(asked).toEqual([['/admin/lookups', 'Bearer some-token']]);
  });

  describe('with content that would control the terminal or crash the command:', () => {
    const hidden = '\u001b]0;title\u0007\u001b[2J\n::notice::x';
    const shown = '?]0;title??[2J?::notice::x';
    const summary = { title: 'T', version: 3, active: 0, retired: 0, updatedAt: '2026-01-01T00:00:00.000Z' };
    const step = { version: 1, at: '2026-01-01T00:00:00.000Z', by: hidden, reason: hidden };
    const added = { value: hidden, before: null, after: { label: 'L' } };
    const changed = { value: 'V', before: { [hidden]: 1 }, after: { [hidden]: 2 } };
    const refusal = (status: number, code: string, more: object) =>
      Response.json({ type: `/problems/${code}`, title: 'T', detail: 'D.', ...more }, { status });
    const conflict = (more: object) => refusal(412, 'version-conflict', more);
    const fault = () => refusal(400, 'invalid-request', { errors: [{ field: hidden, message: hidden }] });
    const other = ' sent an answer that is not from this version of Frontdesk.\n';
    const oneFile = file('one.csv', 'list,value,label\nposition,ACCOUNTANT,Bookkeeper\n');

    test.each<[string, string[], number, string, string, Answer]>([
      [
        'names in a plan',
        ['plan', oneFile],
        2,
        `${shown}\n  + ${shown}  "L"\n  ~ V\n      ${shown}: 1 → 2\n`,
        '',
        () => Response.json({ changes: [added, changed].map((change) => ({ list: hidden, ...change })), counts: {} }),
      ],
      [
        'names in the history',
        ['history', 'position'],
        0,
        `version 1  ${step.at}  ${shown}  ${shown}\n  + ${shown}  "L"\n`,
        '',
        () => Response.json([{ ...step, changes: [added] }]),
      ],
      ...[
        { title: 'T\u009b2J' },
        { description: 'D\u009b2J' },
        { readers: ['R\u009b2J'] },
        { keepers: ['K\u009b2J'] },
      ].map((settings): [string, string[], number, string, string, Answer] => [
        `the ${Object.keys(settings)[0]} of an exported list`,
        ['export'],
        1,
        '',
        other,
        () => Response.json({ list: 'position', ...noSettings, title: 'T', ...settings, version: 1, items: [] }),
      ]),
      [
        'the faults of a document',
        ['plan', oneFile],
        65,
        '',
        `${oneFile}:1:1  ${shown}: ${shown}\nNothing was changed.\n`,
        fault,
      ],
      [
        'a list in a conflict',
        ['apply', oneFile],
        1,
        '',
        ' answers 412\n',
        () => conflict({ list: hidden, version: 4 }),
      ],
      ['a conflict about nothing', ['undo', 'position', '1'], 1, '', ' T. D.\n', () => conflict({})],
      ['faults in an undo', ['undo', 'position', '1'], 1, '', other, fault],
      [
        'a conflict after a read',
        ['history', 'position'],
        1,
        '',
        other,
        () => conflict({ list: 'position', version: 4 }),
      ],
      [
        'more changes than any version has',
        ['history', 'position'],
        1,
        '',
        other,
        () => Response.json([{ ...step, changes: [added], changesLeftOut: 1_000_001 }]),
      ],
    ])('%s', async (_, words, exitCode, stdout, stderr, how) => {
      answer = (request) =>
        new URL(request.url).pathname === '/admin/lookups'
          ? Response.json([{ list: 'position', ...summary }])
          : how(request);
      const result = await overHttp(words, { FRONTDESK_TOKEN: 'some-token' }, url);
      expect(result).toMatchObject({ exitCode, stdout, stderr: expect.stringMatching(ending(stderr)) });
    });
    /** Matches exactly this text, with or without the address before it. */
    const ending = (text: string) => new RegExp(`^(${url}:?)?${RegExp.escape(text)}$`);

    test('a service that always claims more changes is asked only for as many as it first announced', async () => {
      let pages = 0;
      answer = (request) => {
        if (new URL(request.url).pathname === '/admin/lookups')
          return Response.json([{ list: 'position', ...summary }]);
        pages++;
        return Response.json([{ ...step, changes: [added, added], changesLeftOut: 4 }]);
      };
      expect(await overHttp(['history', 'position'], { FRONTDESK_TOKEN: 'x' }, url)).toMatchObject({ exitCode: 0 });
      expect(pages).toBe(3);
    });
  });

  test('an answer that ends half-way: 75', async () => {
    const half = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{"list":', () =>
        socket.destroy(),
      );
    });
    const port = freePort();
    await new Promise<void>((resolve) => half.listen(port, 'localhost', resolve));
    const { exitCode, stderr } = await overHttp(['export'], { FRONTDESK_TOKEN: 'x' }, `http://localhost:${port}`);
    half.close();
    expect([exitCode, stderr]).toEqual([75, expect.stringContaining('cannot be reached')]);
  });

  test('the token of a call without TLS is not sent to a proxy', async () => {
    const proxied: string[] = [];
    const proxy = Bun.serve({
      port: freePort(),
      fetch(request) {
        proxied.push(request.url);
        return new Response(null, { status: 502 });
      },
    });
    const HTTP_PROXY = `http://localhost:${proxy.port}`;
    answer = () => Response.json([]);
    const result = await asProcess(['export'], { FRONTDESK_TOKEN: 'x', HTTP_PROXY }, url);
    await proxy.stop(true);
    expect([result.exitCode, proxied]).toEqual([0, []]);
  });

  test('no service there: 75', async () => {
    const nowhere = `http://localhost:${freePort()}`;
    const { exitCode, stderr } = await overHttp(['export'], { FRONTDESK_TOKEN: 'x' }, nowhere);
    expect([exitCode, stderr]).toEqual([
      75,
      expect.stringMatching(/^http:\/\/localhost:\d+ cannot be reached \(\w+\): try again\.\n$/),
    ]);
  });

  test('a certificate from an unknown CA: 1; from a known one: 0', async () => {
    const tls = join(import.meta.dir, '../support/tls');
    const secure = Bun.serve({
      port: freePort(),
      tls: { key: Bun.file(join(tls, 'localhost.key')), cert: Bun.file(join(tls, 'localhost.pem')) },
      fetch: () => Response.json([]),
    });
    const address = `https://localhost:${secure.port}`;
    const refused = await asProcess(['export'], { FRONTDESK_TOKEN: 'x' }, address);
    const env = { FRONTDESK_TOKEN: 'x', NODE_EXTRA_CA_CERTS: join(tls, 'ca.pem') };
    const accepted = await asProcess(['export'], env, address);
    await secure.stop(true);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('The certificate of https://')]);
    expect([accepted.exitCode, accepted.stdout]).toEqual([0, 'lists: {}\n']);
  });

  describe('with an assertion', () => {
    const env = { FRONTDESK_ASSERTION_FILE: file('assertion', 'aa.bb.cc\n') };

    test('one command exchanges one assertion, and uses the token for every request', async () => {
      const exchanged: unknown[] = [];
      answer = async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/auth/token') {
          exchanged.push(Object.fromEntries(new URLSearchParams(await request.text())));
          return Response.json({ access_token: 'given', token_type: 'Bearer', expires_in: 900 });
        }
        if (request.headers.get('authorization') !== 'Bearer given') return problem(401);
        const summary = { title: 'T', version: 1, active: 0, retired: 0, updatedAt: '2026-01-01T00:00:00.000Z' };
        return pathname === '/admin/lookups'
          ? Response.json(['a', 'b'].map((list) => ({ list, ...summary })))
          : Response.json({ list: pathname.slice(-1), ...noSettings, title: 'T', version: 1, items: [] });
      };
      const { exitCode, stdout } = await overHttp(['export', '--plain'], env, url);
      expect([exitCode, stdout]).toEqual([
        0,
        'lists:\n  a:\n    title: T\n    items: []\n  b:\n    title: T\n    items: []\n',
      ]);
      expect(exchanged).toEqual([{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'aa.bb.cc' }]);
    });

    test.each<[string, number, string, Answer]>([
      [
        'refused',
        77,
        "refuses the assertion in FRONTDESK_ASSERTION_FILE (invalid_grant): the service's log says why.",
        () => Response.json({ error: 'invalid_grant', error_description: 'aa.bb.cc' }, { status: 400 }),
      ],
      ['refused for now', 75, 'Try again.', () => Response.json({ error: 'temporarily_unavailable' }, { status: 503 })],
      ['not known there', 1, 'answers 404', () => new Response('', { status: 404 })],
      [
        'answered with a token that cannot be sent',
        1,
        'sent an answer that is not from this version of Frontdesk',
        () => Response.json({ access_token: 'two\r\nlines' }),
      ],
      ['redirected', 1, 'answers with a redirect', () => Response.redirect(`${url}/elsewhere`, 307)],
    ])('%s: %d', async (_, exitCode, text, how) => {
      answer = how;
      asked = [];
      const result = await overHttp(['export'], env, url);
      expect([result.exitCode, result.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
      expect(result.stderr).not.toContain('aa.bb.cc');
      expect(asked).toEqual([['/auth/token', null]]);
    });
  });
});

test('a file that is too large for the service is refused by the command or by a proxy, with what to do', async () => {
  const advice = /Split the file, by lists or by items, .+ Or run the command where the database is, without --url/;
  const path = file('large.json', `{"lists":{}}${' '.repeat(4 * 1024 * 1024)}`);
  const refused = await overHttp(['plan', path]);
  expect([refused.exitCode, refused.stderr]).toEqual([65, expect.stringMatching(advice)]);
  expect(refused.stderr).toStartWith('The file has 4194316 bytes; a service accepts at most 4194304.\n');
  const proxy = Bun.serve({ port: await freePort(), fetch: () => new Response('too large', { status: 413 }) });
  const byProxy = await overHttp(
    ['plan', file('small.json', '{"lists":{}}')],
    undefined,
    `http://localhost:${proxy.port}`,
  );
  expect([byProxy.exitCode, byProxy.stderr]).toEqual([65, expect.stringMatching(advice)]);
  await proxy.stop(true);
});
