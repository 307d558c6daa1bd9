// Which test files run, on which engine, and in what order: the longest first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { JobResult } from './run-job.ts';

type Engine = 'SQLite' | 'PostgreSQL';

export interface Plan {
  /** All of a kind, not files that somebody named. */
  isWhole: boolean;
  isThorough: boolean;
  sqlite: string[];
  postgres: string[];
}

/** Files that run in one process, one after the other. */
export interface Job {
  engine: Engine;
  files: string[];
  seconds: number;
}

const service = (names: string) => names.split(' ').map((name) => `test/service/${name}.test.ts`);

/** Service tests run on both engines, but for these: one engine is enough until the thorough run. */
const sqliteIsEnough = service(
  'audit audit-backlog audit-log audit-pass audit-reading audit-seals bearer caller-assertions caller-clients ' +
    'callers cleaning client-authentication contract contract-fuzz documents fetch-metadata introspection item- ' +
    'fields keys limits list-languages list-model list-names list-past list-rights list-search list-selection list- ' +
    'settings list-summaries list-versions lists logout long-output lookup-files mirror own-client-key own-sessions ' +
    'person-export person-forget provider-answers provider-connections provider-faults pushed-requests refused- ' +
    'sign-ins renewal second-sign-in session-cookie started-elsewhere step-up trial validate',
);
/** Replicas, locks and transactions at the same time: what SQLite with its single writer makes easy. */
const postgresIsEnough = service(
  'audit-order caller-replicas list-writers renewal-replicas replicas short-transaction sign-ins-together',
);

/** With TEST_THOROUGH they do more of what they do: runs of the model, rounds of faults, shapes of documents. */
const longerWhenThorough = [
  'src/lookup/documents/document-reader.test.ts',
  'test/faults/faults.test.ts',
  'test/faults/rollout.test.ts',
  'test/once/packaging.test.ts',
  'test/once/pgbouncer.test.ts',
  'test/once/postgres.test.ts',
  'test/service/contract-fuzz.test.ts',
  'test/service/list-model.test.ts',
  'test/service/lookup-files.test.ts',
  'test/service/person-export.test.ts',
  'src/lookup/documents/round-trip.test.ts',
];

const quick = service('lists sign-in keeping');

export function readPlan(words: readonly string[]): Plan {
  const all = [...new Bun.Glob('{src,console,client,test}/**/*.test.ts').scanSync('.')]
    .filter((file) => !file.includes('node_modules'))
    .sort();
  const services = all.filter((file) => file.startsWith('test/service/'));
  const [mode] = words;
  if (mode === 'thorough') {
    const isLonger = (file: string) => longerWhenThorough.includes(file);
    const sqlite = all.filter((file) => postgresIsEnough.includes(file) || isLonger(file));
    const postgres = services.filter((file) => sqliteIsEnough.includes(file) || isLonger(file));
    return { isWhole: true, isThorough: true, sqlite, postgres };
  }
  if (mode === 'quick') {
    const sqlite = all.filter(
      (file) =>
        (!file.startsWith('test/') && !longerWhenThorough.includes(file)) ||
        quick.includes(file) ||
        file === 'test/once/architecture.test.ts',
    );
    return { isWhole: false, isThorough: false, sqlite, postgres: [] };
  }
  if (words.length > 0) {
    const sqlite = all.filter((file) => words.some((word) => file.includes(word)));
    if (sqlite.length === 0) throw new Error(`no test file is named ${words.join(' or ')}`);
    return { isWhole: false, isThorough: false, sqlite, postgres: sqlite.filter((file) => services.includes(file)) };
  }
  const sqlite = all.filter((file) => !postgresIsEnough.includes(file));
  const postgres = services.filter((file) => !sqliteIsEnough.includes(file));
  return { isWhole: true, isThorough: false, sqlite, postgres };
}

/** Seconds by file, of those that take two or more. */
const timingsFile = 'test/timings.json';
const shortSeconds = 0.5;
/** A process with this much to do is long enough to be worth its start, and short enough to come to an end with others. */
const jobSeconds = 30;

export function makeJobs(plan: Plan): Job[] {
  const timings = readTimings();
  const jobs = [...pack(plan.sqlite, 'SQLite', timings), ...pack(plan.postgres, 'PostgreSQL', timings)];
  return jobs.sort((a, b) => b.seconds - a.seconds);
}

function pack(files: readonly string[], engine: Engine, timings: Record<string, number>): Job[] {
  const jobs: Job[] = [];
  const secondsOf = (file: string) => timings[file] ?? shortSeconds;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const seconds = secondsOf(file);
    const job = jobs.find((each) => each.seconds + seconds <= jobSeconds);
    if (job === undefined) jobs.push({ engine, files: [file], seconds });
    else {
      job.files.push(file);
      job.seconds += seconds;
    }
  }
  return jobs;
}

function readTimings(): Record<string, number> {
  return existsSync(timingsFile) ? JSON.parse(readFileSync(timingsFile, 'utf8')) : {};
}

/** Measured anew: UPDATE_TIMINGS=1 npm test. */
export function writeTimings(results: readonly JobResult[]): void {
  const timings: Record<string, number> = {};
  for (const [file, seconds] of results.flatMap((each) => [...each.seconds]))
    timings[file] = Math.max(timings[file] ?? 0, Math.round(seconds));
  const long = Object.entries(timings).filter(([file, seconds]) => seconds >= 2 && existsSync(file));
  long.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  writeFileSync(timingsFile, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}
