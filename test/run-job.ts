// Runs test files in a separate process and collects the results.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { Job } from './plan.ts';
import { missingProgram } from './support/programs.ts';

interface Failure {
  file: string;
  line: string;
  name: string;
  /** The expected and the actual value, and where the test failed. */
  details: string;
}

export interface JobResult {
  passed: number;
  failed: Failure[];
  /** Tests that could not run because a program is missing on this machine. */
  notRun: { reason: string; count: number }[];
  /** How long each file took. */
  seconds: Map<string, number>;
  /** What the tests have printed. */
  printed: string;
}

/** Time limit for a single test; a job gets three times as long. A test that takes longer is assumed to hang. */
const longestTestMs = 600_000;

export async function runJob(job: Job, env: Record<string, string>, slot: number): Promise<JobResult> {
  const report = `test/output/report-${slot}.xml`;
  rmSync(report, { force: true });
  const options = [`--timeout=${longestTestMs}`, '--only-failures', '--reporter=junit', `--reporter-outfile=${report}`];
  const child = Bun.spawn([...bunTest, ...options, ...job.files.map((file) => `./${file}`)], {
    env: { ...process.env, NODE_ENV: 'test', ...env, BUN_TEST_WORKER_ID: String(slot) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 3 * longestTestMs,
  });
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((each) => new Response(each).text()));
  const exitCode = await child.exited;
  const cases = existsSync(report) ? readCases(readFileSync(report, 'utf8')) : [];
  const result: JobResult = { passed: 0, failed: [], notRun: [], seconds: new Map(), printed: withoutBanner(stdout) };
  for (const each of cases) {
    result.seconds.set(each.file, (result.seconds.get(each.file) ?? 0) + each.seconds);
    if (each.details === undefined) result.passed++;
  }
  const failed = cases.filter(({ details }) => details !== undefined);
  const incomplete = new Set(failed.filter(({ details = '' }) => missingProgram(details)).map(({ file }) => file));
  // The report calls hooks '(unnamed)'. If beforeAll fails because a program is missing, afterAll fails as well.
  const isHook = ({ name }: Case) => name === '(unnamed)';
  const unavailable = failed.filter(
    (each) => missingProgram(each.details ?? '') !== undefined || (isHook(each) && incomplete.has(each.file)),
  );
  result.failed = failed.filter((each) => !unavailable.includes(each)).map((each) => toFailure(each, job));
  for (const file of incomplete) {
    const first = unavailable.find((each) => each.file === file && missingProgram(each.details ?? '') !== undefined);
    // A failure before the first test is reported once for the whole file, so the tests that did not run are counted here.
    const others = cases.filter((each) => each.file === file && !unavailable.includes(each)).length;
    const reason = missingProgram(first?.details ?? '') ?? '';
    result.notRun.push({ reason, count: (await countTests(file, env)) - others });
  }
  const unloaded = job.files.filter((file) => cases.every((each) => each.file !== file));
  for (const file of unloaded) {
    const reason = missingProgram(stderr ?? '');
    if (reason !== undefined) result.notRun.push({ reason, count: 1 });
    else result.failed.push({ file, line: '0', name: 'has no result', details: stderr?.slice(-4000) ?? '' });
  }
  // The process died, or an error occurred outside of any test.
  if (exitCode !== 0 && failed.length === 0 && unloaded.length === 0) {
    const how = String(child.signalCode ?? `exit ${exitCode}`);
    result.failed.push({ file: job.files.join(' '), line: '0', name: how, details: stderr?.slice(-4000) ?? '' });
  }
  return result;
}

const bunTest = [process.execPath, '--no-env-file', 'test'];

interface Case {
  file: string;
  line: string;
  name: string;
  seconds: number;
  /** Undefined if the test passed. */
  details: string | undefined;
}

const toFailure = ({ file, line, name, details = '' }: Case, { engine }: Job): Failure => ({
  file,
  line,
  name: `${name} (${engine})`,
  details: details.slice(0, 4000).trimEnd().replaceAll(/^/gm, '    '),
});

function readCases(xml: string): Case[] {
  const cases: Case[] = [];
  for (const [, head = '', body = ''] of xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const failure = /<(failure|skipped)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/\1>)/.exec(body);
    const details = failure && (unescapeXml(failure[3] ?? '') || attribute(failure[2] ?? '', 'message') || failure[1]);
    cases.push({
      file: attribute(head, 'file'),
      line: attribute(head, 'line'),
      name: [attribute(head, 'classname'), attribute(head, 'name')].filter((part) => part !== '').join(' > '),
      seconds: Number(attribute(head, 'time')),
      details: details ?? undefined,
    });
  }
  return cases;
}

/** The attribute of an XML element, or '' if it has none. */
const attribute = (element: string, name: string) =>
  unescapeXml(new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1] ?? '');

const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n', amp: '&' };
const unescapeXml = (text: string) => text.replaceAll(/&([#\w]+);/g, (sign, name) => signs[name] ?? sign);

const withoutBanner = (stdout = '') => stdout.replace(/^bun test v.*\n/, '').trim();

/** Counts the tests of a file without running any. */
async function countTests(file: string, env: Record<string, string>): Promise<number> {
  const child = Bun.spawn([...bunTest, '--test-name-pattern', '$^', `./${file}`], {
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const text = await new Response(child.stderr).text();
  return Number(/skipping (\d+) tests?/.exec(text)?.[1] ?? 1);
}
