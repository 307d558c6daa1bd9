// What a running service reports about itself: metrics on their own port, traces to a collector.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import packageJson from '../../package.json';
import { Browser } from '../support/browser.ts';
import { requestToken } from '../support/callers.ts';
import { bearer, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { runFrontdesk, untilReady } from '../support/process.ts';
import { until } from '../support/waiting.ts';

interface SentSpan {
  name: string;
  spanId: string;
  parentSpanId?: string;
  traceId: string;
  status: { code?: number; message?: string };
}

const folder = makeFolder();
const [port, metricsPort] = [freePort(), freePort()];
const url = `http://localhost:${port}`;
const collected: string[] = [];
const collector = Bun.serve({
  port: 0,
  hostname: 'localhost',
  async fetch(request) {
    collected.push(`${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({});
  },
});
let child: ReturnType<typeof runFrontdesk>;
let token: string;
let code: string;
beforeAll(async () => {
  child = runFrontdesk(
    [],
    {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SERVER_TIMING: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://localhost:${collector.port}`,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    folder,
  );
  await untilReady(url);
  const browser = new Browser();
  const back = await browser.follow(`${url}/auth/login?login_hint=E-1001`, ({ pathname }) =>
    pathname.endsWith('/callback'),
  );
  code = back.url.searchParams.get('code') ?? '';
  const answer = await browser.request(back.url);
  token = ((await answer.json()) as { accessToken: string }).accessToken;
});
afterAll(async () => {
  child.kill('SIGTERM');
  await child.exited;
  collector.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

async function scrape(): Promise<string> {
  const response = await fetch(`http://localhost:${metricsPort}/metrics`);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  return response.text();
}

/** The value of a series; undefined if there is none. */
function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test("programs' requests for tokens are counted by outcome, and without their names", async () => {
  const before = readSeries(await scrape(), 'frontdesk_caller_tokens_total{outcome="success"}');
  expect((await requestToken({ url }, 'nonsense')).status).toBe(400);
  const text = await scrape();
  expect(readSeries(text, 'frontdesk_caller_tokens_total{outcome="assertion-rejected"}')).toBe(1);
  expect([before, readSeries(text, 'frontdesk_caller_tokens_total{outcome="success"}')]).toEqual([0, 0]);
});

test('requests are counted by route, method and status, not by address', async () => {
  for (let count = 0; count < 3; count++) await fetch(`${url}/employee/position`, { headers: bearer(token) });
  await fetch(`${url}/employee/position`);
  await fetch(`${url}/employee/nothing-of-the-kind`, { headers: bearer(token) });
  await fetch(`${url}/secret-path-${token.slice(0, 8)}`);
  await fetch(`${url}/auth/me`, { method: 'PROPFIND' });
  await fetch(`${url}/employee/position`, { method: 'POST' });
  const text = await scrape();
  const counted = (labels: string) => readSeries(text, `frontdesk_http_request_duration_seconds_count{${labels}}`);
  expect(counted('method="GET",route="/employee/position",status="200"')).toBe(3);
  expect(counted('method="GET",route="/employee/position",status="401"')).toBe(1);
  expect(counted('method="GET",route="/employee/{list}",status="404"')).toBe(1);
  expect(counted('method="GET",route="none",status="404"')).toBe(1);
  expect(counted('method="other",route="/auth/me",status="405"')).toBe(1);
  expect(counted('method="GET",route="/auth/login/callback",status="200"')).toBe(1);
  // The routes of lists match only GET and HEAD, so any other method is refused by the route for unknown lists.
  expect(counted('method="POST",route="/employee/{list}",status="405"')).toBe(1);
  expect(text).not.toContain('secret-path');
});

test('a token is cached once, however the header is written', async () => {
  const verified = async () => readSeries(await scrape(), 'frontdesk_token_checks_total{result="verified"}');
  const before = await verified();
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ', `Bearer${' '.repeat(500)}`]) {
    const response = await fetch(`${url}/employee/position`, { headers: { authorization: scheme + token } });
    expect([scheme, response.status]).toEqual([scheme, 200]);
  }
  expect(await verified()).toBe(before);
});

test('there are metrics of sign-ins, token checks, lists, calls and the process', async () => {
  await fetch(`${url}/auth/login/callback?code=wrong`);
  await fetch(`${url}/auth/login/callback?code=wrong&state=fd1.wrong`);
  const text = await scrape();
  expect(readSeries(text, 'frontdesk_sign_ins_total{way="bound",outcome="success"}')).toBe(1);
  expect(readSeries(text, 'frontdesk_sign_ins_total{way="code-only",outcome="code-rejected"}')).toBe(1);
  expect(readSeries(text, 'frontdesk_sign_ins_total{way="bound",outcome="login-session-lost"}')).toBe(1);
  expect(readSeries(text, 'frontdesk_token_checks_total{result="verified"}')).toBe(1);
  expect(readSeries(text, 'frontdesk_token_checks_total{result="remembered"}')).toBe(7);
  expect(readSeries(text, 'frontdesk_list_version{list="position"}')).toBe(1);
  for (const operation of ['discovery', 'token', 'userinfo', 'keys']) {
    const series = `frontdesk_provider_call_duration_seconds_count{operation="${operation}",outcome="success"}`;
    expect([operation, readSeries(text, series)]).toEqual([operation, operation === 'token' ? 2 : 1]);
  }
  expect(
    readSeries(text, 'frontdesk_database_call_duration_seconds_count{operation="select",outcome="success"}'),
  ).toBeGreaterThan(5);
  const ages = ['frontdesk_up_to_date_timestamp_seconds', 'frontdesk_list_changed_timestamp_seconds{list="position"}'];
  for (const series of ages) expect(Date.now() / 1000 - (readSeries(text, series) ?? 0)).toBeLessThan(60);
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'frontdesk_provider_known']) {
    expect(readSeries(text, name)).toBeGreaterThan(0);
  }
});

test('metrics count the database connections of each pool', async () => {
  const text = await scrape();
  for (const pool of ['write', 'read']) {
    expect(readSeries(text, `frontdesk_database_pool_connections{pool="${pool}"}`)).toBe(1);
    expect(readSeries(text, `frontdesk_database_pool_waiting{pool="${pool}"}`)).toBe(0);
    expect(readSeries(text, `frontdesk_database_pool_wait_seconds_count{pool="${pool}"}`)).toBe(0);
  }
});

test('the running version and its commit are a metric', async () => {
  expect(await scrape()).toMatch(
    new RegExp(`^frontdesk_build_info\\{version="${packageJson.version}",commit="[0-9a-f]{40}(-dirty)?"\\} 1$`, 'm'),
  );
});

test('SERVER_TIMING adds the time of the database and the provider to answers, but not to lists', async () => {
  const timingOf = async (path: string) => {
    const { status, headers } = await fetch(url + path, { headers: bearer(token) });
    expect(status).toBe(path.includes('code') ? 400 : 200);
    const parts = headers.get('server-timing')?.split(', ');
    return parts?.map((part) => /^(\w+);dur=(\d+(?:\.\d+)?)$/.exec(part)?.slice(1) ?? part);
  };
  for (const [path, callsProvider] of [
    ['/auth/me', false],
    ['/auth/login/callback?code=new-and-wrong', true],
  ] as const) {
    const timing = await timingOf(path);
    expect(timing?.map(([name]) => name)).toEqual(['db', 'provider', 'total']);
    const [database = 0, provider = 0, total = 0] = timing?.map(([, milliseconds]) => Number(milliseconds)) ?? [];
    expect([database > 0, provider > 0]).toEqual([true, callsProvider]);
    expect(total).toBeGreaterThanOrEqual(Math.max(database, provider));
  }
  expect(await timingOf('/employee/position')).toBeUndefined();
  // SERVER_TIMING is off by default.
  const desk = await startFrontdesk();
  expect((await desk.get('/auth/me', bearer(await desk.signIn()))).headers.has('server-timing')).toBe(false);
  await desk.stop();
});

test('renewals are counted by outcome', async () => {
  const browser = new Browser();
  await browser.follow(`${url}/auth/login?login_hint=E-1002`);
  const renewing = { method: 'POST', headers: { origin: url } };
  for (let count = 0; count < 2; count++) await browser.request(`${url}/auth/renew`, renewing);
  await fetch(`${url}/auth/renew`, renewing);
  const text = await scrape();
  for (const [outcome, count] of Object.entries({
    success: 1,
    'without-call': 1,
    'session-ended': 1,
    'idp-configuration': 0,
  })) {
    expect([outcome, readSeries(text, `frontdesk_renewals_total{outcome="${outcome}"}`)]).toEqual([outcome, count]);
  }
  const series = 'frontdesk_provider_call_duration_seconds_count{operation="refresh",outcome="success"}';
  expect(readSeries(text, series)).toBe(1);
});

test('a metric shows how long a changed list took to be served', async () => {
  const headers = { ...bearer(token), 'content-type': 'application/json', 'if-match': '"1"' };
  const body = JSON.stringify({ label: 'Boss' });
  await fetch(`${url}/admin/lookups/employee-level/items/LEAD`, { method: 'PATCH', headers, body });
  const text = await scrape();
  expect(readSeries(text, 'frontdesk_replica_lag_seconds_count')).toBe(1);
  expect(readSeries(text, 'frontdesk_list_version{list="employee-level"}')).toBe(2);
});

test('metrics are not on the port everybody uses, and nothing else is on theirs', async () => {
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  expect((await fetch(`http://localhost:${metricsPort}/employee/position`)).status).toBe(404);
});

test('a sign-in is one trace with its calls, without secrets or personal details', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await fetch(`${url}/auth/me`, { headers: { ...bearer(token), traceparent } });
  const spans = () =>
    collected.flatMap((request) => {
      const { resourceSpans } = JSON.parse(request.slice(request.indexOf('{'))) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    });
  const find = (name: string) => spans().find((span) => span.name === name);
  const given = () => spans().find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331');
  await until(async () => given() !== undefined);
  expect(collected.every((request) => request.startsWith('/v1/traces '))).toBe(true);
  expect(given()).toMatchObject({ name: 'GET /auth/me', traceId: '0af7651916cd43dd8448eb211c80319c' });
  const signIn = find('GET /auth/login/callback');
  const children = spans().filter(({ parentSpanId }) => parentSpanId === signIn?.spanId);
  expect(children.map(({ name }) => name)).toContain('provider token');
  expect(children.map(({ name }) => name)).toContain('provider userinfo');
  expect(children.map(({ name }) => name)).toContain('database');
  const all = collected.join('\n');
  expect(all).toContain('deployment.environment.name');
  for (const secret of [token, code, 'E-1001', 'example.com', 'eyJ']) expect(all).not.toContain(secret);
});
