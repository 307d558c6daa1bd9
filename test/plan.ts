// Which test files run, on which engine, and in what order: the longest first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

type Engine = 'SQLite' | 'PostgreSQL';

export interface Plan {
  /** True for `npm test` and the thorough run; false for the quick run and for runs of named files. */
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

/**
 * Tests of what differs between the engines. All other service tests run on SQLite, and on PostgreSQL only in the thorough
 * run.
 */
const onBothEngines = service(
  'audit-owner audit-pass audit-retention cleaning database forget-and-prove keeping list-history list-migration sign-in storage storage-faults value-history',
);
/**
 * Tests of replicas, locks and concurrent transactions. They run on PostgreSQL. On SQLite, where a single writer makes them
 * easy to pass, they run only in the thorough run.
 */
const onPostgres = service(
  'audit-order caller-replicas list-writers renewal-replicas replicas short-transaction sign-ins-together',
);

/** Files that do more in the thorough run: more runs of the model, more rounds of faults, or more shapes of documents. */
const longerWhenThorough = [
  'src/lookup/documents/document-reader.test.ts',
  'test/faults/faults.test.ts',
  'test/once/pgbouncer.test.ts',
  'test/once/postgres.test.ts',
  'test/service/contract-fuzz.test.ts',
  'test/service/list-model.test.ts',
  'test/service/lookup-files.test.ts',
  'src/lookup/documents/round-trip.test.ts',
];

/** Tests that matter for a release: the image's files, generated clients, an upgrade to the next version. */
const onlyWhenThorough = [
  'test/faults/rollout.test.ts',
  'test/once/generated-clients.test.ts',
  'test/once/packaging.test.ts',
];

const isLeftOut = (file: string) => onPostgres.includes(file) || onlyWhenThorough.includes(file);

const quick = service('lists sign-in keeping');

export function readPlan(words: readonly string[]): Plan {
  const all = [...new Bun.Glob('{src,console,client,test}/**/*.test.ts').scanSync('.')]
    .filter((file) => !file.includes('node_modules'))
    .sort();
  const services = all.filter((file) => file.startsWith('test/service/'));
  const [mode] = words;
  if (mode === 'thorough') {
    const isLonger = (file: string) => longerWhenThorough.includes(file);
    const sqlite = all.filter((file) => isLeftOut(file) || isLonger(file));
    const postgres = services.filter(
      (file) => !(onBothEngines.includes(file) || onPostgres.includes(file)) || isLonger(file),
    );
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
  const sqlite = all.filter((file) => !isLeftOut(file));
  const postgres = [...onBothEngines, ...onPostgres];
  return { isWhole: true, isThorough: false, sqlite, postgres };
}

/** Contains the duration, in seconds, of each test file that takes two seconds or more. */
const timingsFile = 'test/timings.json';
const shortSeconds = 0.5;
/**
 * The longest duration of a job: long enough to be worth starting a process and a browser, and short enough that all processes
 * end at about the same time. The limit is lower in the thorough run, where files take longer than measured and use no
 * browser. `part` is for the quick run and for runs of named files.
 */
const jobSeconds = { whole: 90, thorough: 30, part: 12 };

export function makeJobs(plan: Plan): Job[] {
  const timings = readTimings();
  const most = jobSeconds[plan.isThorough ? 'thorough' : plan.isWhole ? 'whole' : 'part'];
  const jobs = [...pack(plan.sqlite, 'SQLite', timings, most), ...pack(plan.postgres, 'PostgreSQL', timings, most)];
  return jobs.sort((a, b) => b.seconds - a.seconds);
}

function pack(files: readonly string[], engine: Engine, timings: Record<string, number>, most: number): Job[] {
  const jobs: Job[] = [];
  const secondsOf = (file: string) => timings[file] ?? shortSeconds;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const seconds = secondsOf(file);
    const job = jobs.find((each) => each.seconds + seconds <= most);
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

/** Called by `UPDATE_TIMINGS=1 npm test`, which measures every file again. */
export function writeTimings(results: readonly { seconds: ReadonlyMap<string, number> }[]): void {
  const timings: Record<string, number> = {};
  for (const [file, seconds] of results.flatMap((each) => [...each.seconds]))
    timings[file] = Math.max(timings[file] ?? 0, Math.round(seconds));
  const long = Object.entries(timings).filter(([file, seconds]) => seconds >= 2 && existsSync(file));
  long.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  writeFileSync(timingsFile, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}
