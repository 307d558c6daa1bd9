// npm run bench: compares Frontdesk, in one run, with servers that show the limit of the machine and with servers that
// a team would write. Each server runs on one core, the load on the other, PostgreSQL on both. All serve the same
// bytes to the same kind of token. Rounds are interleaved, and the medians are compared. Prints tables and writes
// bench/results.json. Linux only: it reads /proc.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer } from '../test/support/frontdesk.ts';
import { freePort } from '../test/support/ports.ts';
import { root } from '../test/support/process.ts';
import {
  bareBun,
  executable,
  fieldOf,
  goRemembering,
  nginxFile,
  type Peer,
  type Running,
  smallest,
  start,
} from './field.ts';
import { askAtRate, type LoadOptions, load, loadTool } from './load/load.ts';
import { quantile, Results, write } from './report.ts';
import { prepare } from './setup.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Low enough for every server, even on a busy machine. */
const rate = 200;
const list = '/employee/position';
const seconds = 3;

process.stderr.write(`load by ${loadTool}\n`);
await using stack = new AsyncDisposableStack();
const setup = await prepare();
stack.defer(setup.close);
const field = fieldOf(setup);
const results = new Results(rounds);

async function withServer(peer: Peer, env: Record<string, string>, work: (running: Running) => Promise<void>) {
  const running = await start(peer, setup, env);
  try {
    await work(running);
  } finally {
    await running.stop();
  }
}

/** Takes the measurements that are made on every server. */
async function measure(peer: Peer): Promise<void> {
  const { token, tokensFile } = peer.tokens ?? setup;
  const headers = bearer(token);
  const record = (what: string, value: number) => results.record(peer.name, what, value);
  await withServer(peer, {}, async (running) => {
    const url = running.url + list;
    record('start s', running.startSeconds);
    record('idle MiB', running.residentMiB());
    await load(url, { seconds: 1, headers });
    record('list /s', await load(url, { headers }));
    record('loaded MiB', running.residentMiB());
    if (peer.kind === 'limit') return;
    record('p99 ms', quantile(await askAtRate(url, headers.authorization, rate, 5), 0.99));
    const me = `${running.url}/auth/me`;
    await load(me, { seconds: 1, headers });
    record('me /s', await load(me, { headers }));
    // Sends each token once, so that servers with a token cache have cached it.
    await load(me, { headers, tokensFile, seconds: 4 });
    record('me, 10,000 people /s', await load(me, { headers, tokensFile }));
    record('in the end MiB', running.residentMiB());
  });
}

type Recorder = (what: string, value: number) => void;

/** Alternates between the measurements every second, because the speed of a shared machine changes from minute to minute. */
async function inTurn(ways: Record<string, () => Promise<number>>, turns: number, record: Recorder): Promise<void> {
  const entries = Object.entries(ways);
  for (let turn = 0; turn < turns; turn++) {
    for (const [what, measureOnce] of turn % 2 === 0 ? entries : entries.toReversed())
      record(what, await measureOnce());
  }
}

interface Comparison {
  peer: Peer | undefined;
  path: string;
  /** Whether each request uses a different person's token. */
  manyPeople: boolean;
  turns: number;
}

/** Measures Frontdesk and one other server alternately, a second each, and records them as `what` and `what, other`. */
async function measureBeside(what: string, { peer, path, manyPeople, turns }: Comparison, record: Recorder) {
  if (peer === undefined) throw new Error(`there is no server to compare with: ${what}`);
  const secondsAt = ({ url }: Running, { token, tokensFile } = peer.tokens ?? setup) => {
    const options = { headers: bearer(token), ...(manyPeople && { tokensFile }) };
    return (length: number) => load(url + path, { ...options, seconds: length });
  };
  await withServer(executable, {}, (desk) =>
    withServer(peer, {}, async (other) => {
      const [ours, theirs] = [secondsAt(desk, setup), secondsAt(other)];
      // Warms up: compiles the code, and sends each token once, so that servers with a token cache have cached it.
      for (const warmUp of [ours, theirs]) await warmUp(4);
      await inTurn({ [what]: () => ours(1), [`${what}, other`]: () => theirs(1) }, turns, record);
    }),
  );
}

/** The fastest server of the kind 'team' in this round. */
function bestOf(what: string): Peer | undefined {
  const team = field.filter(({ kind }) => kind === 'team');
  return team.sort((one, two) => results.latest(two.name, what) - results.latest(one.name, what))[0];
}

async function measureAnswers({ url: base }: Running, record: Recorder): Promise<void> {
  const headers = bearer(setup.token);
  const url = base + list;
  // The ETag of the uncompressed list, because the load requests that one. By default, fetch requests a compressed list.
  const plain = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  const etag = plain.headers.get('etag') ?? '';
  const { tokensFile } = setup;
  const second = (options: Partial<LoadOptions>) => () => load(url, { headers, ...options, seconds: 1 });
  // Sends each token once, so that it is cached.
  await load(url, { headers, tokensFile, seconds: 4 });
  await inTurn(
    {
      '200 /s': second({}),
      '304 /s': second({ headers: { ...headers, 'if-none-match': etag } }),
      'gzip /s': second({ headers: { ...headers, 'accept-encoding': 'gzip' } }),
      '10,000 tokens /s': second({ tokensFile }),
    },
    5,
    record,
  );
}

/** Takes further measurements of Frontdesk, each group in a new process. */
async function measureMore(): Promise<void> {
  const headers = bearer(setup.token);
  const record = (what: string, value: number) => results.record('more', what, value);
  const recordTurns = (what: string, value: number) => results.record(executable.name, what, value);
  // Measured in more pairs, because these results are close and the machine's speed varies.
  for (const name of [smallest.name, bareBun, goRemembering, nginxFile]) {
    const peer = field.find((each) => each.name === name);
    if (peer === undefined) continue;
    await measureBeside(`beside ${name} /s`, { peer, path: list, manyPeople: false, turns: 15 }, recordTurns);
  }
  const best = { peer: bestOf('me, 10,000 people /s'), path: '/auth/me', manyPeople: true, turns: 8 };
  await measureBeside('me of many beside the best /s', best, recordTurns);
  await withServer(executable, {}, async (running) => {
    const url = running.url + list;
    await load(url, { headers, seconds: 1 });
    await measureAnswers(running, recordTurns);
    for (const connections of [1, 10, 100, 1000]) {
      const before = running.processorSeconds();
      const perSecond = await load(url, { headers, connections, seconds });
      record(`${connections} connections /s`, perSecond);
      record(
        `${connections} connections, µs of processor`,
        ((running.processorSeconds() - before) / perSecond / seconds) * 1e6,
      );
    }
    const tokensFile = setup.tooManyTokensFile;
    record('tokens never seen before /s', await load(url, { headers, tokensFile, seconds: 5 }));
    record('after more tokens than it remembers, MiB', running.residentMiB());
  });
  await withServer(executable, { DATABASE_URL: setup.bigDatabaseUrl }, async (running) => {
    record('a list of 10,000 items: start s', running.startSeconds);
    record('a list of 10,000 items: idle MiB', running.residentMiB());
    await load(running.url + list, { headers, seconds: 1 });
    record('a list of 10,000 items: position /s', await load(running.url + list, { headers }));
    const grades = `${running.url}/employee/grade`;
    record('a list of 10,000 items /s', await load(grades, { headers }));
    record(
      'a list of 10,000 items, gzip /s',
      await load(grades, { headers: { ...headers, 'accept-encoding': 'gzip' } }),
    );
  });
  await measureLogins(record);
  await measureWorkers(record);
}

/** How many sign-ins are made as a warm-up, which compiles code and fetches keys, and then again as the measurement. */
const logins = 50;

async function measureLogins(record: Recorder): Promise<void> {
  const metricsPort = String(freePort());
  await withServer(executable, { METRICS_PORT: metricsPort }, async (running) => {
    const url = running.url + list;
    const headers = bearer(setup.token);
    await load(url, { headers, seconds: 1 });
    record('list with metrics /s', await load(url, { headers }));
    const providerSeconds = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const sums = text.matchAll(/^frontdesk_provider_call_duration_seconds_sum\{.*\} (.*)$/gm);
      return [...sums].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
    };
    const signIn = async (callback: string) => {
      const response = await fetch(running.url + callback);
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    };
    for (let login = 0; login < logins; login++) await signIn(await setup.callback());
    const callbacks = [];
    for (let login = 0; login < logins; login++) callbacks.push(await setup.callback());
    const providerBefore = await providerSeconds();
    const [before, began] = [running.processorSeconds(), performance.now()];
    for (const callback of callbacks) await signIn(callback);
    const [used, took] = [running.processorSeconds() - before, performance.now() - began];
    const milliseconds = took - ((await providerSeconds()) - providerBefore) * 1000;
    record('login, own ms', milliseconds / logins);
    record('login, ms of processor', (used / logins) * 1000);
  });
}

/** Neither the workers nor the load are pinned to a core, so they share both cores. */
async function measureWorkers(record: Recorder): Promise<void> {
  const headers = bearer(setup.token);
  for (const workers of ['1', '2']) {
    const env = { WORKERS: workers, DATABASE_URL: setup.bigDatabaseUrl };
    await withServer({ ...executable, isFree: true }, env, async (running) => {
      // The second worker may still be starting when the first answers.
      if (workers !== '1') await Bun.sleep(2000);
      for (const [what, path, manyDays] of [
        ['list', list, false],
        ['me', '/auth/me', false],
        ['10,000 items of a day', '/employee/grade', true],
      ] as const) {
        const options = { headers, isFree: true, manyDays };
        await load(running.url + path, { ...options, seconds: 1 });
        const before = running.processorSeconds();
        record(`WORKERS=${workers}, ${what} /s`, await load(running.url + path, { ...options, seconds }));
        record(`WORKERS=${workers}, ${what}, cores`, (running.processorSeconds() - before) / seconds);
      }
    });
  }
}

for (let round = 1; round <= rounds; round++) {
  for (const peer of field) {
    await measure(peer);
    const perSecond = results.latest(peer.name, 'list /s').toFixed(0);
    process.stderr.write(`round ${round} of ${rounds}: ${peer.name} ${perSecond}/s\n`);
  }
  await measureMore();
}

const { text, json } = write(results, field, { rate, loadTool });
process.stdout.write(text);
writeFileSync(join(root, 'bench/results.json'), json);
await stack.disposeAsync();
process.exit(0);
