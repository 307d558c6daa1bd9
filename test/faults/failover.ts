// The primary dies and its standby is promoted: found by several hosts in DATABASE_URL, through HAProxy, or through PgBouncer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { type PostgresPair, startPair } from '../support/postgres-pair.ts';
import { programPath } from '../support/programs.ts';
import { type Cluster, startCluster, Writer } from '../support/replicas.ts';
import { until, untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

export type Way = 'several hosts' | 'HAProxy' | 'HAProxy and PgBouncer';

/** The address of the database, and how to end what stands in between. */
async function reach(way: Way, pair: PostgresPair): Promise<{ url: string; stop(): Promise<void> }> {
  const [one, two] = pair.ports;
  const several = pair.urlAt(one).replace(`localhost:${one}`, `localhost:${one},localhost:${two}`);
  if (way === 'several hosts') return { url: `${several}?target_session_attrs=read-write`, stop: async () => {} };
  const haproxy = await startHaproxy(pair);
  if (way === 'HAProxy') return haproxy;
  const pooler = await startPgBouncer(haproxy.url, 'transaction');
  return {
    url: pooler.through(haproxy.url),
    async stop() {
      await pooler.stop();
      await haproxy.stop();
    },
  };
}

/** Asks each server by its own protocol whether it can be written to. */
async function startHaproxy(pair: PostgresPair): Promise<{ url: string; stop(): Promise<void> }> {
  const port = freePort();
  const file = join(makeFolder(), 'haproxy.cfg');
  const checks = pair.ports.map((each) => startRoleCheck(pair.urlAt(each)));
  const servers = pair.ports
    .map(
      (each, index) =>
        `  server pg${index} localhost:${each} check port ${checks[index]?.port} inter 500ms fall 1 rise 1`,
    )
    .join('\n');
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind localhost:${port}
  option httpchk GET /
  default-server on-marked-down shutdown-sessions
${servers}
`,
  );
  const child = Bun.spawn([programPath('haproxy'), '-f', file], { stdout: 'ignore', stderr: 'ignore' });
  // Until its first checks it takes every server for the primary, in turn.
  await until(async () => {
    for (let tries = 0; tries < 4; tries++) if (!(await isPrimary(pair.urlAt(port)))) return false;
    return true;
  });
  return {
    url: pair.urlAt(port),
    async stop() {
      child.kill();
      await child.exited;
      await Promise.all(checks.map((check) => check.stop(true)));
    },
  };
}

/** What Patroni answers HAProxy with: 200 at the primary, 503 elsewhere. */
const startRoleCheck = (url: string) =>
  Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch: async () => new Response(null, { status: (await isPrimary(url)) ? 200 : 503 }),
  });

/** False also where nobody answers. */
async function isPrimary(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 500 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function failOver(way: Way): Promise<FaultReport> {
  const pair = await startPair();
  const between = await reach(way, pair);
  const cluster = await startCluster({ count: 2, databaseUrls: [between.url] });
  const { replicas, token } = cluster;
  const [one, two] = replicas as [Cluster['replicas'][number], Cluster['replicas'][number]];
  let turn = 0;
  const reading = new Load(() => {
    const { url } = turn++ % 2 === 0 ? one : two;
    return expectStatus(fetch(`${url}/employee/position`, { headers: bearer(token) }), 200);
  });
  const writer = new Writer('employee-level', 'LEAD');
  const writing = new Load(async () => void (await writer.write(one.url, token).catch(() => {})), {
    loops: 1,
    pauseMs: 5,
  });
  await untilWorks(async () => writer.acknowledged.size > 20);
  pair.killPrimary();
  await Bun.sleep(1000);
  await pair.promoteStandby();
  const before = writer.acknowledged.size;
  const signIns = untilWorks(async () => (await fetch(two.url + (await cluster.callback()))).status === 200);
  const changes = untilWorks(async () => writer.acknowledged.size > before);
  const recoverySeconds = Math.max(await signIns, await changes);
  await Bun.sleep(500);
  await Promise.all([writing.stop(), reading.stop()]);
  // HAProxy may still send a new connection to the server that is gone.
  const history = `${two.url}/admin/lookups/employee-level/history`;
  await untilWorks(async () => (await fetch(history, { headers: bearer(token) })).status === 200);
  const lost = await writer.countLost(two.url, token);
  await cluster.stop();
  await between.stop();
  await pair.stop();
  return {
    fault: `the primary killed, its synchronous standby promoted; ${way}`,
    sent: reading.sent,
    failed: reading.failed,
    lost,
    recoverySeconds,
    notes: [`${writer.acknowledged.size} changes acknowledged`, ...reading.faults].join(', '),
  };
}
