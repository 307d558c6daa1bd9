// npm run bench: Frontdesk beside the limit of the machine and beside what a team would write, in one run. Each server on
// one core, the load on the other, the same bytes, the same token, several interleaved rounds, medians. Prints tables and
// writes bench/results.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, exportSPKI, importJWK, type JWK, SignJWT } from 'jose';
import packageJson from '../package.json';
import { createSealer } from '../src/auth/secret.ts';
import { bearer, freePort, makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { root } from '../test/support/process.ts';
import { startCluster } from '../test/support/replicas.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = 3;
const secretKey = 'shared by all replicas, long enough';
const folder = makeFolder();
const wrk = Bun.which('wrk');
if (wrk === null) throw new Error('wrk is not here: apt-get install wrk');
if (!existsSync(join(root, 'bench/node_modules')))
  Bun.spawnSync(['npm', 'ci', '--prefix', join(root, 'bench')], { stdio: ['ignore', 'inherit', 'inherit'] });

// One Frontdesk fills the database and signs somebody in; the token it gives is good for all.
const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase();
const publicUrl = `http://localhost:${freePort()}`;
const cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl], publicUrl });
const { token, issuer } = cluster;
const first = cluster.replicas[0]?.url ?? '';
const list = await (await fetch(`${first}/employee/position`, { headers: bearer(token) })).text();
for (let start = 0; start < 10_000; start += 2500) {
  const rows = Array.from({ length: 2500 }, (_, index) => `grade,G${start + index},Grade ${start + index}`);
  await fetch(`${first}/admin/lookups/apply`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'text/csv' },
    body: ['list,value,label', ...rows].join('\n'),
  });
}
const { keys } = (await (await fetch(`${first}/.well-known/jwks.json`)).json()) as { keys: [JWK & { kid: string }] };
const publicKeyFile = join(folder, 'key.pem');
writeFileSync(publicKeyFile, await exportSPKI((await importJWK(keys[0], 'ES256', { extractable: true })) as CryptoKey));
const listFile = join(folder, 'list.json');
writeFileSync(listFile, list);
await Promise.all(cluster.replicas.map((replica) => replica.stop()));

/** Ten thousand tokens as the service itself would sign them, and one of the type that Hono insists on. */
async function makeTokens(): Promise<{ script: string; plainToken: string }> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const [row] = await postgres.query("select private_key from signing_key where state = 'active'", name);
  const jwk = await (await createSealer(secretKey, 'signing keys')).open(String(row?.private_key));
  const key = await importJWK(JSON.parse(jwk ?? '') as JWK, 'ES256');
  const now = Math.floor(Date.now() / 1000);
  const { sid } = decodeJwt<{ sid: string }>(token);
  const sign = (index: number, typ: string, session: string) =>
    new SignJWT({ client_id: 'desk', sid: session, roles: ['EMPLOYEE'] })
      .setProtectedHeader({ alg: 'ES256', kid: keys[0].kid, typ })
      .setIssuer(publicUrl)
      .setAudience(publicUrl)
      .setSubject(`E-${index}`)
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .setJti(crypto.randomUUID())
      .sign(key);
  const tokens = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => sign(index, 'at+jwt', crypto.randomUUID())),
  );
  const file = join(folder, 'tokens.lua');
  writeFileSync(
    file,
    `local tokens = {\n${tokens.map((each) => `"${each}"`).join(',\n')}\n}
local n = 0
request = function()
  n = n % #tokens + 1
  return wrk.format("GET", nil, { Authorization = "Bearer " .. tokens[n] })
end`,
  );
  return { script: file, plainToken: await sign(0, 'JWT', sid) };
}

interface Peer {
  name: string;
  kind: 'frontdesk' | 'limit' | 'team';
  command: string[];
  env?: Record<string, string>;
  /** Where it takes no other. */
  token?: string;
}

const { script: tokensScript, plainToken } = await makeTokens();
const peer = (file: string) => join(root, 'bench/peers', file);
const node = Bun.which('node') ?? 'node';
const go = Bun.which('go');
const goServer = join(folder, 'go-server');
if (go !== null) Bun.spawnSync([go, 'build', '-o', goServer, peer('main.go')], { stderr: 'inherit' });
const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx');

const field: Peer[] = [
  { name: 'Frontdesk', kind: 'frontdesk', command: [process.execPath, '--no-env-file', join(root, 'src/main.ts')] },
  { name: 'bare Bun.serve, no authentication', kind: 'limit', command: [process.execPath, peer('bare-bun.ts')] },
  { name: 'bare node:http, no authentication', kind: 'limit', command: [node, peer('bare-node.mjs')] },
  ...(nginx === null
    ? []
    : [
        {
          name: 'nginx, a file, no authentication',
          kind: 'limit' as const,
          command: [nginx, '-p', folder, '-c', 'nginx.conf'],
        },
      ]),
  ...(go === null
    ? []
    : [
        { name: 'Go net/http, ES256 each time', kind: 'limit' as const, command: [goServer] },
        {
          name: 'Go net/http, tokens remembered',
          kind: 'limit' as const,
          command: [goServer],
          env: { MEMORY: 'true' },
        },
      ]),
  { name: 'NestJS, passport-jwt, TypeORM', kind: 'team', command: [node, peer('nest.mjs')] },
  { name: 'Express 5, jsonwebtoken, pg', kind: 'team', command: [node, peer('express.mjs')] },
  { name: 'Fastify, @fastify/jwt, pg', kind: 'team', command: [node, peer('fastify.mjs')] },
  { name: 'Hono, its jwt, pg', kind: 'team', command: [node, peer('hono.mjs')], token: plainToken },
];

interface Running {
  url: string;
  startSeconds: number;
  residentMiB(): number;
  stop(): Promise<void>;
}

async function start({ command, env = {}, name, token: own = token }: Peer): Promise<Running> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  if (name.startsWith('nginx')) {
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; user root; pid ${folder}/nginx.pid; error_log /dev/null; worker_processes 1; events { worker_connections 2048; }
http { access_log off; keepalive_requests 100000000; server { listen 127.0.0.1:${port} reuseport; location / { default_type application/json; alias ${listFile}; } location = /employee/position { default_type application/json; alias ${listFile}; } } }`,
    );
  }
  const began = performance.now();
  const child = Bun.spawn(['taskset', '-c', '0', ...command], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      LIST_FILE: listFile,
      PUBLIC_KEY_FILE: publicKeyFile,
      ISSUER: publicUrl,
      AUDIENCE: publicUrl,
      PUBLIC_URL: publicUrl,
      SECRET_KEY: secretKey,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'desk',
      OIDC_CLIENT_SECRET: 'a secret of theirs',
      RATE_LIMIT_API: '100000000/1m',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}/employee/position`, { headers: bearer(own) }).then(
      async (response) => response.ok && (await response.text()) === list,
      () => false,
    );
    if (isUp) break;
    if (tries > 3000) throw new Error(`${name} does not serve the list`);
    await Bun.sleep(5);
  }
  return {
    url,
    startSeconds: (performance.now() - began) / 1000,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

interface Load {
  perSecond: number;
  p99Ms: number;
}

function load(
  url: string,
  options: { headers?: Record<string, string>; script?: string; connections?: number; time?: number } = {},
): Load {
  const { headers = bearer(token), script, connections = 64, time = seconds } = options;
  const { stdout } = Bun.spawnSync([
    'taskset',
    '-c',
    '1',
    wrk ?? 'wrk',
    '-t1',
    `-c${connections}`,
    `-d${time}s`,
    '--latency',
    ...(script === undefined ? [] : ['-s', script]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ]);
  const text = stdout.toString();
  if (/Non-2xx|Socket errors: (?!connect 0, read 0, write 0)/.test(text)) throw new Error(`${url}\n${text}`);
  const [, amount = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? [];
  const factor = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]), p99Ms: Number(amount) * factor };
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const results: Record<string, Record<string, number[]>> = {};
const record = (name: string, what: string, value: number) => {
  results[name] ??= {};
  results[name][what] ??= [];
  results[name][what].push(value);
};
const of = (name: string, what: string) => median(results[name]?.[what] ?? []);

for (let round = 0; round < rounds; round++) {
  for (const each of field) {
    const running = await start(each);
    record(each.name, 'start s', running.startSeconds);
    record(each.name, 'idle MiB', running.residentMiB());
    const path = `${running.url}/employee/position`;
    const headers = bearer(each.token ?? token);
    load(path, { time: 1, headers });
    const { perSecond, p99Ms } = load(path, { headers });
    record(each.name, 'list /s', perSecond);
    record(each.name, 'p99 ms', p99Ms);
    record(each.name, 'loaded MiB', running.residentMiB());
    if (each.kind !== 'limit') {
      load(`${running.url}/auth/me`, { time: 1, headers });
      record(each.name, 'me /s', load(`${running.url}/auth/me`, { headers }).perSecond);
    }
    if (each.kind === 'frontdesk') {
      const tag = (await fetch(path, { headers: bearer(token) })).headers.get('etag') ?? '';
      record(each.name, '304 /s', load(path, { headers: { ...bearer(token), 'if-none-match': tag } }).perSecond);
      record(each.name, 'gzip /s', load(path, { headers: { ...bearer(token), 'accept-encoding': 'gzip' } }).perSecond);
      load(path, { script: tokensScript, headers: {}, time: 2 });
      record(each.name, '10,000 tokens /s', load(path, { script: tokensScript, headers: {} }).perSecond);
      record(each.name, '10,000 items /s', load(`${running.url}/employee/grade`).perSecond);
      for (const connections of [1, 10, 100, 1000])
        record(each.name, `${connections} connections /s`, load(path, { connections }).perSecond);
    }
    await running.stop();
    process.stderr.write(`round ${round + 1}: ${each.name} ${perSecond.toFixed(0)}/s\n`);
  }
}
await cluster.stop();
await postgres.stop();

const desk = 'Frontdesk';
const bun = 'bare Bun.serve, no authentication';
const team = field.filter(({ kind }) => kind === 'team').map(({ name }) => name);
const best = (what: string) => Math.max(...team.map((name) => of(name, what)));
const least = (what: string) => Math.min(...team.map((name) => of(name, what)));
const columns = ['list /s', 'p99 ms', 'me /s', 'start s', 'idle MiB', 'loaded MiB'];
const lines = [
  `${'median of '.concat(String(rounds), ' rounds').padEnd(36)}${columns.map((column) => column.padStart(12)).join('')}`,
  ...field.map(
    ({ name }) =>
      `${name.padEnd(36)}${columns.map((column) => (results[name]?.[column] === undefined ? '' : of(name, column).toFixed(of(name, column) < 100 ? 2 : 0)).padStart(12)).join('')}`,
  ),
  '',
  ...Object.keys(results[desk] ?? {})
    .filter((what) => !columns.includes(what))
    .map((what) => `Frontdesk, ${what.padEnd(25)}${of(desk, what).toFixed(0).padStart(12)}`),
  '',
];
const bars: [string, number, 'at least' | 'at most', number][] = [
  ['a list beside bare Bun.serve without authentication', of(desk, 'list /s') / of(bun, 'list /s'), 'at least', 0.8],
  ['a list beside the best of the four peers', of(desk, 'list /s') / best('list /s'), 'at least', 10],
  ['304 beside 200', of(desk, '304 /s') / of(desk, 'list /s'), 'at least', 1],
  ['10,000 tokens beside one', of(desk, '10,000 tokens /s') / of(desk, 'list /s'), 'at least', 0.7],
  ['/auth/me beside the best peer', of(desk, 'me /s') / best('me /s'), 'at least', 3],
  ['start beside NestJS', of(desk, 'start s') / of('NestJS, passport-jwt, TypeORM', 'start s'), 'at most', 0.5],
  ['memory under load beside the smallest peer', of(desk, 'loaded MiB') / least('loaded MiB'), 'at most', 1],
];
for (const [what, ratio, relation, bar] of bars) {
  const isMet = relation === 'at least' ? ratio >= bar : ratio <= bar;
  lines.push(`${isMet ? 'met   ' : 'MISSED'} ${what.padEnd(54)}${ratio.toFixed(2).padStart(8)}   ${relation} ${bar}`);
}
process.stdout.write(`${lines.join('\n')}\n`);
writeFileSync(
  join(root, 'bench/results.json'),
  `${JSON.stringify(
    {
      at: new Date().toISOString(),
      machine: { cpu: cpus()[0]?.model, cores: cpus().length },
      versions: {
        frontdesk: packageJson.version,
        bun: Bun.version,
        node: Bun.spawnSync([node, '--version']).stdout.toString().trim(),
      },
      load: 'wrk, 1 thread, 64 connections',
      rounds,
      seconds,
      bars: Object.fromEntries(bars.map(([what, ratio]) => [what, Number(ratio.toFixed(3))])),
      results,
    },
    null,
    2,
  )}\n`,
);
process.exit(0);
