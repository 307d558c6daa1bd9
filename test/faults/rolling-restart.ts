// Three replicas behind nginx, set up by deploy/nginx.conf, are restarted one after the other.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { freePort } from '../support/ports.ts';
import { patient } from '../support/postgres.ts';
import { root } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { type Replica, secondsToStart, startCluster, Writer } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

const tls = join(root, 'test/support/tls');
const trust: BunFetchRequestInit = { tls: { ca: readFileSync(join(tls, 'ca.pem'), 'utf8') } };

export async function restartReplicas(databaseUrl: string, rounds: number): Promise<FaultReport> {
  const port = freePort();
  const url = `https://localhost:${port}`;
  await using cluster = await startCluster({
    count: 3,
    databaseUrls: [patient(databaseUrl)],
    publicUrl: url,
    env: { TRUST_PROXY: '1' },
  });
  const { replicas, token, folder } = cluster;
  await using _nginx = startNginx(folder, port, replicas);
  const ask = (path: string) => fetch(url + path, { headers: bearer(token), ...trust });
  await untilWorks(async () => (await ask('/health/ready')).ok);

  await using reading = new Load(() => expectStatus(ask('/employee/position'), 200));
  await using asking = new Load(() => expectStatus(ask('/auth/me'), 200), { loops: isThorough ? 2 : 1 });
  await using signingIn = new Load(async () => expectStatus(ask(await cluster.callback()), 200), {
    loops: 1,
    pauseMs: 20,
  });
  const writer = new Writer('employee-level', 'LEAD', trust);
  await using writing = new Load(async () => ((await writer.write(url, token)) ? undefined : 'a change was refused'), {
    loops: 1,
    pauseMs: 20,
  });
  const loads = [reading, asking, signingIn, writing];

  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    for (const replica of replicas) {
      await replica.stop();
      longest = Math.max(longest, await secondsToStart(replica));
    }
  }
  await Promise.all(loads.map((load) => load.more(5)));
  await Promise.all(loads.map((load) => load.stop()));
  const lost = await writer.countLost(replicas[0]?.url ?? '', token);
  const sum = (pick: (load: Load) => number) => loads.reduce((total, load) => total + pick(load), 0);
  return {
    fault: `rolling restart of three replicas behind nginx, ${rounds} rounds`,
    sent: sum(({ sent }) => sent),
    failed: sum(({ failed }) => failed),
    lost,
    recoverySeconds: longest,
    notes: [`${writer.acknowledged.size} changes acknowledged`, ...loads.flatMap(({ faults }) => faults)].join(', '),
  };
}

/** Starts nginx with deploy/nginx.conf, in which only ports, addresses and the certificate are replaced. */
function startNginx(folder: string, port: number, replicas: readonly Replica[]): Bun.Subprocess {
  const documented = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
  let index = 0;
  const site = documented
    .replaceAll(/server 10\.0\.0\.\d+:3000/g, () => `server ${new URL(replicas[index++]?.url ?? '').host}`)
    .replace('listen 443 ssl', `listen ${port} ssl`)
    .replace('desk.example.com', 'localhost')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${tls}/localhost.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${tls}/localhost.key;`);
  if (index !== replicas.length) throw new Error('deploy/nginx.conf has no upstream of three');
  mkdirSync(join(folder, 'nginx'));
  const own = ['client_body_temp_path', 'proxy_temp_path', 'fastcgi_temp_path', 'uwsgi_temp_path', 'scgi_temp_path']
    .map((name) => `${name} ${folder}/nginx/${name};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    // A single process, because workers would outlive a killed master.
    `daemon off; master_process off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events {} http { access_log off; ${own}\n${site} }`,
  );
  return Bun.spawn([programPath('nginx'), '-p', folder, '-c', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
