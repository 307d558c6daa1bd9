// docs/operations.md and docs/audit.md: every command is run by a test or marked, and every link leads somewhere.
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCommandLine } from '../../src/cli/arguments.ts';
import { Browser } from '../support/browser.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { audit, guideBlock, guideBlocks, operations, runInGuide, startInGuide } from '../support/guide.ts';
import { freePort } from '../support/ports.ts';
import { root, untilReady } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until } from '../support/waiting.ts';

const folder = temporaryFolders();
const mark = '# not tested: ';
const tests = [...new Bun.Glob('test/{once,service,faults}/*.ts').scanSync(root)].map((file) =>
  readFileSync(join(root, file), 'utf8'),
);

test('every block of commands is run by a test, or marked', () => {
  const started = tests.flatMap((text) =>
    [...text.matchAll(/(?:guideBlock|runSql)\(\s*['"](.*?)['"][,)]/g)].map(([, start = '']) => start),
  );
  const commands = guideBlocks.filter(({ language }) => language !== '');
  expect(commands.length).toBeGreaterThan(10);
  const unknown = commands.filter(
    ({ text }) => !text.startsWith(mark) && !started.some((start) => start !== '' && text.startsWith(start)),
  );
  expect(unknown).toEqual([]);
  expect(operations).toContain(`begin with\n\`${mark.slice(0, -2)}\``);
});

test('every command in a sentence exists, with its options', () => {
  const typed = [...`${operations}\n${audit}`.matchAll(/`(?:\w+=\S+ )*frontdesk ([a-z-][^`\n]*)`/g)].map(
    ([, words = '']) => words,
  );
  expect(typed.length).toBeGreaterThan(15);
  const refused = typed.flatMap((words) => {
    // Redirections are left out. Text in quotation marks is one argument.
    const args = words.replace(/ [>|].*/, '').match(/'[^']*'|\S+/g) ?? [];
    try {
      readCommandLine(args.map((word) => word.replaceAll("'", '')));
      return [];
    } catch (error) {
      return [words, String(error)];
    }
  });
  expect(refused).toEqual([]);
});

test.each(['docs/operations.md', 'docs/audit.md', 'docs/configuration.md', 'docs/privacy.md', 'docs/api.md'])(
  '%s has no link to a heading that does not exist',
  (document) => {
    const headings = (text: string) =>
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const text = readFileSync(join(root, document), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)].filter(([, file = '']) => !file.includes('://'));
    expect(links.length).toBeGreaterThan(0);
    const missing = links.filter(([, file = '', heading = '']) => {
      const path = file === '' ? join(root, document) : join(root, dirname(document), file);
      return !(existsSync(path) && headings(readFileSync(path, 'utf8')).includes(heading));
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  },
);

describe('the audit', () => {
  test('can be followed as the guide says: every row once, in order', async () => {
    for (const program of ['curl', 'jq'] as const) programPath(program);
    const desk = await startFrontdesk();
    const token = await desk.signIn('E-1006');
    await using following = startInGuide(guideBlock("NEXT='https://desk.example.com/admin/audit"), {
      replacements: { 'https://desk.example.com': desk.url, 'sleep 5': 'sleep 0.1' },
      env: { TOKEN: token },
    });
    const read = () => {
      const file = join(following.folder, 'audit.jsonl');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
      return lines.map((line) => (JSON.parse(line) as { id: string }).id);
    };
    await until(async () => read().length > 0);
    await desk.signIn('E-1002');
    await desk.signIn('E-1003');
    const stored = (await (await desk.get('/admin/audit?after=0&limit=1000', bearer(token))).json()) as {
      id: string;
    }[];
    await until(async () => read().length >= stored.length);
    expect(read().slice(0, stored.length)).toEqual(stored.map(({ id }) => id));
    await desk.stop();
  });

  test('is verified with a seal that was kept elsewhere', async () => {
    const desk = await startFrontdesk({ SECRET_KEY: 'only for this test, and long enough' });
    await desk.signIn();
    // A script stands in for `ssh`: it runs in this folder what the guide runs on the host `archive`.
    const options = { env: desk.commandEnv, scripts: { ssh: 'exec sh -c "$2"' } };
    expect(await runInGuide(guideBlock('frontdesk audit seal | ssh archive'), options)).toContain('seal');
    await desk.stop();
  });

  test('goes to syslog line by line', async () => {
    const port = freePort();
    const url = `http://localhost:${port}`;
    const lines = join(folder(), 'syslog');
    writeFileSync(lines, '');
    await using _ = startInGuide(guideBlock('frontdesk serve | tee '), {
      env: { PORT: String(port), AUDIT_LOG: 'stdout' },
      scripts: { logger: `[ "$*" = '--tag frontdesk-audit' ] && exec cat >> '${lines}'` },
    });
    await untilReady(url);
    await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
    await until(async () => readFileSync(lines, 'utf8').includes('"type":"sign-in"'));
    for (const line of readFileSync(lines, 'utf8').trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ audit: true });
  });
});
