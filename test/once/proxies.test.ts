// Third-party proxies in front of Frontdesk: what they share between clients, and what they cache.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { programPath } from '../support/programs.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const desk = shared(startFrontdesk);
let token: string;
beforeAll(async () => {
  token = await desk.signIn();
});

/** Starts the proxy with this configuration, for all tests of a group. */
function useProxy(name: 'nginx' | 'haproxy', configure: (port: number) => string, args: (file: string) => string[]) {
  const url = `http://localhost:${freePort()}`;
  let proxy: Bun.Subprocess;
  beforeAll(async () => {
    const file = join(desk.folder, `${name}.conf`);
    writeFileSync(file, configure(Number(new URL(url).port)));
    proxy = Bun.spawn([programPath(name), ...args(file)], { stdout: 'ignore', stderr: 'ignore' });
    await until(() =>
      fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    proxy.kill();
    await proxy.exited;
  });
  return url;
}

describe('nginx that compresses', () => {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const url = useProxy(
    'nginx',
    (port) => `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${desk.folder}/nginx.pid;
error_log ${desk.folder}/nginx.log;
events {}
http {
  access_log off;
  ${folders.map((name) => `${name}_temp_path ${desk.folder}/nginx-${name};`).join('\n  ')}
  gzip on;
  gzip_types application/json;
  server {
    listen localhost:${port};
    proxy_set_header Accept-Encoding "";
    location / { proxy_pass ${desk.url}; }
  }
}
`,
    (file) => ['-p', desk.folder, '-c', file],
  );

  test('weakens the ETag of a version, and a change that sends the weak one is accepted', async () => {
    const address = `${url}/admin/lookups/position`;
    const list = await fetch(address, { headers: { ...bearer(token), 'accept-encoding': 'gzip' } });
    const tag = list.headers.get('etag') ?? '';
    expect(tag).toBe('W/"1"');
    const change = await fetch(`${address}/items/ACCOUNTANT`, {
      method: 'PATCH',
      headers: { ...bearer(token), 'if-match': tag, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'Changed' }),
    });
    expect(change.status).toBe(200);
  });

  test('weakens the ETag of a list, and a 304 has the weak one', async () => {
    const headers = { ...bearer(token), 'accept-encoding': 'gzip' };
    const tag = (await fetch(`${url}/employee/position`, { headers })).headers.get('etag') ?? '';
    expect(tag).toStartWith('W/"');
    const again = await fetch(`${url}/employee/position`, { headers: { ...headers, 'if-none-match': tag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
  });
});

describe('HAProxy that reuses a connection for several clients', () => {
  const url = useProxy(
    'haproxy',
    (port) => `defaults
  mode http
  timeout connect 10m
  timeout client 10m
  timeout server 10m
frontend all
  bind localhost:${port}
  default_backend desk
backend desk
  http-reuse always
  server one ${new URL(desk.url).host} maxconn 1
`,
    (file) => ['-f', file, '-db'],
  );

  test("gives no client the answer to another client's trailers", async () => {
    const head = `POST /lookups/validate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    const list = await desk.get('/employee/position', bearer(token)).then((answer) => answer.text());
    const statuses = new Set<number>();
    for (let round = 0; round < 100; round++) {
      const sending = sendRaw(url, `${head}Connection: close\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n`);
      const others = Array.from({ length: 4 }, () => fetch(`${url}/employee/position`, { headers: bearer(token) }));
      for (const answer of await Promise.all(others))
        expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: list });
      statuses.add(answersIn(await sending)[0]?.status ?? 0);
    }
    // The status depends on whether the proxy sends the trailers in the same packet as the body.
    for (const status of statuses) expect([200, 400]).toContain(status);
  });
});
