// npm run bench -- compare FOLDER: compares this tree with another clone, for example of the commit before a change.
// Both run on one core, and the load alternates between them every second. It prints the rate, and the processor time
// per request, which depends less on other load on the machine.
import { join, resolve } from 'node:path';
import { bearer } from '../test/support/frontdesk.ts';
import { root } from '../test/support/process.ts';
import { type Peer, type Running, start } from './field.ts';
import { type LoadOptions, load } from './load/load.ts';
import { quantile } from './report.ts';
import { prepare } from './setup.ts';

const turns = Number(process.env.BENCH_TURNS ?? 21);
const other = process.argv[2];
if (other === undefined) throw new Error('npm run bench -- compare FOLDER');

const fromSource = (folder: string): Peer => ({
  name: folder,
  kind: 'frontdesk',
  command: [process.execPath, '--no-env-file', join(resolve(folder), 'src/main.ts')],
});

await using stack = new AsyncDisposableStack();
const setup = await prepare();
stack.defer(setup.close);
const env = { DATABASE_URL: setup.bigDatabaseUrl };
const headers = bearer(setup.token);

const running: Running[] = [];
for (const folder of [other, root]) {
  const server = await start(fromSource(folder), setup, env);
  stack.defer(server.stop);
  running.push(server);
}

const ways: [string, string, Partial<LoadOptions>][] = [
  ['a list', '/employee/position', {}],
  ['a list, gzip', '/employee/position', { headers: { ...headers, 'accept-encoding': 'gzip' } }],
  ['10,000 items', '/employee/grade', {}],
  ['/auth/me', '/auth/me', {}],
  ['/auth/me, 10,000 people', '/auth/me', { tokensFile: setup.tokensFile }],
];
process.stdout.write(`${''.padEnd(26)}${'other'.padStart(20)}${'this tree'.padStart(22)}${'ratio'.padStart(9)}\n`);
for (const [name, path, options] of ways) {
  const measured: { perSecond: number; microseconds: number }[][] = [[], []];
  for (const server of running) await load(server.url + path, { headers, ...options, seconds: 3 });
  for (let turn = 0; turn < turns; turn++) {
    const order = [...running.entries()];
    for (const [index, server] of turn % 2 === 0 ? order : order.toReversed()) {
      const before = server.processorSeconds();
      const perSecond = await load(server.url + path, { headers, ...options, seconds: 1 });
      measured[index]?.push({ perSecond, microseconds: ((server.processorSeconds() - before) / perSecond) * 1e6 });
    }
  }
  const [that = [], own = []] = measured;
  const cell = (values: typeof that) => {
    const rate = quantile(
      values.map(({ perSecond }) => perSecond),
      0.5,
    );
    const cost = quantile(
      values.map(({ microseconds }) => microseconds),
      0.5,
    );
    return `${rate.toFixed(0)}/s ${cost.toFixed(1)} µs`;
  };
  const ratio = quantile(
    own.map(({ perSecond }, turn) => perSecond / (that[turn]?.perSecond ?? Number.NaN)),
    0.5,
  );
  process.stdout.write(
    `${name.padEnd(26)}${cell(that).padStart(20)}${cell(own).padStart(22)}${ratio.toFixed(2).padStart(9)}\n`,
  );
}
await stack.disposeAsync();
process.exit(0);
