// Runs the tests, then prints what failed, what could not be run, and a summary line.
//   npm test                  what every change has to pass
//   npm test -- FILE …        only these files; files in test/service/ run on both engines
//   npm test -- NAME          what npm test leaves out: container, faults, fuzz, keycloak, kubernetes, libreoffice
//   npm run test:quick        the inner loop: no browser, no PostgreSQL
//   npm run test:thorough     what npm test leaves out: every service file on PostgreSQL, many runs, all rounds
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Job, makeJobs, readPlan, writeTimings } from './plan.ts';
import { type JobResult, runJob } from './run-job.ts';
import { maxProcesses } from './support/ports.ts';
import { startPostgres } from './support/postgres.ts';
import { executable, runToEnd } from './support/process.ts';
import { installPrograms } from './support/programs.ts';

/** Runs that need more than npm and Debian's packages, or take a long time. Each reads the arguments after its name. */
const separateRuns = new Map([
  ['container', ['test', '--timeout=120000', './test/container.ts']],
  ['faults', ['test', '--timeout=600000', 'test/faults']],
  ['fuzz', ['test/fuzz.ts']],
  ['keycloak', ['test', '--timeout=120000', './test/keycloak.ts']],
  ['kubernetes', ['test', '--timeout=300000', './test/kubernetes.ts']],
  ['libreoffice', ['test', '--timeout=300000', './test/libreoffice.ts']],
]);
const [name = '', ...rest] = process.argv.slice(2);
const separateRun = separateRuns.get(name);
if (separateRun !== undefined) {
  if (name === 'faults' || name === 'fuzz') installPrograms();
  const child = Bun.spawn([process.execPath, '--no-env-file', ...separateRun, ...rest], {
    env: { ...process.env, ...(name === 'faults' && { TEST_THOROUGH: 'yes' }) },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  process.exit(await child.exited);
}

const start = performance.now();
mkdirSync('test/output', { recursive: true });
const plan = readPlan(process.argv.slice(2));
const settings: Record<string, string> = plan.isThorough ? { TEST_THOROUGH: 'yes' } : {};
if (plan.isWhole) {
  installPrograms();
  process.stdout.write('Building the executable.\n');
  settings.TEST_EXECUTABLE = executable();
  settings.TEST_SQLITE_TEMPLATE = await makeSqliteTemplate();
}
const server = plan.postgres.length > 0 ? await startWithTemplate() : undefined;

// More processes than cores, because some tests mostly wait.
const slots = Math.min(availableParallelism() + 2, maxProcesses - 1);
const queue = makeJobs(plan);
const total = queue.reduce((sum, { files }) => sum + files.length, 0);
const results: JobResult[] = [];
let filesDone = 0;
await Promise.all(Array.from({ length: slots }, (_, index) => work(index + 1)));
await server?.postgres.stop();
if (process.env.UPDATE_TIMINGS !== undefined) writeTimings(results);
process.exit(report());

/** Runs jobs from the queue, one after the other. The slot number keeps the ports of parallel jobs apart. */
async function work(slot: number): Promise<void> {
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    const result = await runJob(job, { ...settings, ...(job.engine === 'PostgreSQL' && server?.env) }, slot);
    results.push(result);
    filesDone += job.files.length;
    if (result.printed !== '') print(result.printed);
    for (const { file, line, name, details } of result.failed) print(`FAILED ${file}:${line} ${name}\n${details}`);
    showProgress(job);
  }
}

function showProgress({ engine }: Job): void {
  const passed = results.reduce((sum, each) => sum + each.passed, 0);
  const failed = results.reduce((sum, each) => sum + each.failed.length, 0);
  const text = `${filesDone} of ${total} files, ${passed} tests passed, ${failed} failed, ${minutes()} (${engine})`;
  // On a terminal, one line that is overwritten; in a log, one line per job.
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${text.trimEnd()}\n`);
}

/** Prints the results, and returns the exit code. */
function report(): number {
  const failed = results.flatMap((each) => each.failed);
  const passed = results.reduce((sum, each) => sum + each.passed, 0);
  const missing = new Map<string, number>();
  for (const { reason, count } of results.flatMap((each) => each.notRun))
    missing.set(reason, (missing.get(reason) ?? 0) + count);
  if (failed.length > 0) print(`\n\nFailed, with details above:`);
  for (const { file, line, name } of failed) print(`  ${file}:${line} ${name}`);
  print('');
  for (const [reason, count] of missing) print(`${count} not run: ${reason}`);
  print(`${minutes()} on ${availableParallelism()} cores`);
  print(`\n${passed} passed, ${failed.length} failed`);
  return failed.length > 0 || passed === 0 ? 1 : 0;
}

function minutes(): string {
  const seconds = Math.round((performance.now() - start) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}

/** Makes a database with every table, because copying it is faster than migrating an empty one. */
async function startWithTemplate() {
  const postgres = await startPostgres({ isDurable: false });
  const template = await postgres.createDatabase();
  await migrate(template);
  const env = { TEST_POSTGRES_URL: postgres.url, TEST_POSTGRES_TEMPLATE: new URL(template).pathname.slice(1) };
  return { postgres, env };
}

/** Makes a SQLite file with every table, because copying it is faster than migrating an empty one. */
async function makeSqliteTemplate(): Promise<string> {
  const file = `${process.cwd()}/test/output/template.db`;
  for (const ending of ['', '-wal', '-shm'])
    await Bun.file(file + ending)
      .delete()
      .catch(() => {});
  await migrate(`sqlite:${file}`);
  return file;
}

async function migrate(databaseUrl: string): Promise<void> {
  const { exitCode, stderr } = await runToEnd(['migrate'], { DATABASE_URL: databaseUrl });
  if (exitCode !== 0) throw new Error(`migrate: ${stderr}`);
}
