// npm run bench -- guard: checks whether a list request costs more than in the last release. Compares Frontdesk with
// the smallest server that gives the same guarantees: it alternates between the two every second, and measures the time
// from the start of one handler to the start of the next. Also measures startup time, memory and the number of modules.
// The reference is bench/reference.json, which `npm run bench -- guard release` writes for each release.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json';
import { bearer } from '../test/support/frontdesk.ts';
import { root } from '../test/support/process.ts';
import { clone, type Peer, type Running, smallest, start } from './field.ts';
import type { Figures } from './load/handler-times.ts';
import { load } from './load/load.ts';
import { quantile } from './report.ts';
import { prepare, type Setup } from './setup.ts';

const turns = 15;
const list = '/employee/position';
const referenceFile = join(root, 'bench/reference.json');

interface Measured {
  /** Time of a request on the smallest server, divided by the time on Frontdesk. */
  list: number;
  modules: number;
  heapMiB: number;
  /** Memory after 100,000 requests. */
  loadedMiB: number;
  startSeconds: number;
  idleMiB: number;
}

/**
 * How much worse than the reference each figure may be. Startup time and idle memory vary with the machine, and are
 * only printed.
 */
const allowed = { list: -0.02, modules: 5, heapMiB: 1, loadedMiB: 10 };

async function startMeasured(peer: Peer, setup: Setup) {
  const file = join(setup.folder, `${peer.kind}-figures.json`);
  const [bun = '', ...rest] = peer.command;
  const command = [bun, `--preload=${join(root, 'bench/load/handler-times.ts')}`, ...rest];
  const running = await start({ ...peer, command }, setup, { FIGURES_FILE: file });
  async function figures(): Promise<Figures> {
    rmSync(file, { force: true });
    running.signal('SIGUSR2');
    while (!existsSync(file)) await Bun.sleep(5);
    return JSON.parse(readFileSync(file, 'utf8'));
  }
  return { ...running, figures };
}

async function measureOnce(setup: Setup): Promise<Measured> {
  await using stack = new AsyncDisposableStack();
  const ours = await startMeasured(clone, setup);
  stack.defer(ours.stop);
  const idleMiB = ours.residentMiB();
  const { modules, heapMiB } = await ours.figures();
  const theirs = await startMeasured(smallest, setup);
  stack.defer(theirs.stop);
  const headers = bearer(setup.token);
  const second = async (server: Running & { figures(): Promise<Figures> }) => {
    await server.figures();
    await load(server.url + list, { headers, seconds: 1 });
    return (await server.figures()).microseconds;
  };
  for (let sent = 0; sent < 100_000; ) sent += await load(ours.url + list, { headers, seconds: 1 });
  const loadedMiB = ours.residentMiB();
  await load(theirs.url + list, { headers, seconds: 3 });
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) times[index]?.push(await second(index === 0 ? ours : theirs));
  }
  // The lower quartile stands for the seconds in which the machine had little other load.
  const [own = Number.NaN, least = Number.NaN] = times.map((each) => quantile(each, 0.25));
  return {
    list: least / own,
    modules,
    heapMiB,
    loadedMiB,
    startSeconds: ours.startSeconds,
    idleMiB,
  };
}

await using stack = new AsyncDisposableStack();
const setup = await prepare();
stack.defer(setup.close);

const isRelease = process.argv.includes('release');
const reference: (Measured & { version: string }) | undefined = existsSync(referenceFile)
  ? JSON.parse(readFileSync(referenceFile, 'utf8'))
  : undefined;

/** The names of the figures that are worse than the reference allows. */
function worseOnes(measured: Measured): string[] {
  if (reference === undefined || isRelease) return [];
  const names = Object.keys(allowed) as (keyof typeof allowed)[];
  return names.filter((name) =>
    name === 'list' ? measured.list < reference.list + allowed.list : measured[name] > reference[name] + allowed[name],
  );
}

function show(measured: Measured): void {
  for (const [name, value] of Object.entries(measured)) {
    const before = reference?.[name as keyof Measured];
    const compared = before === undefined ? '' : `  ${reference?.version} had ${before.toFixed(3)}`;
    process.stdout.write(`${name.padEnd(14)}${value.toFixed(3).padStart(9)}${compared}\n`);
  }
}

let measured = await measureOnce(setup);
show(measured);
// A figure that is worse three times in a row is not noise.
for (let repeats = 0; repeats < 2 && worseOnes(measured).length > 0; repeats++) {
  process.stdout.write('\nagain\n');
  measured = await measureOnce(setup);
  show(measured);
}
if (isRelease) {
  const all = [measured, await measureOnce(setup), await measureOnce(setup)];
  writeFileSync(referenceFile, `${JSON.stringify({ version: packageJson.version, ...medians(all) }, null, 2)}\n`);
}
const worse = worseOnes(measured);
process.stdout.write(worse.length === 0 ? '\nas good as the reference\n' : `\nWORSE: ${worse.join(', ')}\n`);
await stack.disposeAsync();
process.exit(worse.length === 0 ? 0 : 1);

/** One measurement may be far off, and every later version is compared with the reference. */
function medians(all: readonly Measured[]): object {
  const names = Object.keys(measured) as (keyof Measured)[];
  const median = (name: keyof Measured) =>
    quantile(
      all.map((each) => each[name]),
      0.5,
    );
  return Object.fromEntries(names.map((name) => [name, Number(median(name).toFixed(3))]));
}
