// Runs every test and ends with what failed and one line that counts them. What they need is installed and built before
// the first one. Files run in parallel processes, the slowest first (test/timings.json says which those are); those of
// test/service/ run on SQLite and on PostgreSQL.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { mostProcesses } from './support/ports.ts';
import { startPostgres } from './support/postgres.ts';
import { executable, runToEnd } from './support/process.ts';
import { installPrograms } from './support/programs.ts';

interface Failure {
  file: string;
  name: string;
  message: string;
}
let totalPassed = 0;
const failures: Failure[] = [];
/** Failed beside others and passed alone. */
const crowdedOut: Failure[] = [];
let isFine = true;
/** More failures than this have another cause than a busy machine. */
const mostAgain = 3;

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
  let { passed, failed, isPassed } = await runOnce(name, env, words, pace);
  if (isWhole && failed.length > 0 && failed.length <= mostAgain) {
    // The machine may have been too busy: their files run once more, with nothing beside them. Both runs are told of.
    const files = [...new Set(failed.map(({ file }) => file))];
    const alone = await runOnce(`${name}-again`, env, files, { ...pace, parallel: 1 });
    const stillFailed = new Set(alone.failed.map(({ name }) => name));
    crowdedOut.push(...failed.filter(({ name }) => !stillFailed.has(name)));
    passed += failed.length - alone.failed.length;
    ({ failed, isPassed } = alone);
  }
  totalPassed += passed;
  failures.push(...failed);
  isFine &&= isPassed;
}

async function runOnce(name: string, env: Record<string, string>, words: readonly string[], pace: Pace) {
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
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const failed = [...xml.matchAll(/<testcase ([^>]*)>\s*<failure ([^>]*)>/g)].map(([, test = '', failure = '']) => ({
    file: attribute(test, 'file'),
    name: [attribute(test, 'classname'), attribute(test, 'name')].filter((part) => part !== '').join(' > '),
    message: attribute(failure, 'message'),
  }));
  const summary = /<testsuites [^>]*>/.exec(xml)?.[0] ?? '';
  const [tests, skipped] = [Number(attribute(summary, 'tests')), Number(attribute(summary, 'skipped'))];
  const passed = tests - failed.length - skipped;
  return { passed, failed, isPassed: exitCode === 0 && passed > 0 && skipped === 0 };
}

/** Of an XML element; '' where it has none. */
function attribute(element: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1] ?? '';
  const signs: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&apos;': "'",
    '&#10;': '\n',
    '&amp;': '&',
  };
  return value.replaceAll(/&[#\w]+;/g, (sign) => signs[sign] ?? sign);
}

function tell(failed: readonly Failure[]): void {
  for (const { file, name, message } of failed) {
    process.stdout.write(`  ${file}: ${name}\n${message.slice(0, 1000).trimEnd().replaceAll(/^/gm, '    ')}\n`);
  }
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
if (failures.length > 0) process.stdout.write('\nFailed:\n');
tell(failures);
if (crowdedOut.length > 0) process.stdout.write('\nFailed beside others and passed alone, which is a defect too:\n');
tell(crowdedOut);
process.stdout.write(`\n${totalPassed} passed, ${failures.length} failed\n`);
process.exit(isFine ? 0 : 1);

/** With a database that has every table: copying it is faster than migrating an empty one. */
async function startWithTemplate() {
  const postgres = await startPostgres({ isDurable: false });
  const template = await postgres.createDatabase();
  await runToEnd(['migrate'], { DATABASE_URL: template });
  return { postgres, template };
}
