// npm run bench:sign-in [-- FOLDER]: what a sign-in costs, beside what a team would write, in one run: PKCE, state and
// nonce, the code exchange and userinfo over TLS, the ID token verified, person and session stored, a token of our own.
// With a folder, another clone is measured beside this tree. Linux only: it reads /proc.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { root } from '../test/support/process.ts';
import { quantile } from './report.ts';
import { type Cost, signIn } from './sign-in/load.ts';
import { type Command, frontdesk, type Started, startProvider, startServer } from './sign-in/servers.ts';

const turns = Number(process.env.BENCH_TURNS ?? 9);
const atOnce = Number(process.env.BENCH_AT_ONCE ?? 16);
const signInsOfTurn = 200;
const warmUp = 600;
const [other] = process.argv.slice(2);

// The database and the provider, which this process starts, inherit it.
Bun.spawnSync(['taskset', '-acp', '1', String(process.pid)]);

await using stack = new AsyncDisposableStack();
const folder = makeFolder();
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
// Nothing is forced to the disk: what is measured is the processor.
const postgres = await startPostgres({ isDurable: false });
stack.defer(postgres.stop);
const provider = await startProvider(folder);

const own = 'Frontdesk, PostgreSQL';
const commands: Command[] = [
  frontdesk(own, root, await postgres.createDatabase()),
  frontdesk('Frontdesk, SQLite', root, `sqlite:${join(folder, 'frontdesk.db')}`),
  ...(other === undefined
    ? []
    : [
        frontdesk('other clone, PostgreSQL', resolve(other), await postgres.createDatabase()),
        frontdesk('other clone, SQLite', resolve(other), `sqlite:${join(folder, 'other.db')}`),
      ]),
];

const servers: Started[] = [];
for (const command of commands) {
  const server = await startServer(command, provider, folder);
  stack.defer(server.stop);
  servers.push(server);
  await signIn(server, provider, warmUp, atOnce);
}

const costs = new Map<string, Cost[]>(servers.map(({ name }) => [name, []]));
for (let turn = 0; turn < turns; turn++) {
  for (const server of turn % 2 === 0 ? servers : servers.toReversed()) {
    costs.get(server.name)?.push(await signIn(server, provider, signInsOfTurn, atOnce));
  }
}

const medianOf = (name: string, read: (cost: Cost) => number) => quantile((costs.get(name) ?? []).map(read), 0.5);
const cpuOf = ({ startCpuMs, finishCpuMs }: Cost) => startCpuMs + finishCpuMs;
const rateOf = ({ startMs, finishMs }: Cost) => 1000 / (startMs + finishMs);
const cells = ['', 'sign-ins /s', 'cpu ms', 'of it start', 'finish', 'beside ours'];
const print = (row: string[]) =>
  process.stdout.write(`${row.map((cell, index) => (index === 0 ? cell.padEnd(36) : cell.padStart(12))).join('')}\n`);
print(cells);
for (const { name } of servers) {
  print([
    name,
    medianOf(name, rateOf).toFixed(0),
    medianOf(name, cpuOf).toFixed(2),
    medianOf(name, ({ startCpuMs }) => startCpuMs).toFixed(2),
    medianOf(name, ({ finishCpuMs }) => finishCpuMs).toFixed(2),
    (medianOf(name, cpuOf) / medianOf(own, cpuOf)).toFixed(2),
  ]);
}
await stack.disposeAsync();
process.exit(0);
