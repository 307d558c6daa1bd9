// Faults: the disk is full, or the folder is read-only.
import { Database } from 'bun:sqlite';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { executable } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { startCluster, Writer } from '../support/replicas.ts';
import { until } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

/** A file size limit makes writes fail, as a full disk does. Unlike a full disk, the limit can be lifted. */
export async function fillDisk(folder: string): Promise<FaultReport> {
  const file = join(folder, 'frontdesk.db');
  await using cluster = await startCluster({ count: 1, databaseUrls: [`sqlite:${file}`], limits: 'ulimit -S -f 1200' });
  const { token } = cluster;
  const [replica] = cluster.replicas;
  if (replica === undefined) throw new Error('no replica');
  const { url } = replica;
  await using reading = new Load(() =>
    expectStatus(fetch(`${url}/employee/position`, { headers: bearer(token) }), 200),
  );
  const writer = new Writer('employee-level', 'LEAD');
  const statuses = new Set<number>();
  await using writing = new Load(
    async () => {
      if (await writer.write(url, token)) return undefined;
      const code = await cluster.callback();
      const response = await fetch(url + code);
      statuses.add(response.status);
      await response.arrayBuffer();
      return undefined;
    },
    { loops: 2, pauseMs: 0 },
  );
  await until(async () => statuses.has(503));
  await Promise.all([reading.more(20), writing.more(20)]);
  const isAlive = (await fetch(`${url}/health/live`)).ok;
  Bun.spawnSync([programPath('prlimit'), '--pid', String(replica.pid()), '--fsize=unlimited']);
  const before = writer.acknowledged.size;
  const recoverySeconds = await until(async () => writer.acknowledged.size > before + 3);
  await Promise.all([reading.stop(), writing.stop()]);
  const lost = await writer.countLost(url, token);
  await cluster.stop();
  const database = new Database(file, { readonly: true });
  const [verdict] = database.query<{ integrity_check: string }, []>('pragma integrity_check').all();
  database.close();
  const others = [...statuses].filter((status) => status !== 503 && status !== 200);
  return {
    fault: 'disk full, SQLite',
    sent: reading.sent + writing.sent,
    failed: reading.failed + others.length + (isAlive ? 0 : 1),
    lost: lost + (verdict?.integrity_check === 'ok' ? 0 : 1),
    recoverySeconds,
    notes: [`${writer.acknowledged.size} changes acknowledged, file intact`, ...reading.faults].join(', '),
  };
}

/** Runs under a separate account if the tests run as root, because file permissions do not stop root. */
export async function startOnReadOnlyFolder(folder: string): Promise<FaultReport> {
  chmodSync(folder, 0o755);
  // Uses the executable, because that account cannot read every folder that a clone may be in.
  const program = join(folder, 'frontdesk');
  copyFileSync(executable(), program);
  chmodSync(program, 0o755);
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o555);
  const start = performance.now();
  const account =
    process.getuid?.() === 0 ? [programPath('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...account, program], {
    cwd: folder,
    env: { DATABASE_URL: `sqlite:${data}/frontdesk.db` },
  });
  const message = stderr.toString();
  const check = Bun.spawnSync([...account, program, 'check'], {
    cwd: folder,
    env: { DATABASE_URL: `sqlite:${data}/frontdesk.db` },
  });
  const advice = "cannot be opened (EACCES): make the folder writable for the service's account\n";
  const isChecked = check.exitCode === 1 && check.stdout.toString().includes(advice);
  const isClear = exitCode === 78 && stdout.length === 0 && /frontdesk\.db cannot be opened \(\w+\)\n$/.test(message);
  return {
    fault: 'data folder read-only at startup',
    sent: 2,
    failed: isClear && isChecked ? 0 : 1,
    lost: readdirSync(data).length + (existsSync(data) && statSync(data).isDirectory() ? 0 : 1),
    recoverySeconds: (performance.now() - start) / 1000,
    notes: `exit ${exitCode}: ${message.trim().replace(folder, '…')}`,
  };
}
