// PostgreSQL stops, dies, or cannot be reached, while people keep working.
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { patient, type TestPostgres } from '../support/postgres.ts';
import { type Cluster, type Replica, startCluster, Writer } from '../support/replicas.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { isThorough } from '../support/thorough.ts';
import { until, untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

/** Reads a list, which must be served throughout the fault. */
const readLists = ({ replicas, token }: Cluster) => {
  let turn = 0;
  return new Load(() => {
    const { url } = replicas[++turn % replicas.length] as Replica;
    return expectStatus(fetch(`${url}/employee/position`, { headers: bearer(token) }), 200);
  });
};

/** Returns what was wrong with an answer that should have been 503 with Retry-After. */
async function expectLater(answer: Promise<Response>): Promise<string | undefined> {
  const response = await answer;
  const { type } = (await response.json()) as { type?: string };
  const isRight =
    response.status === 503 &&
    /^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '') &&
    type?.endsWith('/problems/storage-unavailable') === true;
  return isRight ? undefined : `${response.status} ${type} instead of 503`;
}

export async function stopPostgres(postgres: TestPostgres, seconds: number): Promise<FaultReport> {
  const databaseUrls = [await postgres.createDatabase()];
  // By default, a code expires after a minute. Here, codes and tokens must outlast the outage.
  const lives = { AccessToken: 600, AuthorizationCode: 600, IdToken: 600, Interaction: 600, Session: 600 };
  const overrides = { ttl: { ...lives, Grant: 86_400, RefreshToken: 86_400 } };
  await using cluster = await startCluster({ count: 2, databaseUrls, overrides });
  const { replicas, token } = cluster;
  const [one, two] = replicas as [Replica, Replica];
  await using reading = readLists(cluster);
  await reading.more(10);
  await postgres.halt();
  const statusAt = async ({ url }: Replica) => (await fetch(`${url}/auth/me`, { headers: bearer(token) })).status;
  // Once both replicas answer 503, requests that were in progress when PostgreSQL stopped have ended.
  await until(async () => (await statusAt(one)) === 503 && (await statusAt(two)) === 503);
  const waitingCallbacks: string[] = [];
  await using asking = new Load(() => expectLater(fetch(`${one.url}/auth/me`, { headers: bearer(token) })), {
    loops: 2,
  });
  await using signingIn = new Load(
    async () => {
      const callback = await cluster.callback();
      waitingCallbacks.push(callback);
      return expectLater(fetch(two.url + callback));
    },
    { loops: 1, pauseMs: 500 },
  );
  const writer = new Writer('employee-level', 'LEAD');
  await using writing = new Load(async () => ((await writer.write(one.url, token)) ? 'written where?' : undefined), {
    loops: 1,
    pauseMs: 100,
  });
  const during = [asking, signingIn, writing];
  await Promise.all([Bun.sleep(seconds * 1000), ...during.map((load) => load.more(3))]);
  await Promise.all(during.map((load) => load.stop()));
  await postgres.resume();
  const works = async (url: string) => {
    await writer.look(url, token);
    const answers = [fetch(`${url}/auth/me`, { headers: bearer(token) }), fetch(`${url}/health/ready`)];
    return (await Promise.all(answers)).every(({ ok }) => ok) && (await writer.write(url, token));
  };
  const recoverySeconds = await untilWorks(async () => (await works(one.url)) && (await works(two.url)));
  const late = await Promise.all(waitingCallbacks.map(async (callback) => (await fetch(one.url + callback)).status));
  await reading.more(10);
  await reading.stop();
  const lost = (await writer.countLost(two.url, token)) + late.filter((status) => status !== 200).length;
  const all = [reading, ...during];
  return {
    fault: `PostgreSQL stopped for ${seconds} s, two replicas`,
    sent: all.reduce((total, load) => total + load.sent, 0),
    failed: all.reduce((total, load) => total + load.failed, 0),
    lost,
    recoverySeconds,
    notes: [
      `${reading.sent} lists served, ${asking.sent + signingIn.sent + writing.sent} others answered 503, ${late.length} codes redeemed afterwards`,
      ...all.flatMap(({ faults }) => faults),
    ].join(', '),
  };
}

/** Sends reads and writes of every kind, even during a fault. During the fault, 503 is a correct answer; 500 never is. */
function askEverything({ replicas, token, callback }: Cluster, statuses: Set<number>): Load {
  const [{ url }] = replicas as [Replica];
  const headers = bearer(token);
  const change = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json', 'if-match': '"1"' } };
  const noItem = `${url}/admin/lookups/position/items/NONE`;
  const expectStatusOrLater = async (status: number, answer: Promise<Response>) => {
    const response = await answer;
    await response.arrayBuffer();
    statuses.add(response.status);
    return [status, 503].includes(response.status) ? [] : [`${response.status} ${new URL(response.url).pathname}`];
  };
  return new Load(
    async () => {
      const faults = [
        ...(await expectStatusOrLater(200, fetch(`${url}/auth/me`, { headers }))),
        ...(await expectStatusOrLater(200, fetch(url + (await callback())))),
        ...(await expectStatusOrLater(200, fetch(`${url}/admin/lookups`, { headers }))),
        ...(await expectStatusOrLater(404, fetch(noItem, { ...change, body: '{"label":"None"}' }))),
      ];
      return faults[0];
    },
    isThorough ? { loops: 6 } : { loops: 3, pauseMs: 20 },
  );
}

export async function killPostgres(postgres: TestPostgres, rounds: number): Promise<FaultReport> {
  const databaseUrl = await postgres.createDatabase();
  await using cluster = await startCluster({ count: 2, databaseUrls: [databaseUrl] });
  const { replicas, token } = cluster;
  await using reading = readLists(cluster);
  const statuses = new Set<number>();
  await using asking = askEverything(cluster, statuses);
  const writers = replicas.map(
    (_, index) => new Writer(['employee-level', 'employment-type'][index] ?? '', ['LEAD', 'FULL_TIME'][index] ?? ''),
  );
  // Interrupted writes are not acknowledged, and do not count.
  const write = async (index: number) =>
    void (await writers[index]?.write(replicas[index]?.url ?? '', token).catch(() => {}));
  await using writing = new Load(() => write(0), { loops: 1, pauseMs: 5 });
  await using writingToo = new Load(() => write(1), { loops: 1, pauseMs: 5 });
  const untilMoreWritten = (count: number) => {
    const goals = writers.map(({ acknowledged }) => acknowledged.size + count);
    return until(async () => writers.every(({ acknowledged }, index) => acknowledged.size >= (goals[index] ?? 0)));
  };
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    await untilMoreWritten(6);
    statuses.clear();
    await postgres.kill();
    await until(async () => statuses.has(503) || asking.failed > 0);
    await postgres.resume();
    longest = Math.max(longest, await untilMoreWritten(1));
    await until(async () => statuses.has(200));
  }
  await Promise.all([writing, writingToo, reading, asking].map((load) => load.stop()));
  const losses = await Promise.all(writers.map((writer, index) => writer.countLost(replicas[index]?.url ?? '', token)));
  // Half a change would be a version without its history, or a history without its version.
  const name = new URL(databaseUrl).pathname.slice(1);
  const torn = await postgres.query(
    `select l.name from lookup_list l left join lookup_history h on h.list = l.name
     group by l.name, l.version having max(h.version) <> l.version or count(h.version) <> l.version`,
    name,
  );
  const unaudited = await postgres.query(
    `select h.list, h.version from lookup_history h where not exists
     (select 1 from audit a where a.detail = h.list || ' version ' || h.version)`,
    name,
  );
  return {
    fault: `PostgreSQL killed in the middle of transactions, ${rounds} rounds`,
    sent: reading.sent + asking.sent,
    failed: reading.failed + asking.failed,
    lost: losses.reduce((total, count) => total + count, 0) + torn.length + unaudited.length,
    recoverySeconds: longest,
    notes: [
      `${writers.reduce((total, { acknowledged }) => total + acknowledged.size, 0)} changes acknowledged, none partial`,
      ...reading.faults,
      ...asking.faults,
    ].join(', '),
  };
}

export async function cutNetwork(postgres: TestPostgres, seconds: number): Promise<FaultReport> {
  await using started = new AsyncDisposableStack();
  const network = await startTcpProxy(postgres.port);
  started.defer(() => network.stop());
  const direct = await postgres.createDatabase();
  const throughNetwork = direct.replace(`:${postgres.port}/`, `:${network.port}/`);
  await using cluster = await startCluster({ count: 2, databaseUrls: [patient(direct), throughNetwork] });
  const { replicas, token } = cluster;
  const [one, two] = replicas as [Replica, Replica];
  await using reading = readLists(cluster);
  const writer = new Writer('employee-level', 'LEAD');
  await using other = new Load(
    async () => ((await writer.write(one.url, token)) ? undefined : 'a change was refused'),
    {
      loops: 1,
      pauseMs: 20,
    },
  );
  await Promise.all([reading.more(10), other.more(3)]);
  network.cut();
  // The first requests wait on dead connections, because the replica has not noticed the cut yet.
  const statusAt = async (url: string) => (await fetch(`${url}/auth/me`, { headers: bearer(token) })).status;
  const noticedAfter = await untilWorks(async () => (await statusAt(two.url)) === 503);
  await using asking = new Load(() => expectLater(fetch(`${two.url}/auth/me`, { headers: bearer(token) })), {
    loops: 2,
    pauseMs: 50,
  });
  const session = await cluster.signIn(one);
  await fetch(`${one.url}/auth/logout`, { method: 'POST', headers: bearer(session) });
  await Promise.all([Bun.sleep(seconds * 1000), asking.more(3)]);
  await asking.stop();
  network.heal();
  // The second replica must now learn what it missed: a list change, and an ended session.
  const labelAt = async (url: string) =>
    (
      (await (await fetch(`${url}/employee/employee-level`, { headers: bearer(token) })).json()) as {
        value: string;
        label: string;
      }[]
    ).find(({ value }) => value === 'LEAD')?.label;
  await other.stop();
  const recoverySeconds = await untilWorks(
    async () =>
      (await statusAt(two.url)) === 200 &&
      (await labelAt(two.url)) === (await labelAt(one.url)) &&
      (await fetch(`${two.url}/employee/position`, { headers: bearer(session) })).status === 401,
  );
  await reading.stop();
  const lost = await writer.countLost(two.url, token);
  const all = [reading, other, asking];
  return {
    fault: `network to PostgreSQL cut for ${seconds} s, one of two replicas`,
    sent: all.reduce((total, load) => total + load.sent, 0),
    failed: all.reduce((total, load) => total + load.failed, 0),
    lost,
    recoverySeconds,
    notes: [
      `noticed after ${noticedAfter.toFixed(1)} s, then 503 within ${asking.percentile(0.9).toFixed(0)} ms (p90)`,
      ...all.flatMap(({ faults }) => faults),
    ].join(', '),
  };
}
