// Clients that keep connections open without sending anything, never finish a request, or leave before the answer.
import { connect, type Socket } from 'node:net';
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { programPath } from '../support/programs.ts';
import { startCluster } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

const [idle, slowHeads, endlessBodies, vanishing] = isThorough ? [2000, 200, 200, 2000] : [500, 100, 100, 200];

export async function sendSlowAndBrokenRequests(databaseUrl: string, seconds: number): Promise<FaultReport> {
  await using cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl] });
  const { token } = cluster;
  const [replica] = cluster.replicas;
  if (replica === undefined) throw new Error('no replica');
  const port = Number(new URL(replica.url).port);
  const ask = () => expectStatus(fetch(`${replica.url}/employee/position`, { headers: bearer(token) }), 200);
  const residentMiB = () => {
    const { stdout } = Bun.spawnSync([programPath('ps'), '-o', 'rss=', '-p', String(replica.pid())]);
    return Number(stdout.toString()) / 1024;
  };
  await using alone = new Load(ask);
  await Promise.all([Bun.sleep((seconds * 1000) / 2), alone.more(10)]);
  await alone.stop();
  const memoryBefore = residentMiB();

  const open = new Set<Socket>();
  await using started = new AsyncDisposableStack();
  started.defer(() => {
    for (const socket of open) socket.destroy();
  });
  const dial = (first: string): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(first, () => resolve(socket)));
      socket.on('error', reject);
      open.add(socket);
    });
  const several = (count: number, first: string) => Promise.all(Array.from({ length: count }, () => dial(first)));

  await several(idle, '');
  const heads = await several(slowHeads, 'GET /employee/position HTTP/1.1\r\nHost: x\r\n');
  const post = 'POST /lookups/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const bodies = await several(endlessBodies, `${post}${authorization(token)}Transfer-Encoding: chunked\r\n\r\n`);
  await using honest = new Load(ask);
  using _dribble = setInterval(() => {
    for (const socket of heads) socket.write('X-A: b\r\n');
    for (const socket of bodies) socket.write(`800\r\n${' '.repeat(2048)}\r\n`);
  }, 100);
  for (let sent = 0; sent < vanishing; sent += 50) {
    const gone = await several(50, `GET /lookups HTTP/1.1\r\nHost: x\r\n${authorization(token)}\r\n`);
    for (const socket of gone) socket.destroy();
    await Bun.sleep(100);
  }
  await Promise.all([Bun.sleep(seconds * 1000), honest.more(10)]);
  await honest.stop();
  const memoryDuring = residentMiB();
  for (const socket of open) socket.destroy();
  const recoverySeconds = await untilWorks(async () => (await ask()) === undefined);
  const growth = memoryDuring - memoryBefore;
  const latency = (load: Load) => `${load.percentile(0.5).toFixed(1)}/${load.percentile(0.99).toFixed(1)} ms`;
  return {
    fault: `${idle} idle, ${slowHeads} slow, ${endlessBodies} endless, ${vanishing} vanishing clients`,
    sent: honest.sent,
    failed: honest.failed + (growth > maxGrowthMiB ? 1 : 0),
    lost: 0,
    recoverySeconds,
    notes: [
      `p50/p99 ${latency(alone)} before, ${latency(honest)} during; memory ${memoryBefore.toFixed(0)} → ${memoryDuring.toFixed(0)} MiB`,
      ...honest.faults,
    ].join(', '),
  };
}

/** Two hundred bodies of 256 KiB take 50 MiB; the rest is for connections. */
const maxGrowthMiB = 150;
const authorization = (token: string) => `Authorization: Bearer ${token}\r\n`;
