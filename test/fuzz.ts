// npm test -- fuzz: sends random requests to every route; the same seed repeats them. First come malformed and hostile
// requests: the run exits with 1 if an answer is not in the table of problems, a secret appears in an answer or a log line,
// the service dies, or its memory grows. It then sends a quarter as many requests generated from the contract's schemas, as
// each kind of person. The contract must document every answer. test/service/contract-fuzz.test.ts sends fewer of these.
//   npm test -- fuzz --requests 60000 --seed 1 --postgres
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { problemTable } from '../src/http/problem-table.ts';
import { fuzzContract } from './support/contract-fuzz.ts';
import { makeFolder, startFrontdesk } from './support/frontdesk.ts';
import { startHostileProvider } from './support/hostile-provider.ts';
import { freePort } from './support/ports.ts';
import { startPostgres } from './support/postgres.ts';
import { runFrontdesk, untilReady } from './support/process.ts';
import { programPath } from './support/programs.ts';
import { createRandom, type Random } from './support/random.ts';

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    requests: { type: 'string', default: '60000' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
});
const total = Number(values.requests);
const workers = 16;

const secretKey = 'FUZZ-SECRET-KEY which nobody may ever see';
const folder = makeFolder();
const port = freePort();
const url = `http://localhost:${port}`;
const provider = await startHostileProvider();
const postgres = values.postgres ? await startPostgres() : undefined;
const child = runFrontdesk(
  [],
  {
    ...(postgres !== undefined && { DATABASE_URL: await postgres.createDatabase() }),
    ...provider.env,
    OIDC_CLIENT_SECRET: 'FUZZ-CLIENT-SECRET',
    PORT: String(port),
    SECRET_KEY: secretKey,
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    RATE_LIMIT_LOGIN: '100000000/1h',
    RATE_LIMIT_API: '100000000/1h',
    CORS_ORIGINS: 'https://app.example.com',
  },
  folder,
);
const log = new Response(child.stdout).text();
const errors = new Response(child.stderr).text();
await untilReady(url);

const login = await fetch(`${url}/auth/login/callback?code=fuzz-first`);
const { accessToken } = (await login.json()) as { accessToken: string };
const [head = '', payload = '', signature = ''] = accessToken.split('.');
const contract = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
const paths = [...Object.keys(contract.paths), '/', '/docs', '/docs/docs.js', '/nothing', '/auth', '/employee'];

/** Texts that must not appear in any answer or log line. */
const secrets = [secretKey, 'FUZZ-CLIENT-SECRET', 'provider-access-token', 'FUZZCODE', 'FUZZVERIFIER', signature];
const personal = ['Erin Moss', 'erin@example.com'];

const oddities = [
  '',
  ' ',
  '%00',
  '%0d%0aX-Injected:1',
  '%ff',
  '%zz',
  "'",
  '"',
  '<script>',
  '../../etc',
  '__proto__',
  'é',
  '😀',
  '*',
  '-1',
  '9'.repeat(40),
  'A'.repeat(3000),
];
const parameterNames = [
  'code',
  'state',
  'iss',
  'error',
  'nonce',
  'code_verifier',
  'redirect_uri',
  'login_hint',
  'access_token',
  'post_logout_redirect_uri',
  'include',
  'x',
  'code[]',
];

function parameterValue(random: Random, name: string): string {
  if (name === 'code') return random.pick(['FUZZCODE', `FUZZCODE${random.below(1e9)}`, ...oddities]);
  if (name === 'code_verifier') return 'FUZZVERIFIER';
  if (name === 'state') return random.pick(['fd1.', `fd1.${'s'.repeat(43)}`, 'fd1.%0d%0a', 'mine', ...oddities]);
  if (name === 'iss') return random.pick([provider.issuer, 'https://evil.example', ...oddities]);
  return random.pick([...oddities, url, `${url}/`, 'E-1001', 'access_denied']);
}

function makeQuery(random: Random): string {
  const pairs = Array.from({ length: random.below(5) }, () => {
    const name = random.pick(parameterNames);
    return `${name}=${parameterValue(random, name)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function makeToken(random: Random): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  switch (random.below(9)) {
    case 0:
      return `${encode({ ...header, alg: random.pick(['none', 'HS256', 'RS256', 7, null]) })}.${payload}.${signature}`;
    case 1:
      return `${encode({ ...header, kid: random.pick(['../x', '__proto__', 'x'.repeat(500), 7, {}]) })}.${payload}.${signature}`;
    case 2:
      return `${head}.${encode({ ...claims, [random.pick(Object.keys(claims))]: random.pick([null, 7, '', [], {}]) })}.${signature}`;
    case 3:
      return `${head}.${payload}.${signature.slice(0, random.below(signature.length))}`;
    case 4:
      return `${head}.${payload}`;
    case 5:
      return random.pick(oddities.slice(4)).replaceAll(/[^\x21-\x7e]/g, 'x');
    case 6:
      return 'a.b.c';
    default:
      return accessToken;
  }
}

function makeHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.7)) {
    const scheme = random.pick(['Bearer ', 'bearer ', 'Basic ', 'Bearer  ', '', 'Bearer x, Bearer ']);
    headers.authorization = random.chance(0.6) ? `Bearer ${accessToken}` : scheme + makeToken(random);
  }
  if (random.chance(0.2))
    headers['accept-encoding'] = random.pick(['gzip', 'br;q=0', '*;q=x', ',,,', 'zstd, br', 'q=']);
  if (random.chance(0.2)) headers['if-none-match'] = random.pick(['*', '"x"', 'W/"', ',', '"'.repeat(900)]);
  if (random.chance(0.2)) headers.origin = random.pick(['https://app.example.com', 'null', 'https://evil.example']);
  if (random.chance(0.1)) headers['x-forwarded-for'] = random.pick(['1.1.1.1', 'x', ',', '1'.repeat(2000)]);
  if (random.chance(0.1))
    headers.cookie = random.pick(['fd_login_=x', `fd_login_${'s'.repeat(16)}=a.b.c.d.e`, '=;=', 'x'.repeat(2000)]);
  if (random.chance(0.1)) headers['sec-purpose'] = 'prefetch';
  if (random.chance(0.1)) headers['access-control-request-method'] = 'GET';
  return headers;
}

/** Every ID token that the provider signed, and every verifier and nonce of a sign-in. */
const learnt = new Set<string>();
const provides = provider.sign;
provider.sign = async (...words) => {
  const token = await provides(...words);
  learnt.add(token.split('.')[2] ?? token);
  return token;
};

const faults: string[] = [];
const statuses = new Map<number, number>();

function blame(fault: string): void {
  if (faults.length < 20) faults.push(fault);
}

interface Asked {
  what: string;
  token: string | undefined;
  origin: string | undefined;
  isProtected: boolean;
}

function judgeAnswer({ what, token, origin, isProtected }: Asked, response: Response, body: string): void {
  // The page at / repeats its query in a header, so the client gets back what it sent.
  const isEcho = /^\w+ \/(\?|$)/.test(what);
  const headers = isEcho ? '' : JSON.stringify([...response.headers]);
  judge(what, response.status, response.headers.get('content-type'), body);
  for (const secret of [...secrets, ...personal]) {
    if (headers.includes(secret)) blame(`${what}: a header contains ${secret.slice(0, 12)}…`);
  }
  for (const secret of learnt)
    if (body.includes(secret)) blame(`${what}: the answer contains a token from the provider`);
  if (/"d":"|"private/.test(body) && what.includes('jwks')) blame(`${what}: a private key is published`);
  const isOpened = response.headers.get('access-control-allow-origin');
  if (isOpened !== null && isOpened !== 'https://app.example.com') blame(`${what}: open to ${isOpened}`);
  if (isOpened !== null && origin !== isOpened) blame(`${what}: allowed an origin other than the one that asked`);
  if (isProtected && token !== accessToken && ![400, 401, 404, 405, 431].includes(response.status)) {
    blame(`${what}: ${response.status} without one of our tokens`);
  }
}

function judge(what: string, status: number, type: string | null, body: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  // 431 comes from the HTTP server itself, without a body.
  if (status >= 400 && !(status === 431 && body === '')) {
    // OAuth errors have the address of the problem's page in `error_uri`, not in `type`.
    const isOAuth = type === 'application/json' && what.startsWith('POST /auth/token');
    const refusal = isOAuth || type === 'application/problem+json' ? JSON.parse(body || '{}') : {};
    const [, code] = String(isOAuth ? refusal.error_uri : refusal.type).split('/problems/');
    const row = Object.entries(problemTable).find(([name]) => name === code)?.[1];
    const isBodyless = body === '' && type === 'application/problem+json';
    if (!isBodyless && row?.status !== status) blame(`${what}: ${status} is not in the table (${type})`);
    if (status === 500) blame(`${what}: 500`);
  }
  for (const secret of secrets) {
    const isTheirToken = secret === signature && status === 200;
    if (body.includes(secret) && !isTheirToken) blame(`${what}: the answer contains ${secret.slice(0, 12)}…`);
  }
}

async function askOnce(random: Random): Promise<void> {
  const method = random.pick([
    ...Array<string>(12).fill('GET'),
    'POST',
    'POST',
    'PUT',
    'PATCH',
    'HEAD',
    'OPTIONS',
    'DELETE',
  ]);
  const list = random.pick(['position', 'employee-level', 'x', ...oddities.slice(2, 12)]);
  const path = random.pick(paths).replace(/\{\w+\}/, () => encodeURI(list)) + makeQuery(random);
  // A logout with the token would end the session that all other requests depend on.
  const headers = makeHeaders(random);
  if (path.startsWith('/auth/logout') && method === 'POST') delete headers.authorization;
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && random.chance(0.7);
  if (hasBody)
    headers['content-type'] = random.pick(['application/x-www-form-urlencoded', 'application/json', 'x', '']);
  const body = hasBody
    ? random.pick(['logout_token=a.b.c', `logout_token=${accessToken}`, '{', 'x'.repeat(1000)])
    : undefined;
  const init = { method, headers, redirect: 'manual' as const, ...(body !== undefined && { body }) };
  const response = await fetch(url + path, init);
  const isProtected = /^\/(employee\/|auth\/me|lookups|admin)/.test(path) && method !== 'OPTIONS';
  // The service's own tokens are only ever sent with the Bearer scheme.
  const token = /^bearer +([^\s,]+)$/i.exec(headers.authorization ?? '')?.[1];
  // The stream of changes does not end by itself.
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  judgeAnswer({ what: `${method} ${path}`, token, origin: headers.origin, isProtected }, response, text);
}

/** Signs in as a browser does, with the real cookie. No value of the sign-in may leak. */
async function signInBound(random: Random): Promise<void> {
  const begun = await fetch(`${url}/auth/login`, { redirect: 'manual' });
  const query = new URL(begun.headers.get('location') ?? url).searchParams;
  const nonce = query.get('nonce') ?? '';
  learnt.add(nonce);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const state = random.chance(0.8) ? (query.get('state') ?? '') : 'fd1.wrong';
  const callback = `/auth/login/callback?code=FUZZCODE${random.below(1e9)}&state=${state}`;
  const response = await fetch(url + callback, { headers: { cookie } });
  // This provider does not return the nonce, so the sign-in is refused. Nothing about it may leak.
  judgeAnswer(
    { what: 'a bound sign-in', token: undefined, origin: undefined, isProtected: false },
    response,
    await response.text(),
  );
}

/** Requests that no client library would send. */
function askRaw(random: Random): Promise<void> {
  const bytes = Array.from({ length: 20 + random.below(300) }, () => random.below(256));
  const heads = [
    `GET ${random.pick(paths)} HTTP/1.1\r\nHost: ${random.pick(['[', '', 'a b', 'x:99999', 'é'])}\r\n\r\n`,
    `GET /auth/login/callback?code=FUZZCODE HTTP/1.${random.below(3)}\r\n${random.chance(0.5) ? 'Host: [\r\n' : ''}\r\n`,
    `POST /auth/backchannel-logout HTTP/1.1\r\nHost: x\r\nContent-Length: ${random.pick(['-1', '99999999', 'x', '5'])}\r\n\r\nabc`,
    Buffer.from(bytes),
  ];
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(random.pick(heads)));
    const timer = setTimeout(() => socket.destroy(), 200);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      if (/^HTTP\/1\.1 500/.test(text)) blame(`raw: ${text.slice(0, 200)}`);
      resolve();
    });
  });
}

const residentMiB = () => {
  const { stdout } = Bun.spawnSync([programPath('ps'), '-o', 'rss=', '-p', String(child.pid)]);
  return Number(stdout.toString()) / 1024;
};

async function run(share: number, seed: number): Promise<void> {
  const each = Math.ceil((total * share) / workers);
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const random = createRandom(seed * 1000 + worker);
      for (let count = 0; count < each; count++) {
        await (random.chance(0.02)
          ? askRaw(random)
          : random.chance(0.01)
            ? signInBound(random)
            : askOnce(random)
        ).catch((error: unknown) => {
          blame(`no answer: ${(error as { code?: unknown }).code ?? error}`);
        });
      }
    }),
  );
}

const seed = Number(values.seed);
const startedAt = performance.now();
await run(0.4, seed * 3);
const early = residentMiB();
await run(0.3, seed * 3 + 1);
const halfway = residentMiB();
await run(0.3, seed * 3 + 2);
const end = residentMiB();
const seconds = (performance.now() - startedAt) / 1000;

const isAlive = (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok === true;
if (!isAlive) blame('the service no longer answers');
const stillMe = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } });
if (stillMe.status !== 200) blame(`the session did not survive: ${stillMe.status}`);
// Caches may still grow in one of the last two parts of the run, but only a leak makes memory grow in both.
if (end > halfway + 8 && halfway > early + 8) {
  blame(`memory grew: ${early.toFixed(0)}, ${halfway.toFixed(0)}, ${end.toFixed(0)} MiB`);
}

child.kill('SIGTERM');
const [lines, printed, exitCode] = await Promise.all([log, errors, child.exited]);
if (exitCode !== 0) blame(`it ended with ${exitCode}`);
if (printed !== '') blame(`it printed to stderr: ${printed.slice(0, 300)}`);
for (const secret of [...secrets, ...personal, ...learnt]) {
  if (lines.includes(secret)) blame(`a log line contains ${secret.slice(0, 12)}…`);
}
provider.stop();

const desk = await startFrontdesk({
  ...(postgres !== undefined && { DATABASE_URL: await postgres.createDatabase(), SECRET_KEY: secretKey }),
  RATE_LIMIT_API: '0',
});
const byContract = await fuzzContract({ url: desk.url, seed, requests: Math.ceil(total / 4) });
await desk.stop();
faults.push(...byContract.faults);
const kinds = [...byContract.counts].sort(([a], [b]) => a.localeCompare(b)).map(([kind, count]) => `${kind}: ${count}`);
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });

const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
process.stdout.write(
  [
    `seed ${seed}: ${sent} answers judged in ${seconds.toFixed(0)} s, ${byStatus.join(', ')}`,
    `memory: ${early.toFixed(0)} MiB after two fifths, ${halfway.toFixed(0)} later, ${end.toFixed(0)} at the end; ${lines.split('\n').length - 1} log lines searched`,
    `by the contract: ${Math.ceil(total / 4)} answers, ${kinds.join(', ')}`,
    ...faults.map((fault) => `FAULT  ${fault}`),
    faults.length === 0 ? 'no fault found' : `${faults.length} faults found`,
    '',
  ].join('\n'),
);
process.exit(faults.length === 0 ? 0 : 1);
