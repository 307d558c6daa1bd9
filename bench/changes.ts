// npm run bench -- changes: renames 50,000 items in one `lookups apply`, then changes this list 70 times in a row, on
// both engines (-- 5000 70 postgres: other numbers, on PostgreSQL only). Prints how long this takes, how long sign-ins
// and list requests wait meanwhile, and the memory used. If the folder of a second clone is given (-- 50000 5 postgres
// CLONE), compares the two clones instead: each applies 50,000 renames five times, in turn, without other load.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { bearer, makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { command, executable, fromSource } from '../test/support/process.ts';
import { type Cluster, secretKey, startCluster } from '../test/support/replicas.ts';
import { until } from '../test/support/waiting.ts';
import { quantile } from './report.ts';

const items = Number(process.argv[2] ?? 50_000);
const changes = Number(process.argv[3] ?? 70);
const engine = process.argv[4];
const otherClone = process.argv[5];

/** Repeats `act` until the returned function is called. That function returns how long each repetition took. */
function repeat(act: () => Promise<number>, pauseMs: number): () => Promise<number[]> {
  let isOver = false;
  const times: number[] = [];
  const loop = (async () => {
    while (!isOver) {
      times.push(await act());
      await Bun.sleep(pauseMs);
    }
  })();
  return async () => {
    isOver = true;
    await loop;
    return times;
  };
}

async function timed(request: () => Promise<Response>): Promise<number> {
  const begin = performance.now();
  const response = await request();
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status} ${new URL(response.url).pathname}`);
  return performance.now() - begin;
}

/** Runs `act` under other load: a list request every 5 ms, and sign-ins one after the other. */
async function beside(cluster: Cluster, what: string, act: () => Promise<string>): Promise<void> {
  const [replica] = cluster.replicas;
  const headers = bearer(cluster.token);
  const lists = repeat(() => timed(() => fetch(`${replica?.url}/employee/position`, { headers })), 5);
  const signIns = repeat(async () => {
    const path = await cluster.callback('E-1003');
    return timed(() => fetch(`${replica?.url}${path}`));
  }, 20);
  const begin = performance.now();
  const said = await act();
  const took = performance.now() - begin;
  const show = (times: number[]) =>
    `${times.length.toString().padStart(6)} of ${[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1)).join(', ')}`;
  print(`  ${what}: ${(took / 1000).toFixed(2)} s${said}, load ${loadavg()[0]?.toFixed(1)}`);
  print(`    lists, ms: median, p99, longest     ${show(await lists())}`);
  print(`    sign-ins, ms: median, p99, longest  ${show(await signIns())}`);
}

function writeItems(folder: string, label: string): string {
  const file = join(folder, 'grades.csv');
  const rows = Array.from({ length: items }, (_, index) => `grade,G${index},${label} ${index}`);
  writeFileSync(file, ['list,value,label', ...rows].join('\n'));
  return file;
}

async function applyFile(version: readonly string[], file: string, databaseUrl: string) {
  const begin = performance.now();
  const { PATH = '' } = process.env;
  const child = Bun.spawn([...version, 'lookups', 'apply', file], {
    cwd: dirname(file),
    env: { PATH, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error('lookups apply failed');
  const usage = child.resourceUsage();
  return {
    ms: performance.now() - begin,
    cpuMs: Number(usage?.cpuTime.total ?? 0) / 1000,
    peakMiB: (usage?.maxRSS ?? 0) / 2 ** 20,
  };
}

/** Keeps a core busy, and PostgreSQL for about half of the time, as a change of a long list does. */
async function keepBusy(databaseUrl: string, ms: number): Promise<void> {
  const end = Date.now() + ms;
  const work = `let list = []; while (Date.now() < ${end}) list = list.length < 200_000 ? [...list, ...Array(1000).fill({})] : [];`;
  const program = Bun.spawn([process.execPath, '-e', work]);
  if (databaseUrl.startsWith('postgres')) {
    const client = new Client(databaseUrl);
    await client.connect();
    while (Date.now() < end) {
      await client.query('select count(*) from generate_series(1, 200000)');
      await Bun.sleep(30);
    }
    await client.end();
  }
  await program.exited;
}

/** Compares the other clone with this one, from source and as the executable, each on a database that it has created. */
async function compareWith(clone: string, createDatabase: () => Promise<string>): Promise<void> {
  const versions: [string, readonly string[]][] = [
    ['other clone', ['bun', '--no-env-file', join(clone, 'src/main.ts')]],
    ['from source', fromSource],
    ['executable', [executable()]],
  ];
  const folder = makeFolder();
  const runs: { name: string; version: readonly string[]; url: string; times: number[] }[] = [];
  for (const [name, version] of versions) {
    const url = await createDatabase();
    await (await startCluster({ count: 1, databaseUrls: [url], command: version })).stop();
    await applyFile(version, writeItems(folder, 'Grade'), url);
    runs.push({ name, version, url, times: [] });
  }
  for (let turn = 1; turn <= changes; turn++) {
    const file = writeItems(folder, `Level ${turn}`);
    for (const { version, url, times } of runs) times.push((await applyFile(version, file, url)).ms / 1000);
  }
  const sum = (times: readonly number[]) => times.reduce((all, each) => all + each, 0);
  const [other] = runs;
  for (const { name, times } of runs) {
    const ratio = sum(other?.times ?? []) / sum(times);
    print(`${name.padEnd(12)} ${times.map((each) => each.toFixed(2)).join(', ')} s: ${ratio.toFixed(2)} times as fast`);
  }
}

async function measure(name: string, databaseUrl: string): Promise<void> {
  print(`${name}: ${items} items`);
  const cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl] });
  const [replica] = cluster.replicas;
  const etag = async () => {
    const { headers } = await fetch(`${replica?.url}/employee/grade`, {
      method: 'HEAD',
      headers: bearer(cluster.token),
    });
    return headers.get('etag');
  };
  /** Measures until the service serves the new version. */
  const apply = async (what: string, label: string) => {
    const file = writeItems(cluster.folder, label);
    const before = await etag();
    await beside(cluster, what, async () => {
      const { ms, cpuMs, peakMiB } = await applyFile(command, file, databaseUrl);
      const begin = performance.now();
      await until(async () => (await etag()) !== before);
      return (
        `: the command ${(ms / 1000).toFixed(2)} s and ${(cpuMs / 1000).toFixed(2)} s of processor time, ` +
        `peak memory ${peakMiB.toFixed(0)} MiB; served ${(performance.now() - begin).toFixed(0)} ms later`
      );
    });
  };
  await beside(cluster, 'nothing', () => Bun.sleep(3000).then(() => ''));
  await beside(cluster, 'an unrelated program', () => keepBusy(databaseUrl, 6000).then(() => ''));
  await apply('added in one apply', 'Grade');
  await apply('renamed in one apply', 'Level');
  await apply('renamed in one apply', 'Rank');

  const memory = () => {
    const status = readFileSync(`/proc/${replica?.pid()}/status`, 'utf8');
    const read = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), most: read('VmHWM') };
  };
  const before = memory();
  // Resets the peak memory: proc(5).
  writeFileSync(`/proc/${replica?.pid()}/clear_refs`, '5');
  await beside(cluster, `one item changed ${changes} times in a row`, async () => {
    const headers = { ...bearer(cluster.token), 'content-type': 'application/json' };
    for (let turn = 0; turn < changes; turn++) {
      const version = 3 + turn;
      const change = { method: 'PATCH', headers: { ...headers, 'if-match': `"${version}"` } };
      const body = JSON.stringify({ label: `Changed ${turn}` });
      await timed(() => fetch(`${replica?.url}/admin/lookups/grade/items/G7`, { ...change, body }));
      // Reading the list makes the service prepare each version.
      const read = { ...bearer(cluster.token), 'accept-encoding': 'gzip' };
      await timed(() => fetch(`${replica?.url}/employee/grade`, { headers: read }));
    }
    return '';
  });
  const after = memory();
  await Bun.sleep(5000);
  const show = (value: number) => `${value.toFixed(0)} MiB`;
  print(
    `    memory ${show(before.now)} before (peak ${show(before.most)}), ` +
      `${show(after.now)} after, ${show(memory().now)} 5 s later, peak ${show(after.most)}`,
  );
  await cluster.stop();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const createFile = async () => `sqlite:${join(makeFolder(), 'frontdesk.db')}`;
const measureOn = async (name: string, createDatabase: () => Promise<string>) =>
  otherClone === undefined ? measure(name, await createDatabase()) : compareWith(otherClone, createDatabase);

if (engine !== 'postgres') await measureOn('SQLite', createFile);
if (engine !== 'sqlite') {
  const postgres = await startPostgres();
  await measureOn('PostgreSQL', () => postgres.createDatabase());
  await postgres.stop();
}
process.exit(0);
