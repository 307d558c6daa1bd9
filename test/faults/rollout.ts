// A newer version replaces an older one, replica by replica, on one database, while people work.
import { payloadOf } from '../support/bound-sign-in.ts';
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { runToEnd } from '../support/process.ts';
import { type Cluster, type Replica, secretKey, startCluster, Writer } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { untilWorks } from '../support/waiting.ts';

export interface Rollout {
  sent: number;
  failed: number;
  lost: number;
  seconds: number;
  /** What went wrong. `notes` says how many changes and sessions there were. */
  faults: string[];
  notes: string;
  /** What `audit verify` printed. */
  proof: { exitCode: number; stdout: string; stderr: string };
  /** The list versions that the history of the value contains at the end. */
  versions: number[];
  lastVersion: number;
}

const [list, value] = ['employee-level', 'LEAD'];

/** The commands that start each version. */
export interface Versions {
  older: readonly string[];
  newer: readonly string[];
}

/** Migrates the tables, then replaces the replicas one after the other. */
export async function rollOut({ older, newer }: Versions, databaseUrl: string): Promise<Rollout> {
  const start = performance.now();
  await using cluster = await startCluster({
    count: isThorough ? 2 : 1,
    databaseUrls: [databaseUrl],
    command: older,
  });
  const old = [...cluster.replicas];
  const [first, ...rest] = old as [Replica];
  const serving = [...old];
  let turn = 0;
  const any = () => serving[++turn % serving.length] as Replica;

  const auditor = await cluster.signIn(first, 'E-1006');
  const ask = (path: string, token = cluster.token) => fetch(any().url + path, { headers: bearer(token) });
  const writer = new Writer(list, value);
  const loads = [
    new Load(() => expectStatus(ask('/employee/position'), 200)),
    new Load(() => expectStatus(ask('/auth/me'), 200), { loops: isThorough ? 2 : 1 }),
    new Load(() => expectStatus(ask('/admin/audit', auditor), 200), { loops: 1, pauseMs: 50 }),
    new Load(async () => ((await writer.write(any().url, cluster.token)) ? undefined : `change: ${writer.status}`), {
      loops: 1,
      pauseMs: 20,
    }),
    new Load(() => liveOneSession(cluster, any), isThorough ? { loops: 2, pauseMs: 20 } : { loops: 1, pauseMs: 300 }),
  ];
  await using started = new AsyncDisposableStack();
  for (const load of loads) started.use(load);
  const faults: string[] = [];
  const isOld = (replica: Replica) => old.includes(replica);
  const check = async () => {
    await Promise.all(loads.map((load) => load.more(3)));
    for (const from of serving) {
      const others = serving.filter((to) => isOld(to) !== isOld(from));
      for (const to of others) faults.push(...(await checkBetween(cluster, from, to)));
    }
  };
  /** Stops sending requests to the replica first, as a load balancer would. */
  const remove = async (replica: Replica) => {
    serving.splice(serving.indexOf(replica), 1);
    await Promise.all(loads.map((load) => load.untilAnswered()));
    await replica.stop();
  };
  const add = async (replica: Replica) => {
    await replica.start();
    serving.push(replica);
    return replica;
  };

  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey };
  const migration = await runToEnd(['migrate'], env, cluster.folder, newer);
  if (migration.exitCode !== 0) faults.push(`migrate: ${migration.stderr}`);
  let newest = await add(cluster.add(newer));
  // Restarts a replica of the older version, which then finds tables of the newer version.
  await remove(first);
  await add(first);
  await check();
  for (const each of rest) {
    await remove(each);
    newest = await add(cluster.add(newer));
    await check();
  }
  await remove(first);
  await Promise.all(loads.map((load) => load.stop()));

  const lost = await writer.countLost(newest.url, cluster.token);
  const history = await fetch(`${newest.url}/admin/lookups/${list}/history?value=${value}&limit=500`, {
    headers: bearer(cluster.token),
  });
  const versions = ((await history.json()) as { version: number }[]).map(({ version }) => version);
  const proof = await runToEnd(['audit', 'verify'], env, cluster.folder, newer);
  const lastVersion = await versionAt(newest, cluster.token);
  const sum = (pick: (load: Load) => number) => loads.reduce((total, load) => total + pick(load), 0);
  return {
    sent: sum(({ sent }) => sent),
    failed: sum(({ failed }) => failed),
    lost,
    seconds: (performance.now() - start) / 1000,
    faults: [...faults, ...loads.flatMap((load) => load.faults)],
    notes: `${writer.acknowledged.size} changes and ${loads.at(-1)?.sent} sessions`,
    proof,
    versions,
    lastVersion,
  };
}

/** Begins a sign-in on one replica, finishes it on another, renews the session, and signs out. `any` picks each replica. */
async function liveOneSession(cluster: Cluster, any: () => Replica): Promise<string | undefined> {
  const { token, cookie } = await cluster.signInBound(any(), any());
  const renewed = await renew(cluster, any(), cookie);
  if (renewed.status !== 200) return `renewal: ${renewed.status}`;
  if (renewed.sid !== sidOf(token)) return 'a renewal opened another session';
  return expectStatus(fetch(`${any().url}/auth/logout`, { method: 'POST', headers: bearer(token) }), 204);
}

/** Checks that a session opened at `from` works and can be renewed at `to`, and that `to` learns of its end and of list changes. */
async function checkBetween(cluster: Cluster, from: Replica, to: Replica): Promise<string[]> {
  const faults: string[] = [];
  const way = [from, to].map((each) => cluster.replicas.indexOf(each)).join(' → ');
  const expect = (isTrue: boolean, what: string) => void (isTrue || faults.push(`${way}: ${what}`));
  const { token, cookie } = await cluster.signInBound(from, from);
  expect((await statusOf(to, '/auth/me', token)) === 200, 'a session is not valid');
  const renewed = await renew(cluster, to, cookie);
  expect(renewed.status === 200 && renewed.sid === sidOf(token), `renewal ${renewed.status}`);
  const headers = bearer(renewed.accessToken);
  const logout = await fetch(`${from.url}/auth/logout`, { method: 'POST', headers });
  expect(logout.status === 204, `logout ${logout.status}`);
  for (const path of ['/employee/position', '/auth/me']) {
    const isRefused = async () => (await statusOf(to, path, token)) === 401;
    expect(await isDone(isRefused), `an ended session still opens ${path}`);
  }
  expect((await renew(cluster, to, cookie)).status === 401, 'an ended session is renewed');
  const seen = await changeServedAt(from, cluster.token);
  const isServed = async () => (await changeServedAt(to, cluster.token)) >= seen;
  expect(await isDone(isServed), `change ${seen} is not served`);
  return faults;
}

const isDone = (is: () => Promise<boolean>) =>
  untilWorks(is).then(
    () => true,
    () => false,
  );

async function statusOf({ url }: Replica, path: string, token: string): Promise<number> {
  const response = await fetch(url + path, { headers: bearer(token) });
  await response.arrayBuffer();
  return response.status;
}

async function renew({ publicUrl }: Cluster, { url }: Replica, cookie: string) {
  const response = await fetch(`${url}/auth/renew`, { method: 'POST', headers: { cookie, origin: publicUrl } });
  const { accessToken = '' } = (await response.json()) as { accessToken?: string };
  return { status: response.status, accessToken, sid: accessToken === '' ? undefined : sidOf(accessToken) };
}

const sidOf = (token: string) => payloadOf<{ sid: string }>(token).sid;

async function versionAt({ url }: Replica, token: string): Promise<number> {
  const response = await fetch(`${url}/admin/lookups/${list}`, { headers: bearer(token) });
  return ((await response.json()) as { version: number }).version;
}

/** Returns the number of the newest change that this replica serves. The writer puts the number in the label. */
async function changeServedAt({ url }: Replica, token: string): Promise<number> {
  const response = await fetch(`${url}/employee/${list}`, { headers: bearer(token) });
  const items = (await response.json()) as { value: string; label: string }[];
  const label = items.find((item) => item.value === value)?.label ?? '';
  return Number(/^Change (\d+)$/.exec(label)?.[1] ?? 0);
}
