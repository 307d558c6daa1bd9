// PostgreSQL stops, dies, or cannot be reached, while people go on working.
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import type { TestPostgres } from '../support/postgres.ts';
import { type Cluster, startCluster, Writer } from '../support/replicas.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

/** A list, which must be there all the time. */
const readLists = ({ replicas, token }: Cluster) => {
  let turn = 0;
  return new Load(() => {
    const { url } = replicas[++turn % replicas.length] as Cluster['replicas'][number];
    return expectStatus(fetch(`${url}/employee/position`, { headers: bearer(token) }), 200);
  });
};

/** What was wrong with an answer that should have said "not now, try again". */
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
  const cluster = await startCluster({ count: 2, databaseUrls: [await postgres.createDatabase()] });
  const { replicas, token } = cluster;
  const [one, two] = replicas as [Cluster['replicas'][number], Cluster['replicas'][number]];
  const reading = readLists(cluster);
  await Bun.sleep(1000);
  await postgres.halt();
  // Whatever was under way when it stopped is over by now.
  await Bun.sleep(1000);
  const waitingCallbacks: string[] = [];
  const asking = new Load(() => expectLater(fetch(`${one.url}/auth/me`, { headers: bearer(token) })), { loops: 2 });
  const signingIn = new Load(
    async () => {
      const callback = await cluster.callback();
      waitingCallbacks.push(callback);
      return expectLater(fetch(two.url + callback));
    },
    { loops: 1, pauseMs: 500 },
  );
  const writer = new Writer('employee-level', 'LEAD');
  const writing = new Load(async () => ((await writer.write(one.url, token)) ? 'written where?' : undefined), {
    loops: 1,
    pauseMs: 100,
  });
  await Bun.sleep(seconds * 1000 - 1000);
  const during = [asking, signingIn, writing];
  await Promise.all(during.map((load) => load.stop()));
  await postgres.resume();
  const works = async (url: string) => {
    await writer.look(url, token);
    const answers = [fetch(`${url}/auth/me`, { headers: bearer(token) }), fetch(`${url}/health/ready`)];
    return (await Promise.all(answers)).every(({ ok }) => ok) && (await writer.write(url, token));
  };
  const recoverySeconds = await untilWorks(async () => (await works(one.url)) && (await works(two.url)));
  const late = await Promise.all(waitingCallbacks.map(async (callback) => (await fetch(one.url + callback)).status));
  await Bun.sleep(1000);
  await reading.stop();
  const lost = (await writer.countLost(two.url, token)) + late.filter((status) => status !== 200).length;
  await cluster.stop();
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

export async function killPostgres(postgres: TestPostgres, rounds: number): Promise<FaultReport> {
  const databaseUrl = await postgres.createDatabase();
  const cluster = await startCluster({ count: 2, databaseUrls: [databaseUrl] });
  const { replicas, token } = cluster;
  const reading = readLists(cluster);
  const writers = replicas.map(
    (_, index) => new Writer(['employee-level', 'employment-type'][index] ?? '', ['LEAD', 'FULL_TIME'][index] ?? ''),
  );
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    // Writes that are cut off are not acknowledged, and do not count.
    const writing = writers.map(
      (writer, index) =>
        new Load(async () => void (await writer.write(replicas[index]?.url ?? '', token).catch(() => {})), {
          loops: 1,
          pauseMs: 5,
        }),
    );
    const before = writers.map(({ acknowledged }) => acknowledged.size);
    await untilWorks(async () =>
      writers.every(({ acknowledged }, index) => acknowledged.size > (before[index] ?? 0) + 5),
    );
    await postgres.kill();
    await Bun.sleep(300);
    await postgres.resume();
    const sizes = writers.map(({ acknowledged }) => acknowledged.size);
    longest = Math.max(
      longest,
      await untilWorks(async () => writers.every(({ acknowledged }, index) => acknowledged.size > (sizes[index] ?? 0))),
    );
    await Promise.all(writing.map((load) => load.stop()));
  }
  await reading.stop();
  const losses = await Promise.all(writers.map((writer, index) => writer.countLost(replicas[index]?.url ?? '', token)));
  // Half a change would be a version without its history, or the other way round.
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
  await cluster.stop();
  return {
    fault: `PostgreSQL killed in the middle of transactions, ${rounds} rounds`,
    sent: reading.sent,
    failed: reading.failed,
    lost: losses.reduce((total, count) => total + count, 0) + torn.length + unaudited.length,
    recoverySeconds: longest,
    notes: [
      `${writers.reduce((total, { acknowledged }) => total + acknowledged.size, 0)} changes acknowledged, none partial`,
      ...reading.faults,
    ].join(', '),
  };
}

export async function cutNetwork(postgres: TestPostgres, seconds: number): Promise<FaultReport> {
  const network = await startTcpProxy(postgres.port);
  const direct = await postgres.createDatabase();
  const throughNetwork = direct.replace(`:${postgres.port}/`, `:${network.port}/`);
  const cluster = await startCluster({ count: 2, databaseUrls: [direct, throughNetwork] });
  const { replicas, token } = cluster;
  const [one, two] = replicas as [Cluster['replicas'][number], Cluster['replicas'][number]];
  const reading = readLists(cluster);
  const writer = new Writer('employee-level', 'LEAD');
  const other = new Load(async () => ((await writer.write(one.url, token)) ? undefined : 'a change was refused'), {
    loops: 1,
    pauseMs: 20,
  });
  await Bun.sleep(500);
  network.cut();
  // The first ones wait for connections that nobody knows to be dead; then it is known.
  const statusAt = async (url: string) => (await fetch(`${url}/auth/me`, { headers: bearer(token) })).status;
  const noticedAfter = await untilWorks(async () => (await statusAt(two.url)) === 503);
  const asking = new Load(() => expectLater(fetch(`${two.url}/auth/me`, { headers: bearer(token) })), {
    loops: 2,
    pauseMs: 50,
  });
  const session = await cluster.signIn(one);
  await fetch(`${one.url}/auth/logout`, { method: 'POST', headers: bearer(session) });
  await Bun.sleep(seconds * 1000);
  await asking.stop();
  network.heal();
  // It has to learn what happened meanwhile, by itself: a list, and a session that ended.
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
  await cluster.stop();
  network.stop();
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
