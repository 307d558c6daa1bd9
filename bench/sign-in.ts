// npm run bench -- sign-in [-- FOLDER]: compares, in one run, the cost of a sign-in on Frontdesk with its cost on
// servers that a team would write. A sign-in consists of: PKCE, state and nonce; the code exchange and userinfo over
// TLS; verifying the ID token; storing person and session; issuing an access token. If FOLDER is given, the clone in it
// is measured as well. Linux only: it reads /proc.
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { root } from '../test/support/process.ts';
import { quantile } from './report.ts';
import { type Cost, signIn } from './sign-in/load.ts';
import { goOidc, peers } from './sign-in/peers.ts';
import { type Command, frontdesk, type Started, startProvider, startServer } from './sign-in/servers.ts';

const turns = Number(process.env.BENCH_TURNS ?? 9);
const atOnce = Number(process.env.BENCH_AT_ONCE ?? 8);
const signInsOfTurn = Number(process.env.BENCH_SIGN_INS ?? 400);
/** The number of warm-up sign-ins. At first, the JIT compiler competes for the core of the server; in Bun, this lasts for a few thousand sign-ins. */
const warmUp = Number(process.env.BENCH_WARM_UP ?? 10_000);
const [other] = process.argv.slice(2);

// Pins this process to one core. The database and the provider inherit that, because this process starts them.
Bun.spawnSync(['taskset', '-acp', '1', String(process.pid)]);

await using stack = new AsyncDisposableStack();
const folder = makeFolder();
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
// Nothing is forced to disk, because only processor time is measured.
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
const others = peers(folder);
for (const peer of others) commands.push({ ...peer, env: { DATABASE_URL: await postgres.createDatabase() } });

const servers: Started[] = [];
/** Only servers whose name matches are measured. */
const wanted = new RegExp(process.env.BENCH_ONLY ?? '');
for (const command of commands.filter(({ name }) => wanted.test(name))) {
  const server = await startServer(command, provider, folder);
  stack.defer(server.stop);
  servers.push(server);
  await signIn(server, provider, warmUp, atOnce);
  process.stderr.write(`${command.name} is warm\n`);
}

const costs = new Map<string, Cost[]>(servers.map(({ name }) => [name, []]));
for (let turn = 0; turn < turns; turn++) {
  for (const server of turn % 2 === 0 ? servers : servers.toReversed()) {
    costs.get(server.name)?.push(await signIn(server, provider, signInsOfTurn, atOnce));
  }
}

const medianOf = (name: string, read: (cost: Cost) => number) => quantile((costs.get(name) ?? []).map(read), 0.5);
const processorOf = ({ startCpuMs, finishCpuMs }: Cost) => startCpuMs + finishCpuMs;
const rateOf = ({ startMs, finishMs }: Cost) => 1000 / (startMs + finishMs);
/** The median of the ratios of all turns. Each turn measures both servers. */
const ratio = (of: string, to: string, read: (cost: Cost) => number) => {
  const pairs = (costs.get(of) ?? []).map((cost, turn) => [cost, costs.get(to)?.[turn] ?? cost] as const);
  return quantile(
    pairs.map(([one, two]) => read(one) / read(two)),
    0.5,
  );
};

const write = (row: string[]) =>
  process.stdout.write(`${row.map((cell, index) => (index === 0 ? cell.padEnd(36) : cell.padStart(11))).join('')}\n`);
process.stdout.write(
  `${atOnce} at once, ${turns} turns of ${signInsOfTurn} after ${warmUp}; load ${loadavg()[0]?.toFixed(0)}\n`,
);
write(['', 'sign-ins/s', 'cpu ms', 'to start', 'to finish', 'of ours']);
for (const { name } of servers) {
  write([
    name,
    medianOf(name, rateOf).toFixed(0),
    medianOf(name, processorOf).toFixed(2),
    medianOf(name, ({ startCpuMs }) => startCpuMs).toFixed(2),
    medianOf(name, ({ finishCpuMs }) => finishCpuMs).toFixed(2),
    ratio(name, own, processorOf).toFixed(2),
  ]);
}
const bar = (what: string, value: number, least: number) =>
  process.stdout.write(
    `${value >= least ? 'met   ' : 'missed'} ${what.padEnd(66)}${value.toFixed(2)}  at least ${least}\n`,
  );
const team = others.map(({ name }) => name).filter((name) => name !== goOidc && costs.has(name));
for (const [what, read] of [
  ['sign-ins per second', rateOf],
  ['sign-ins per second of processor time', (cost: Cost) => 1 / processorOf(cost)],
] as const) {
  const best = Math.min(...team.map((name) => ratio(own, name, read)));
  if (team.length > 0) bar(`${what}, beside the best in TypeScript`, best, 1.5);
  if (costs.has(goOidc)) bar(`${what}, beside Go`, ratio(own, goOidc, read), 0.5);
}
await stack.disposeAsync();
process.exit(0);
