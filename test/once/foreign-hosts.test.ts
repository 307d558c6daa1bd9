// A page whose host name was pointed at this machine (DNS rebinding) gets nothing from a developer's service.
import { expect, test } from 'bun:test';
import { Browser } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);

const ask = (origin: string, host: string) => fetch(`${origin}/health/live`, { headers: { host } });
const portOf = (url: string) => new URL(url).port;

test.each(['evil.example', 'localhost.evil.example', 'evil.example:8080', '127.0.0.1.evil.example', '[::2]', 'a b'])(
  'the host %p is refused by the service and by the development provider',
  async (host) => {
    await expectProblem(await ask(desk.url, host), 'misdirected-request', 421);
    expect((await fetch(`${desk.issuer}/`, { headers: { host } })).status).toBe(421);
  },
);

test.each(['localhost', 'app.localhost:3000', '127.0.0.1', '127.1.2.3:1', '[::1]:80'])(
  'the host %p is served by both',
  async (host) => {
    expect((await ask(desk.url, host)).status).toBe(200);
    expect((await fetch(`${desk.issuer}/`, { headers: { host } })).status).toBe(200);
  },
);

test('the development provider has no page that posts an answer by itself', async () => {
  const query = new URLSearchParams({
    client_id: desk.config.clientId,
    response_type: 'code',
    response_mode: 'form_post',
    scope: 'openid',
    redirect_uri: `${desk.url}/auth/login/callback`,
    login_hint: 'E-1001',
  });
  const { response } = await new Browser().follow(`${desk.issuer}/auth?${query}`);
  expect([response.status, (await response.text()).includes('name="code"')]).toEqual([400, false]);
});

test('with a different identity provider, every host is served, because a proxy may stand in front', async () => {
  const other = await startFrontdesk({
    OIDC_ISSUER: 'http://localhost:1',
    OIDC_CLIENT_ID: 'd',
    OIDC_CLIENT_SECRET: 's',
  });
  const { status } = await ask(other.url, 'desk.internal');
  await other.stop();
  expect(status).toBe(200);
});

test('in a browser, a page with another host name can read neither port', async () => {
  const browser = await launchChromium(['--host-resolver-rules=MAP rebound.example 127.0.0.1']);
  const page = await browser.newPage();
  const statuses: (number | undefined)[] = [];
  for (const url of [desk.url, desk.issuer]) {
    const response = await page.goto(`http://rebound.example:${portOf(url)}/`);
    statuses.push(response?.status());
  }
  await browser.close();
  expect(statuses).toEqual([421, 421]);
});

test('a refused request leaves nothing of its body on the connection', async () => {
  const token = await desk.signIn();
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n';
  const post = `POST /lookups/validate HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${token}\r\n${chunked}`;
  const get = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  // There is a single answer. It comes from the HTTP server, which refuses trailers.
  expect(answersIn(await sendRaw(desk.url, post + get)).map(({ status }) => status)).toEqual([400]);
});
