// Turns the measured values into tables and the text of a results file, and checks the required ratios.
import { cpus, release, totalmem } from 'node:os';
import packageJson from '../package.json';
import { clone, executable, go, goRemembering, nest, nginx, nginxFile, type Peer, smallest } from './field.ts';
import { node } from './load/load.ts';
import benchPackage from './package.json';

export class Results {
  readonly rounds: number;
  readonly values: Record<string, Record<string, number[]>> = {};

  constructor(rounds: number) {
    this.rounds = rounds;
  }

  record(name: string, what: string, value: number): void {
    this.values[name] ??= {};
    this.values[name][what] ??= [];
    this.values[name][what].push(value);
  }

  all(name: string, what: string): number[] {
    return this.values[name]?.[what] ?? [];
  }

  latest(name: string, what: string): number {
    return this.all(name, what).at(-1) ?? Number.NaN;
  }

  median(name: string, what: string): number {
    return quantile(this.all(name, what), 0.5);
  }
}

/** Returns the mean of two values if the quantile lies between them. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
  return (low + high) / 2;
}

interface Bar {
  what: string;
  ratio: number;
  relation: 'at least' | 'at most';
  bar: number;
}

interface Circumstances {
  rate: number;
  loadTool: string;
}

export function write(results: Results, field: readonly Peer[], { rate, loadTool }: Circumstances) {
  const team = field.filter(({ kind }) => kind === 'team').map(({ name }) => name);
  const desk = executable.name;

  /**
   * The median ratio of values that were measured right after each other. They are compared in pairs, because the speed
   * of a shared machine changes from minute to minute.
   */
  const ratio = (of: number[], to: number[]) =>
    quantile(
      of.map((value, index) => value / (to[index] ?? Number.NaN)),
      0.5,
    );
  const one = (name: string, what: string) => results.all(name, what);
  const most = (what: string) =>
    Array.from({ length: results.rounds }, (_, round) => Math.max(...team.map((name) => one(name, what)[round] ?? 0)));
  const least = (what: string) =>
    Array.from({ length: results.rounds }, (_, round) => Math.min(...team.map((name) => one(name, what)[round] ?? 0)));

  const bars: Bar[] = [
    // Decision 39 gives the reasons for these three limits, and for the limit of a start from a clone.
    ...beside(smallest.name, 0.93),
    ...beside(goRemembering, 1.35),
    ...beside(nginxFile, 0.8),
    bar('a list beside the best of the four', one(desk, 'list /s'), most('list /s'), 10),
    bar('304 beside 200', one(desk, '304 /s'), one(desk, '200 /s'), 1),
    bar('10,000 different tokens beside one', one(desk, '10,000 tokens /s'), one(desk, '200 /s'), 0.7),
    bar('/auth/me beside the best of the four', one(desk, 'me /s'), most('me /s'), 3),
    bar(
      '/auth/me, 10,000 people in turn, beside the best',
      one(desk, 'me of many beside the best /s'),
      one(desk, 'me of many beside the best /s, other'),
      3,
    ),
    bar('start beside NestJS', one(desk, 'start s'), one(nest, 'start s'), 0.5, 'at most'),
    bar('start from a clone beside NestJS', one(clone.name, 'start s'), one(nest, 'start s'), 0.6, 'at most'),
    bar('memory under load beside the smallest', one(desk, 'loaded MiB'), least('loaded MiB'), 1, 'at most'),
    bar('memory from a clone beside the smallest', one(clone.name, 'loaded MiB'), least('loaded MiB'), 1, 'at most'),
    bar(`p99 at ${rate}/s beside the quickest`, one(desk, 'p99 ms'), least('p99 ms'), 1, 'at most'),
  ];
  /** Empty if the other server is not installed. */
  function beside(name: string, limit: number): Bar[] {
    const [ours, theirs] = [one(desk, `beside ${name} /s`), one(desk, `beside ${name} /s, other`)];
    return ours.length === 0 ? [] : [bar(`a list beside ${name}`, ours, theirs, limit)];
  }
  function bar(what: string, of: number[], to: number[], limit: number, relation: Bar['relation'] = 'at least'): Bar {
    return { what, ratio: ratio(of, to), relation, bar: limit };
  }

  const columns = {
    'list /s': 'list /s',
    'me /s': 'me /s',
    'many me /s': 'me, 10,000 people /s',
    'start s': 'start s',
    'idle MiB': 'idle MiB',
    'loaded MiB': 'loaded MiB',
    'end MiB': 'in the end MiB',
    'p99 ms': 'p99 ms',
  };
  const cell = (value: number) => (Number.isNaN(value) ? '' : readable(value)).padStart(11);
  const lines = [
    `${`medians of ${results.rounds} rounds`.padEnd(36)}${Object.keys(columns)
      .map((title) => title.padStart(11))
      .join('')}`,
    ...field.map(({ name }) => {
      const cells = Object.values(columns).map((what) => cell(results.median(name, what)));
      return name.padEnd(36) + cells.join('');
    }),
    '',
    'Frontdesk',
    ...['200 /s', '304 /s', 'gzip /s', '10,000 tokens /s'].map(
      (what) => `  ${what.padEnd(45)}${cell(results.median(desk, what))}`,
    ),
    ...Object.keys(results.values.more ?? {}).map(
      (what) => `  ${what.padEnd(45)}${cell(results.median('more', what))}`,
    ),
    '',
    ...bars.map(({ what, ratio: value, relation, bar: limit }) => {
      const isMet = relation === 'at least' ? value >= limit : value <= limit;
      return `${isMet ? 'met   ' : 'MISSED'} ${what.padEnd(54)}${value.toFixed(2).padStart(7)}  ${relation} ${limit}`;
    }),
    '',
  ];
  return { text: lines.join('\n'), json: `${JSON.stringify(asFile(), null, 2)}\n` };

  function asFile() {
    const rounded = Object.entries(results.values).map(([name, values]) => [
      name,
      Object.fromEntries(
        Object.entries(values).map(([what, numbers]) => [what, numbers.map((n) => Number(readable(n)))]),
      ),
    ]);
    return {
      at: new Date().toISOString(),
      machine: {
        processor: cpus()[0]?.model,
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
        kernel: release(),
      },
      load: loadTool,
      rounds: results.rounds,
      versions: {
        frontdesk: packageJson.version,
        bun: Bun.version,
        node: versionOf([node, '--version']),
        ...(go !== null && { go: versionOf([go, 'version']) }),
        ...(nginx !== null && { nginx: versionOf([nginx, '-v']) }),
        ...benchPackage.dependencies,
      },
      bars,
      results: Object.fromEntries(rounded),
    };
  }
}

function versionOf(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command);
  return `${stdout}${stderr}`.trim();
}

function readable(value: number): string {
  return value.toFixed(value < 10 ? 3 : value < 1000 ? 1 : 0);
}
