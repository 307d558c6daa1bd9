// frontdesk people export: everything that is stored about a person, and nothing secret. docs/privacy.md lists every table.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownRow } from '../../src/audit/audit.queries.ts';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { Browser } from '../support/browser.ts';
import { engine } from '../support/database.ts';
import { everyTableIn } from '../support/every-value.ts';
import { bearer, codeFromProvider, type Frontdesk, startWithProvider } from '../support/frontdesk.ts';
import { listKeeping } from '../support/lists.ts';
import { command, root, runToEnd } from '../support/process.ts';
import { programPath } from '../support/programs.ts';

interface Exported {
  version: number;
  employeeId: string;
  exportedAt: string;
  profile: Record<string, unknown> | null;
  sessions: ({ id: string } & Record<string, unknown>)[];
  audit: ShownRow[];
  listChanges: ({ id: string; list: string; by: string; reason: string | null } & Record<string, unknown>)[];
  leftOut: { table: string; columns: string[]; why: string }[];
}

let desk: Frontdesk;
let provider: DevelopmentProvider;
beforeAll(async () => {
  ({ desk, provider } = await startWithProvider());
});
afterAll(async () => {
  await desk.stop();
  await provider.close();
});

const run = (...args: string[]) => runToEnd(args, desk.commandEnv, desk.folder);

async function exportOf(id: string, ...more: string[]) {
  const { stdout, stderr, exitCode } = await run('people', 'export', id, ...more);
  expect([exitCode, stderr]).toEqual([0, '']);
  return { text: stdout, document: JSON.parse(stdout) as Exported };
}

const quoted = (value: unknown) => (value === null ? 'null' : `'${value}'`);

/** Adds a row as the service would write it, with the next number. */
async function addAuditRow(row: { type: string; person?: string; session?: string; detail?: string }): Promise<void> {
  await desk.database.query('update audit_counter set last = last + 1');
  const { person = null, session = null, detail = null } = row;
  const values = ['2026-11-16T06:00:00.000Z', row.type, person, session, detail].map(quoted).join(', ');
  await desk.database.query(
    `insert into audit (seq, at, type, person, session, detail, salt, digest) select last, ${values}, 'its salt', 'its digest' from audit_counter`,
  );
}

async function seedEverything(): Promise<void> {
  // Four sessions: one with a cookie and encrypted tokens, one renewed, one ended, and one from a code-only sign-in.
  const browser = new Browser();
  await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const cookies = await desk.signInCookies('E-1001');
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const renewed = await fetch(`${desk.url}/auth/renew`, { method: 'POST', headers: { cookie, origin: desk.url } });
  expect(renewed.status).toBe(200);
  const over = await desk.signIn('E-1001');
  expect((await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(over) })).status).toBe(204);
  expect((await fetch(await codeFromProvider(desk, { login_hint: 'E-1001' }))).status).toBe(200);
  // List changes by the person, over HTTP and on the command line, and by somebody else whose reason names them.
  const keeping = listKeeping(desk, await desk.signIn('E-1001'));
  await keeping.change('PATCH', 'position', '/items/ACCOUNTANT', { label: 'Accountant (new)', reason: 'as agreed' });
  for (const [as, reason] of [
    ['E-1001', 'by a command'],
    ['E-1002', 'asked for by E-1001'],
  ] as const) {
    const { version } = await keeping.read('position');
    const undone = await run('lookups', 'undo', 'position', String(version - 1), '--as', as, '--reason', reason);
    expect(undone.exitCode).toBe(0);
  }
  // For a while, a different account has the employee ID, so the person's own account is refused.
  expect((await run('people', 'move', 'E-1001', 'https://other.example', 'other')).exitCode).toBe(0);
  const { response } = await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`);
  expect(response.status).toBe(403);
  expect((await run('people', 'move', 'E-1001', provider.issuer, 'E-1001')).exitCode).toBe(0);
  const sid = sessionOf(await desk.signIn('E-1001'));
  // The first row is about a sign-in that was refused because it claimed this person's employee ID. The second is about the
  // end of a session that the person had under an earlier employee ID.
  const refused = 'account-not-permitted: the employee ID belongs to another account: subject';
  await addAuditRow({ type: 'sign-in-refused', person: 'E-1005', detail: `${refused} E-1001` });
  await addAuditRow({ type: 'session-ended', person: 'E-0999', session: sid });
  // Rows about other people.
  await addAuditRow({ type: 'sign-in-refused', person: 'E-1005', detail: `${refused} e-1001` });
  await addAuditRow({ type: 'sign-in', person: 'E-10010' });
  await desk.signIn('E-1003');
}

const sessionOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

describe('the export of a person with every kind of data', () => {
  let document: Exported;
  let text: string;
  let sids: string[];
  beforeAll(async () => {
    await seedEverything();
    ({ document, text } = await exportOf('E-1001', '--as', 'the data protection officer'));
    sids = document.sessions.map(({ id }) => id);
  });

  test('it has every row of any table that mentions the person, except rows that do so only in columns it lists as left out', async () => {
    const marks = ['E-1001', 'ada.park@example.com', 'Ada Park', '+1 555 010 1001', ...sids];
    const pattern = new RegExp(`(?<![\\w-])(${marks.map((mark) => RegExp.escape(mark)).join('|')})(?![\\w-])`);
    const exported: Record<string, (row: Record<string, unknown>) => boolean> = {
      person: ({ id }) => id === document.profile?.id,
      session: ({ sid }) => sids.includes(String(sid)),
      audit: ({ seq }) => document.audit.some(({ id }) => id === String(seq)),
      lookup_history: ({ seq }) => document.listChanges.some(({ id }) => id === String(seq)),
    };
    const found = new Map<string, number>();
    const missing: unknown[] = [];
    for (const { name, rows } of await everyTableIn(desk.database)) {
      const isLeftOut = (column: string) =>
        document.leftOut.some(({ table, columns }) => table === name && columns.includes(column));
      for (const row of rows) {
        const columns = Object.keys(row).filter((column) => pattern.test(String(row[column])));
        if (columns.length === 0) continue;
        found.set(name, (found.get(name) ?? 0) + 1);
        if (exported[name]?.(row) !== true && !columns.every(isLeftOut)) missing.push({ name, columns, row });
      }
    }
    expect(missing).toEqual([]);
    expect([...found.keys()].sort()).toEqual(['audit', 'lookup_history', 'person', 'session']);
    expect(found.get('session')).toBe(document.sessions.length);
  });

  test('it has every session, without its secrets', () => {
    expect(document.sessions.length).toBeGreaterThanOrEqual(6);
    const kinds = document.sessions.map((row) => [row.hasCookie, row.endedAt !== null]);
    expect(kinds).toContainEqual([true, false]);
    expect(kinds).toContainEqual([true, true]);
    expect(kinds).toContainEqual([false, true]);
    expect(document.sessions[0]).toMatchObject({ roles: ['EMPLOYEE', 'LOOKUP_ADMIN'], renewalFailure: null });
  });

  test('it has no hash and no encrypted value', async () => {
    const ofSessions = 'select cookie_hash, id_token, refresh_token, renewal_claim from session';
    const rows = await Promise.all([ofSessions, 'select salt, digest, covered from audit'].map(desk.database.query));
    const secrets = rows.flat().flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('it has the rows of other people that are about the person, and no others', () => {
    const others = document.audit.filter(({ person, actor }) => person !== 'E-1001' && actor !== 'E-1001');
    expect(others.map(({ type, person, actor }) => [type, person, actor])).toEqual([
      ['list-changed', null, 'command line (E-1001)'],
      ['sign-in-refused', 'E-1005', null],
      ['session-ended', 'E-0999', null],
    ]);
    expect(text).not.toContain('E-1003');
    expect(text).not.toContain('E-10010');
    expect(text).not.toContain('subject e-1001');
  });

  test('it has the list changes that they made, but not those that only mention them', () => {
    expect(document.listChanges.map(({ list, by, reason }) => [list, by, reason])).toEqual([
      ['position', 'E-1001', 'as agreed'],
      ['position', 'command line (E-1001)', 'by a command'],
    ]);
  });

  test('its members are those that docs/privacy.md lists', () => {
    expect({ ...document, sessions: [], audit: [], listChanges: [], leftOut: [] }).toEqual({
      version: 1,
      employeeId: 'E-1001',
      exportedAt: expect.stringMatching(/Z$/),
      profile: expect.objectContaining({ name: 'Ada Park', email: 'ada.park@example.com', emailVerified: true }),
      sessions: [],
      audit: [],
      listChanges: [],
      leftOut: [],
    });
    const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8');
    const members = [document, document.profile, document.sessions[0], document.audit[0], document.listChanges[0]];
    const names = members.flatMap((member) => Object.keys(member ?? {}));
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('the export is audited, with who made it, and contains that row itself', () => {
    expect(document.audit.at(-1)).toMatchObject({
      type: 'person-exported',
      person: 'E-1001',
      actor: 'command line (the data protection officer)',
      detail: null,
    });
  });
});

test('an employee ID without a person and without any row is refused, and that leaves no row', async () => {
  for (const time of ['first', 'second']) {
    expect([time, await run('people', 'export', 'E-9')]).toEqual([
      time,
      {
        exitCode: 1,
        stdout: '',
        stderr: "Nobody has the employee ID E-9, and neither the audit nor a list's history mentions it.\n",
      },
    ]);
  }
  expect((await run('people', 'export')).exitCode).toBe(64);
});

test('an export that cannot be recorded is not made', async () => {
  const wrong = { ...desk.commandEnv, SECRET_KEY: "a secret that is not the service's own" };
  const { exitCode, stdout } = await runToEnd(['people', 'export', 'E-1001'], wrong, desk.folder);
  expect([exitCode, stdout]).toEqual([78, '']);
});

test('a person who was only ever refused has audit rows, and no profile', async () => {
  await addAuditRow({ type: 'sign-in-refused', person: 'E-7', detail: 'account-not-permitted' });
  const { document } = await exportOf('E-7');
  expect([document.profile, document.sessions, document.listChanges]).toEqual([null, [], []]);
  expect(document.audit.map(({ type }) => type)).toEqual(['sign-in-refused', 'person-exported']);
});

/** Number of audit rows, of 1 kB each. */
const rowCount = 80_000;
describe(`the export of a person with ${rowCount} rows`, () => {
  const rowBytes = 1000;
  beforeAll(async () => {
    const numbers =
      engine === 'postgres'
        ? `select n from generate_series(1, ${rowCount}) as numbers(n)`
        : `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rowCount}) select n from numbers`;
    await desk.database.query(
      `insert into audit (seq, at, type, person, detail, salt, digest) select (select last from audit_counter) + n,
        '2026-11-16T06:00:00.000Z', 'sign-in', 'E-8', '${'x'.repeat(rowBytes)}', 'its salt', 'its digest' from (${numbers}) as counted`,
    );
    await desk.database.query('update audit_counter set last = (select max(seq) from audit)');
  });

  test('each row is in it once, in order', async () => {
    const { audit } = (await exportOf('E-8')).document;
    const numbers = audit.map(({ id }) => Number(id));
    expect(numbers.length).toBe(rowCount + 1);
    expect(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))).toBe(true);
  });

  test('rows are written as they are read, so the document is never whole in memory', async () => {
    // A small process starts the command, because the measurement includes the memory of the parent process.
    const measure = `const child = Bun.spawn(process.argv.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
      if ((await child.exited) === 0) console.log(child.resourceUsage().maxRSS);`;
    const peakOf = async (id: string) => {
      const child = Bun.spawn([process.execPath, '-e', measure, ...command, 'people', 'export', id], {
        cwd: desk.folder,
        env: { PATH: process.env.PATH ?? '', ...desk.commandEnv },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return Number.parseInt(await new Response(child.stdout).text(), 10);
    };
    const [few, many] = [await peakOf('E-7'), await peakOf('E-8')];
    expect(few).toBeGreaterThan(0);
    // If memory held all rows and their text at once, it would grow by more than three times the size of the rows. Because rows
    // are written in parts, it grows by less than their size.
    expect(many - few).toBeLessThan(2 * rowBytes * rowCount);
  });

  test('if the reader closes the pipe early, the command ends with a message', async () => {
    const words = [...command, 'people', 'export', 'E-8'].map((word) => `'${word}'`).join(' ');
    const child = Bun.spawn([programPath('bash'), '-c', `set -o pipefail; ${words} | head -c 10`], {
      cwd: desk.folder,
      env: { PATH: process.env.PATH ?? '', ...desk.commandEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await new Response(child.stderr).text()).toBe('Standard output was closed before everything was written.\n');
    expect(await child.exited).toBe(1);
  });
});

test('the log has no employee ID, name, email, phone number or network address', () => {
  const logged = desk.logged.join('');
  expect(logged).toContain('signed in');
  const values = ['E-1001', 'Ada', 'ada.park', '555 010', '127.0.0.1', '::1'];
  expect(values.filter((value) => logged.includes(value))).toEqual([]);
});

test('docs/privacy.md names every label of the metrics', () => {
  const [page, metrics] = ['docs/privacy.md', 'src/telemetry/metrics.ts'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const labels = [...(metrics ?? '').matchAll(/labelNames: \[(.*)\]/g)].flatMap(([, names = '']) => names.split(', '));
  expect(labels.length).toBeGreaterThan(5);
  const [paragraph = ''] = /- \*\*Metrics\*\*.*?\n- /s.exec(page ?? '') ?? [];
  expect(labels.filter((label) => !paragraph.includes(label.replaceAll("'", '`')))).toEqual([]);
});

test('docs/privacy.md names every table: each column with personal data, or why there is none', async () => {
  const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8');
  const [, personal = '', others = ''] =
    /\n## What is stored\n(.*?)\n### Tables without personal data\n(.*?)\n## /s.exec(page) ?? [];
  const named = (part: string) => [...part.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name).sort();
  const sections = personal.split(/^### /m).slice(1);
  const described = Object.fromEntries(
    sections.map((section) => [/^`(\w+)`/.exec(section)?.[1] ?? section, namedColumns(section)]),
  );
  const tables = (await everyTableIn(desk.database)).filter(({ name }) => !(name in described));
  expect(tables.map(({ name }) => name).sort()).toEqual(named(others));
  const stored = await Promise.all(
    Object.keys(described).map(async (name) => [name, (await columnsOf(name)).sort()] as const),
  );
  expect(described).toEqual(Object.fromEntries(stored));
});

/** A line may name several columns: | `name`, `given_name` | … */
function namedColumns(section: string): string[] {
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)).sort();
}

async function columnsOf(table: string): Promise<string[]> {
  const statement =
    engine === 'postgres'
      ? `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema = 'public'`
      : `select name from pragma_table_info('${table}')`;
  return (await desk.database.query<{ name: string }>(statement)).map(({ name }) => name);
}
