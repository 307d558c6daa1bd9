// Runs every test, those of the whole service on both engines, and ends with one line that counts them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { startPostgres } from './support/postgres.ts';

/** They choose their database by themselves, or need none. */
const onceOnly = [
  'damaged-database',
  'openapi',
  'generated-clients',
  'packages',
  'http',
  'proxies',
  'refusals',
  'pages',
  'postgres',
  'process',
  'telemetry',
  'workers',
  'faults',
  'operations',
  'client',
  'client-changes',
  'console',
  'packaging',
];

mkdirSync('test/output', { recursive: true });
const totals = { passed: 0, failed: 0, skipped: 0 };
let isFine = true;

async function run(engine: string, env: Record<string, string>, chosen: string[]): Promise<void> {
  const report = `test/output/${engine}.xml`;
  rmSync(report, { force: true });
  process.stdout.write(`\n== ${engine}\n`);
  const options = ['--timeout=30000', '--reporter=junit', `--reporter-outfile=${report}`];
  const { exited } = Bun.spawn([process.execPath, '--no-env-file', 'test', ...options, ...chosen], {
    stdout: 'inherit',
    stderr: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', ...env },
  });
  const exitCode = await exited;
  const summary = existsSync(report) ? (/<testsuites [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '') : '';
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(summary)?.[1] ?? 0);
  const [tests, failed, skipped] = [count('tests'), count('failures') + count('errors'), count('skipped')];
  totals.passed += tests - failed - skipped;
  totals.failed += failed;
  totals.skipped += skipped;
  isFine &&= exitCode === 0 && tests > 0 && skipped === 0;
}

const chosen = process.argv.slice(2);
const wholeService = readdirSync('test')
  .filter((file) => file.endsWith('.test.ts') && !onceOnly.includes(file.replace('.test.ts', '')))
  .map((file) => `test/${file}`);

await run('SQLite', { TEST_FAULTS: 'short' }, chosen);
const again = chosen.length === 0 ? wholeService : wholeService.filter((file) => chosen.includes(file));
if (again.length > 0) {
  const postgres = await startPostgres();
  await run('PostgreSQL', { TEST_POSTGRES_URL: postgres.url }, again);
  await postgres.stop();
}
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(isFine ? 0 : 1);
