// npm run bench:changes: 50,000 renames in one `lookups apply`, and 70 changes in a row of that list, on both engines
// (-- 5000 70 postgres for other numbers, on one). How long they take, what sign-ins and lists wait for meanwhile, and memory.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { bearer, makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { command } from '../test/support/process.ts';
import { type Cluster, secretKey, startCluster } from '../test/support/replicas.ts';
import { quantile } from './report.ts';

const items = Number(process.argv[2] ?? 50_000);
const changes = Number(process.argv[3] ?? 70);
const engine = process.argv[4];

/** How long each of these took, until it is stopped. */
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

/** Others beside what is done: a list request every 5 ms, and sign-ins one after the other. */
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

async function measure(name: string, databaseUrl: string): Promise<void> {
  print(`${name}: ${items} items`);
  const cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl] });
  const [replica] = cluster.replicas;
  const file = join(cluster.folder, 'grades.csv');
  const apply = async (label: string) => {
    const rows = Array.from({ length: items }, (_, index) => `grade,G${index},${label} ${index}`);
    writeFileSync(file, ['list,value,label', ...rows].join('\n'));
    const { PATH = '' } = process.env;
    const child = Bun.spawn([...command, 'lookups', 'apply', file], {
      cwd: cluster.folder,
      env: { PATH, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
      stdout: 'ignore',
      stderr: 'inherit',
    });
    if ((await child.exited) !== 0) throw new Error('lookups apply failed');
    return `, ${(Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6).toFixed(2)} s of processor time`;
  };
  await beside(cluster, 'nothing', () => Bun.sleep(3000).then(() => ''));
  await beside(cluster, 'added in one apply', () => apply('Grade'));
  await beside(cluster, 'renamed in one apply', () => apply('Level'));
  await beside(cluster, 'renamed in one apply', () => apply('Rank'));

  const memory = () => {
    const status = readFileSync(`/proc/${replica?.pid()}/status`, 'utf8');
    const read = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), most: read('VmHWM') };
  };
  const before = memory();
  // The most counts from here on: proc(5).
  writeFileSync(`/proc/${replica?.pid()}/clear_refs`, '5');
  await beside(cluster, `${changes} changes in a row of one item`, async () => {
    const headers = { ...bearer(cluster.token), 'content-type': 'application/json' };
    for (let turn = 0; turn < changes; turn++) {
      const version = 3 + turn;
      const change = { method: 'PATCH', headers: { ...headers, 'if-match': `"${version}"` } };
      const body = JSON.stringify({ label: `Changed ${turn}` });
      await timed(() => fetch(`${replica?.url}/admin/lookups/grade/items/G7`, { ...change, body }));
      // Whoever reads it has each version prepared.
      const read = { ...bearer(cluster.token), 'accept-encoding': 'gzip' };
      await timed(() => fetch(`${replica?.url}/employee/grade`, { headers: read }));
    }
    return '';
  });
  const after = memory();
  await Bun.sleep(5000);
  const show = (value: number) => `${value.toFixed(0)} MiB`;
  print(
    `    memory ${show(before.now)} before (${show(before.most)} at most), ` +
      `${show(after.now)} after, ${show(memory().now)} 5 s later, ${show(after.most)} at most`,
  );
  await cluster.stop();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (engine !== 'postgres') await measure('SQLite', `sqlite:${join(makeFolder(), 'frontdesk.db')}`);
if (engine !== 'sqlite') {
  const postgres = await startPostgres();
  await measure('PostgreSQL', await postgres.createDatabase());
  await postgres.stop();
}
process.exit(0);
