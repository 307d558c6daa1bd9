// Runs every test and ends with one line that counts them.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const report = 'test/output/junit.xml';
mkdirSync('test/output', { recursive: true });
rmSync(report, { force: true });

const { exited } = Bun.spawn(
  [
    process.execPath,
    '--no-env-file',
    'test',
    '--timeout=30000',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...process.argv.slice(2),
  ],
  { stdout: 'inherit', stderr: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
);
const exitCode = await exited;

const totals = existsSync(report) ? (/<testsuites [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '') : '';
const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
const [tests, failed, skipped] = [count('tests'), count('failures') + count('errors'), count('skipped')];
process.stdout.write(`\n${tests - failed - skipped} passed, ${failed} failed\n`);
process.exit(exitCode === 0 && tests > 0 && skipped === 0 ? 0 : 1);
