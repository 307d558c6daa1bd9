// npm run bench -- selections: compares answers that are computed on request with the plain list, in one run and with
// 10,000 items. Measures each kind of answer when it is first requested, and when it comes from the cache. Then
// measures how long other requests wait, with a list of 50,000 items. Uses SQLite, which runs in the same thread as the
// service.
import { Database } from 'bun:sqlite';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { bearer } from '../test/support/frontdesk.ts';
import { runToEnd } from '../test/support/process.ts';
import { startCluster } from '../test/support/replicas.ts';
import { askAtRate } from './load/load.ts';
import { quantile } from './report.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const countries = ['AT', 'CH', 'DE', 'FR', 'JP'];
const daysOfHistory = 200;
const versionsOfDay = 10;

await using stack = new AsyncDisposableStack();
const cluster = await startCluster({ count: 1, databaseUrls: ['sqlite:bench.db'] });
stack.defer(cluster.stop);
const [replica] = cluster.replicas;
if (replica === undefined) throw new Error('there is no replica');
await replica.stop();
await addLists();
addHistory('grade');
await replica.start();
const { url } = replica;
const headers = bearer(cluster.token);

/** Adds a short list, and two long lists whose items have every field. */
async function addLists(): Promise<void> {
  const itemAt = (_: unknown, index: number) => ({
    value: `G${index}`,
    label: `Grade ${index % 977} of unit ${index}`,
    labels: { de: `Stufe ${index}` },
    codes: { workday: `W-${index}` },
    tags: [`t${index % 10}`, 'all'],
    description: `About ${index}`,
    parents: index % 2 === 0 ? {} : { country: [countries[index % countries.length]] },
  });
  const lists = {
    country: { items: countries.map((value) => ({ value, label: value })) },
    grade: { items: Array.from({ length: 10_000 }, itemAt) },
    long: { items: Array.from({ length: 50_000 }, itemAt) },
  };
  writeFileSync(join(cluster.folder, 'lists.json'), JSON.stringify({ lists }));
  const env = { DATABASE_URL: 'sqlite:bench.db', SECRET_KEY: 'shared by all replicas, long enough' };
  const { exitCode, stderr } = await runToEnd(['lookups', 'apply', 'lists.json'], env, cluster.folder);
  if (exitCode !== 0) throw new Error(stderr);
}

/** Adds a history as if the list had been changed ten times on each of the last 200 days. */
function addHistory(list: string): void {
  using database = new Database(join(cluster.folder, 'bench.db'));
  const dayAt = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  // The history is append-only, so its trigger is dropped here.
  database.run('drop trigger lookup_history_no_update');
  database.run('update lookup_history set at = ? where list = ?', [dayAt(daysOfHistory + 1), list]);
  const [{ seq }] = database.query('select max(seq) as seq from lookup_history').all() as [{ seq: number }];
  const items = database.query("select value, after from lookup_change where list = ? and value <> ''").all(list) as {
    value: string;
    after: string;
  }[];
  const addVersion = database.prepare(
    "insert into lookup_history (seq, list, version, at, by, change_count, change_hash) values (?, ?, ?, ?, 'bench', 1, '')",
  );
  const addChange = database.prepare(
    'insert into lookup_change (list, version, nth, value, moved, after) values (?, ?, 1, ?, 0, ?)',
  );
  const versions = daysOfHistory * versionsOfDay;
  database.transaction(() => {
    for (let count = 0; count < versions; count++) {
      const { value, after } = items[count % items.length] ?? { value: '', after: '{}' };
      const at = dayAt(daysOfHistory - Math.floor(count / versionsOfDay));
      addVersion.run(seq + 1 + count, list, 2 + count, at);
      addChange.run(list, 2 + count, value, JSON.stringify({ ...JSON.parse(after), label: `Was ${count}` }));
    }
    database.run('update lookup_list set version = ? where name = ?', [1 + versions, list]);
  })();
}

async function ask(path: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path, {
    headers: { ...headers, 'accept-encoding': 'identity', 'accept-language': 'en' },
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return performance.now() - began;
}

/** Invalidates everything that was computed from the list. */
async function changeOne(list: string, number: number): Promise<void> {
  const current = await fetch(`${url}/admin/lookups`, { headers });
  const summaries = (await current.json()) as { list: string; version: number }[];
  const version = summaries.find((each) => each.list === list)?.version;
  const response = await fetch(`${url}/admin/lookups/${list}/items/G1`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': `"${version}"` },
    body: JSON.stringify({ label: `Changed ${number}` }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const ways: Record<string, string> = {
  'where=country:DE': '?where=country:DE',
  'q=97&tag=t7': '?q=97&tag=t7',
  'q that finds everything': '?q=unit',
  'asOf, 100 days ago': `?asOf=${dayBefore(100)}`,
  'asOf, the day before': `?asOf=${dayBefore(101)}`,
  'asOf, in a month': `?asOf=${dayBefore(-30)}`,
  'all fields': '?fields=codes,tags,description,parents',
  'all fields, limit=100': '?fields=codes,tags,description,parents&limit=100',
};
const plain: number[] = [];
const first = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
const kept = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
// The first round compiles the code and is not counted.
for (let round = 0; round <= rounds; round++) {
  await changeOne('grade', round);
  for (const [name, query] of Object.entries(ways)) {
    const once = await ask(`/employee/grade${query}`);
    const again = quantile(await inSequence(5, () => ask(`/employee/grade${query}`)), 0.5);
    const beside = quantile(await inSequence(5, () => ask('/employee/grade')), 0.5);
    if (round === 0) continue;
    first.get(name)?.push(once);
    kept.get(name)?.push(again);
    plain.push(beside);
  }
}

async function inSequence(count: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let number = 0; number < count; number++) results.push(await work());
  return results;
}

const print = (text: string) => process.stdout.write(`${text}\n`);
// The minimum, because other load on the shared machine only adds time.
const base = Math.min(...plain);
print(`10,000 items, the fastest of ${rounds} rounds; load ${loadavg()[0]?.toFixed(1)}`);
print(
  `${''.padEnd(26)}${'first ms'.padStart(10)}${'of plain'.padStart(10)}${'kept ms'.padStart(10)}${'of plain'.padStart(10)}`,
);
print(`${'plain'.padEnd(26)}${''.padStart(20)}${base.toFixed(1).padStart(10)}${'1.0'.padStart(10)}`);
for (const name of Object.keys(ways)) {
  const cells = [first, kept].flatMap((times) => {
    const least = Math.min(...(times.get(name) ?? []));
    return [least.toFixed(1), (least / base).toFixed(1)];
  });
  print(`${name.padEnd(26)}${cells.map((cell) => cell.padStart(10)).join('')}`);
}

/** Prints how long the work takes, and how long requests for a different list take meanwhile. */
async function besides(name: string, work: () => Promise<unknown>): Promise<void> {
  const seconds = 4;
  const asking = askAtRate(`${url}/employee/position`, headers.authorization, 200, seconds);
  await Bun.sleep(1000);
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const times = await asking;
  const cells = [took, quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)].map((ms) => ms.toFixed(1));
  print(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(10)).join('')}`);
}

print('\nwith a list of 50,000 items: duration of the work, and of other requests meanwhile, in ms');
print(`${''.padEnd(36)}${['it took', 'median', 'p99', 'slowest'].map((cell) => cell.padStart(10)).join('')}`);
await besides('nothing', async () => {});
for (let round = 1; round <= 3; round++) await besides('one item changed', () => changeOne('long', round));
await besides('where, first', () => ask('/employee/long?where=country:DE'));
await besides('q, first', () => ask('/employee/long?q=97'));
await besides('all fields, first', () => ask('/employee/long?fields=codes,tags,description,parents'));
await besides('asOf before its first day, first', () => ask(`/employee/long?asOf=${dayBefore(300)}`));
await besides('search of all lists, first', () => ask('/admin/search?q=nothing'));
await besides('search that finds nothing', () => ask('/admin/search?q=nothing'));
await besides('search whose words are apart', () => ask('/admin/search?q=grade%20stufe'));
await besides('summaries, after a change', () => changeOne('long', 4).then(() => ask('/admin/lookups')));
await besides('summaries', () => ask('/admin/lookups'));
await besides('last changes', () => ask('/admin/lookups/long/last-changes'));
await besides('history of one value', () => ask('/admin/lookups/long/history?value=G49999'));
await besides('everything about the list', () => ask('/admin/lookups/long'));
await besides('the list at version 1', () => ask('/admin/lookups/long/versions/1'));
await stack.disposeAsync();
process.exit(0);
