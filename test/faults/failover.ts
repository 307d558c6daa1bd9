// The primary dies and its standby is promoted. Frontdesk finds the new primary through several hosts in DATABASE_URL,
// through HAProxy, or through PgBouncer.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { type PostgresPair, startPair } from '../support/postgres-pair.ts';
import { programPath } from '../support/programs.ts';
import { type Replica, startCluster, Writer } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { until, untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

export type Way = 'several hosts' | 'HAProxy' | 'HAProxy and PgBouncer';

/** Returns the address at which Frontdesk reaches the database. HAProxy or PgBouncer, if used, is added to `started`. */
async function reach(way: Way, pair: PostgresPair, started: AsyncDisposableStack): Promise<string> {
  const [one, two] = pair.ports;
  const several = pair.urlAt(one).replace(`localhost:${one}`, `localhost:${one},localhost:${two}`);
  if (way === 'several hosts') return `${several}?target_session_attrs=read-write`;
  const proxied = await startHaproxy(pair, started);
  if (way === 'HAProxy') return proxied;
  return started.use(await startPgBouncer(proxied, 'transaction')).through(proxied);
}

/** HAProxy finds the primary by an HTTP check of each server. */
async function startHaproxy(pair: PostgresPair, started: AsyncDisposableStack): Promise<string> {
  const port = freePort();
  const folder = makeFolder();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'haproxy.cfg');
  const checks = pair.ports.map((each) => started.use(startRoleCheck(pair.urlAt(each))));
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
  timeout connect 10s
  timeout check 10s
  timeout client 1h
  timeout server 1h
listen postgres
  bind localhost:${port}
  option httpchk GET /
  default-server on-marked-down shutdown-sessions
${servers}
`,
  );
  started.use(Bun.spawn([programPath('haproxy'), '-f', file], { stdout: 'ignore', stderr: 'ignore' }));
  // Until its first checks have run, HAProxy forwards to every server, not only to the primary.
  await until(async () => {
    for (let tries = 0; tries < 4; tries++) if (!(await isPrimary(pair.urlAt(port)))) return false;
    return true;
  });
  return pair.urlAt(port);
}

/** Answers HAProxy as Patroni would: 200 on the primary, 503 on a standby. */
const startRoleCheck = (url: string) =>
  Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch: async () => new Response(null, { status: (await isPrimary(url)) ? 200 : 503 }),
  });

/** Whether the server at this address is a primary. False if no server answers. */
async function isPrimary(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
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
  await using pair = await startPair();
  await using between = new AsyncDisposableStack();
  const databaseUrl = await reach(way, pair, between);
  await using cluster = await startCluster({ count: isThorough ? 2 : 1, databaseUrls: [databaseUrl] });
  const { replicas, token } = cluster;
  const [one, two] = [replicas.at(0), replicas.at(-1)] as [Replica, Replica];
  let turn = 0;
  await using reading = new Load(() => {
    const { url } = turn++ % 2 === 0 ? one : two;
    return expectStatus(fetch(`${url}/employee/position`, { headers: bearer(token) }), 200);
  });
  const writer = new Writer('employee-level', 'LEAD');
  await using writing = new Load(async () => void (await writer.write(one.url, token).catch(() => {})), {
    loops: 1,
    pauseMs: 5,
  });
  await until(async () => writer.acknowledged.size > (isThorough ? 20 : 5));
  pair.killPrimary();
  await Bun.sleep(1000);
  await pair.promoteStandby();
  const before = writer.acknowledged.size;
  const signIns = untilWorks(async () => (await fetch(two.url + (await cluster.callback()))).status === 200);
  const changes = until(async () => writer.acknowledged.size > before);
  const recoverySeconds = Math.max(await signIns, await changes);
  await reading.more(10);
  await Promise.all([writing.stop(), reading.stop()]);
  const lost = await writer.countLost(two.url, token);
  return {
    fault: `the primary killed, its synchronous standby promoted; ${way}`,
    sent: reading.sent,
    failed: reading.failed,
    lost,
    recoverySeconds,
    notes: [`${writer.acknowledged.size} changes acknowledged`, ...reading.faults].join(', '),
  };
}
