// Runs every test and ends with one line that counts them. What they need is installed and built before the first one.
// Files run in parallel processes, the slowest first (test/timings.json says which those are); those of test/service/ run
// on SQLite and on PostgreSQL.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { mostProcesses } from './support/ports.ts';
import { startPostgres } from './support/postgres.ts';
import { executable, runToEnd } from './support/process.ts';
import { installPrograms } from './support/programs.ts';

const totals = { passed: 0, failed: 0, skipped: 0 };
let isFine = true;

interface Pace {
  /** How many processes. */
  parallel: number;
  timeoutMs: number;
}
// Twice as many as can run at once: many tests wait for what takes its time.
const usual: Pace = { parallel: Math.min(availableParallelism() * 2, mostProcesses), timeoutMs: 30_000 };
/** Each process has a browser, which keeps a core busy. */
const withBrowsers: Pace = { parallel: Math.min(availableParallelism(), mostProcesses), timeoutMs: 90_000 };

async function run(name: string, env: Record<string, string>, words: readonly string[], pace = usual): Promise<void> {
  const report = `test/output/${name}.xml`;
  rmSync(report, { force: true });
  process.stdout.write(`\n== ${name}\n`);
  const options = [
    `--timeout=${pace.timeoutMs}`,
    `--parallel=${pace.parallel}`,
    // A process keeps what it has loaded from one file to the next.
    '--no-isolate',
    '--timings=test/timings.json',
    ...(process.env.UPDATE_TIMINGS === undefined ? [] : ['--update-timings']),
    '--reporter=junit',
    `--reporter-outfile=${report}`,
  ];
  const { exited } = Bun.spawn([process.execPath, '--no-env-file', 'test', ...options, ...words], {
    stdout: 'inherit',
    stderr: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', ...env },
  });
  const exitCode = await exited;
  const summary = existsSync(report) ? (/<testsuites [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '') : '';
  const count = (what: string) => Number(new RegExp(`\\b${what}="(\\d+)"`).exec(summary)?.[1] ?? 0);
  const [tests, failed, skipped] = [count('tests'), count('failures') + count('errors'), count('skipped')];
  totals.passed += tests - failed - skipped;
  totals.failed += failed;
  totals.skipped += skipped;
  isFine &&= exitCode === 0 && tests > 0 && skipped === 0;
}

mkdirSync('test/output', { recursive: true });
const chosen = process.argv.slice(2);
const isWhole = chosen.length === 0;
const settings: Record<string, string> = { TEST_FAULTS: 'short' };
if (isWhole) {
  installPrograms();
  process.stdout.write('Building the executable.\n');
  settings.TEST_EXECUTABLE = executable();
}
// Not beside the console's: two browsers keep two cores so busy that pages are given up.
const pages = 'test/once/pages.test.ts';
const onPostgres = isWhole ? ['test/service/', pages] : chosen.filter((path) => path.includes('test/service/'));
// Started while the first tests run.
const starting = onPostgres.length > 0 ? startWithTemplate() : undefined;
const apart = [pages, 'test/once/console-*.test.ts'].map((path) => `--path-ignore-patterns=${path}`);
await run('SQLite', settings, isWhole ? apart : chosen);
if (isWhole) await run('Console', settings, ['test/once/console-'], withBrowsers);
if (starting !== undefined) {
  const { postgres, template } = await starting;
  const databases = { TEST_POSTGRES_URL: postgres.url, TEST_POSTGRES_TEMPLATE: new URL(template).pathname.slice(1) };
  await run('PostgreSQL', { ...settings, ...databases }, onPostgres);
  await postgres.stop();
}
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(isFine ? 0 : 1);

/** With a database that has every table: copying it is faster than migrating an empty one. */
async function startWithTemplate() {
  const postgres = await startPostgres({ isDurable: false });
  const template = await postgres.createDatabase();
  await runToEnd(['migrate'], { DATABASE_URL: template });
  return { postgres, template };
}
