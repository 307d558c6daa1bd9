// npm run bench:workers: one process against two on the same port, in one run. The load shares the cores with what it
// measures, so the last path is one where its share is small: a list of 10,000 items, put together anew each time.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, makeFolder } from '../test/support/frontdesk.ts';
import { findOrInstall } from '../test/support/programs.ts';
import { startCluster } from '../test/support/replicas.ts';

const wrk = findOrInstall(['wrk'], 'wrk');
const seconds = 5;
const rounds = 3;
const folder = makeFolder();

/** More days than are remembered, so that none is. */
const manyDays = join(folder, 'days.lua');
writeFileSync(
  manyDays,
  `local n = 0
request = function()
  n = n + 1
  return wrk.format("GET", string.format("/employee/grade?asOf=20%02d-%02d-%02d", 30 + n % 60, 1 + n % 12, 1 + n % 28))
end`,
);

const paths = [
  { name: 'a list', path: '/employee/position', script: [] },
  { name: '/auth/me', path: '/auth/me', script: [] },
  { name: '10,000 items as of a day', path: '/employee/grade', script: ['-s', manyDays] },
];

/** Processor time of these processes so far, in seconds. */
function processorTime(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / 100;
}

function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync([findOrInstall(['ps'], 'procps'), '-o', 'pid=', '--ppid', String(pid)]);
  return stdout.toString().trim().split(/\s+/).filter(Boolean).map(Number);
}

/** A list of 10,000 items, in parts that fit into a request. */
async function addLongList(url: string, token: string): Promise<void> {
  for (let start = 0; start < 10_000; start += 2500) {
    const rows = Array.from({ length: 2500 }, (_, index) => `grade,G${start + index},Grade ${start + index}`);
    const init = { method: 'POST', headers: { ...bearer(token), 'content-type': 'text/csv' } };
    const response = await fetch(`${url}/admin/lookups/apply`, {
      ...init,
      body: ['list,value,label', ...rows].join('\n'),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}

async function measure(workers: number, { path, script }: (typeof paths)[number]) {
  const databaseUrls = [`sqlite:${join(makeFolder(), 'frontdesk.db')}`];
  const cluster = await startCluster({ count: 1, databaseUrls, env: { WORKERS: String(workers) } });
  const [replica] = cluster.replicas;
  if (replica === undefined) throw new Error('no replica');
  if (script.length > 0) {
    await addLongList(replica.url, cluster.token);
    // Until the other worker has it, too.
    await Bun.sleep(2000);
  }
  const pids = workers === 1 ? [replica.pid()] : childrenOf(replica.pid());
  const load = (time: number) => {
    const address = replica.url.replace('localhost', '127.0.0.1') + path;
    const header = `Authorization: ${bearer(cluster.token).authorization}`;
    return Bun.spawnSync([wrk, '-t1', '-c64', `-d${time}s`, ...script, '-H', header, address]).stdout.toString();
  };
  load(1);
  const before = processorTime(pids);
  const output = load(seconds);
  const used = processorTime(pids) - before;
  await cluster.stop();
  if (output.includes('Non-2xx')) throw new Error(output);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  return { perSecond, cores: used / seconds };
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

process.stdout.write('                            one worker        two workers       ratio\n');
for (const each of paths) {
  const results: Record<number, Awaited<ReturnType<typeof measure>>[]> = { 1: [], 2: [] };
  for (let round = 0; round < rounds; round++) {
    for (const workers of [1, 2]) results[workers]?.push(await measure(workers, each));
  }
  const perSecond = (workers: number) => median((results[workers] ?? []).map((result) => result.perSecond));
  const cores = (workers: number) => median((results[workers] ?? []).map((result) => result.cores));
  const cell = (workers: number) =>
    `${perSecond(workers).toFixed(0).padStart(6)}/s ${cores(workers).toFixed(2)} cores`.padEnd(19);
  process.stdout.write(`${each.name.padEnd(26)}${cell(1)}${cell(2)}${(perSecond(2) / perSecond(1)).toFixed(2)}\n`);
}
process.exit(0);
