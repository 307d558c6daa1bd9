// A common list request takes a short path. Unusual requests must get the same answer, byte for byte, as on the long path,
// which every request with a question mark takes.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';

const person = 'E-1003';
const quota = 1000;
let desk: Frontdesk;
/** Separate tokens, so that what happens to one does not affect the others. */
let tokens: { usual: string; ended: string; reader: string };

beforeAll(async () => {
  desk = await startFrontdesk({ RATE_LIMIT_API: `${quota}/1h`, LOOKUP_READ_ROLES: 'EMPLOYEE,LOOKUP_ADMIN' });
  const [usual, ended, reader] = [await desk.signIn(person), await desk.signIn(person), await desk.signIn('E-1004')];
  tokens = { usual, ended, reader };
  // Uses each token once, so that it is cached as valid.
  for (const token of Object.values(tokens)) await desk.get('/employee/position', bearer(token));
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(ended) });
});
afterAll(() => desk.stop());

/** Removes what differs between any two answers. */
const withoutIds = (text: string) =>
  text.replaceAll(/^(Date|X-Request-Id): .*\r\n/gim, '').replaceAll(/urn:uuid:[-0-9a-f]+/g, 'urn:uuid:');

const host = 'Host: localhost';
const closing = 'Connection: close';
const signedIn = () => `Authorization: Bearer ${tokens.usual}`;

interface Unusual {
  method?: string;
  path?: string;
  headers: () => string[];
  body?: string;
  status: number;
}

const list = '/employee/position';
const withHeader = (...lines: string[]) => ({ headers: () => [host, closing, signedIn(), ...lines] });

const cases: [string, Unusual][] = [
  ['nothing', { ...withHeader(), status: 200 }],
  ['HEAD', { ...withHeader(), method: 'HEAD', status: 200 }],
  ['POST', { ...withHeader(), method: 'POST', status: 405 }],
  ['OPTIONS', { ...withHeader(), method: 'OPTIONS', status: 405 }],
  ['a method of WebDAV', { ...withHeader(), method: 'PROPFIND', status: 405 }],
  ['no credentials', { headers: () => [host, closing], status: 401 }],
  ['empty credentials', { headers: () => [host, closing, 'Authorization:'], status: 401 }],
  ['basic credentials', { headers: () => [host, closing, 'Authorization: Basic YTpi'], status: 401 }],
  ['a token that is not ours', { headers: () => [host, closing, 'Authorization: Bearer a.b.c'], status: 401 }],
  ['lower-case bearer', { headers: () => [host, closing, `authorization: bearer ${tokens.usual}`], status: 200 }],
  ['spaces before it', { headers: () => [host, closing, `Authorization:   Bearer   ${tokens.usual}`], status: 200 }],
  ['two tokens', { ...withHeader('Authorization: Bearer other'), status: 400 }],
  ['the same token twice', { headers: () => [host, closing, signedIn(), signedIn()], status: 400 }],
  ['an ended session', { headers: () => [host, closing, `Authorization: Bearer ${tokens.ended}`], status: 401 }],
  [
    'somebody without a role',
    { headers: () => [host, closing, `Authorization: Bearer ${tokens.reader}`], status: 403 },
  ],
  ['two hosts', { ...withHeader('Host: elsewhere.example'), status: 400 }],
  ['a host with a comma', { headers: () => ['Host: localhost, localhost', closing, signedIn()], status: 400 }],
  ['another host', { headers: () => ['Host: elsewhere.example', closing, signedIn()], status: 421 }],
  ['an empty body', { ...withHeader('Content-Length: 0'), status: 200 }],
  ['a body', { ...withHeader('Content-Length: 5'), body: 'hello', status: 200 }],
  ['a long body', { ...withHeader('Content-Length: 300000'), body: 'x'.repeat(300_000), status: 200 }],
  ['a chunked body', { ...withHeader('Transfer-Encoding: chunked'), body: '1\r\nx\r\n0\r\n\r\n', status: 200 }],
  ['a body twice as long as its stated length', { ...withHeader('Content-Length: 1'), body: 'xx', status: 200 }],
  ['two lengths', { ...withHeader('Content-Length: 1', 'Content-Length: 2'), body: 'xx', status: 400 }],
  [
    'chunks and a length',
    { ...withHeader('Transfer-Encoding: chunked', 'Content-Length: 3'), body: 'xxx', status: 400 },
  ],
  ['Expect', { ...withHeader('Expect: 100-continue'), status: 100 }],
  ['an encoding', { ...withHeader('Accept-Encoding: gzip'), status: 200 }],
  [
    'encodings that the service does not have',
    { ...withHeader('Accept-Encoding: compress;q=1, identity;q=0'), status: 200 },
  ],
  ['a malformed encoding', { ...withHeader('Accept-Encoding: ;;q=,'), status: 200 }],
  ['a tag that matches', { ...withHeader('If-None-Match: *'), status: 304 }],
  ['another tag', { ...withHeader('If-None-Match: "other"'), status: 200 }],
  ['a malformed tag', { ...withHeader('If-None-Match: W/"'), status: 200 }],
  ['a language', { ...withHeader('Accept-Language: de-DE, *;q=0.1'), status: 200 }],
  ['a range', { ...withHeader('Range: bytes=0-1'), status: 200 }],
  ['an origin', { ...withHeader('Origin: https://elsewhere.example'), status: 200 }],
  ['another method by header', { ...withHeader('X-HTTP-Method-Override: DELETE'), status: 200 }],
  [
    'another address by header',
    { ...withHeader('X-Forwarded-Host: elsewhere.example', 'X-Original-URL: /auth/me'), status: 200 },
  ],
  ['a cookie', { ...withHeader('Cookie: frontdesk_session=x'), status: 200 }],
  ['HTTP with an upgrade', { ...withHeader('Upgrade: websocket', 'Connection: Upgrade'), status: 200 }],
  ['a path in another spelling', { ...withHeader(), path: '/employee/%70osition', status: 200 }],
  ['a path in capitals', { ...withHeader(), path: '/employee/Position', status: 404 }],
  ['a slash at the end', { ...withHeader(), path: `${list}/`, status: 404 }],
  ['a whole address', { ...withHeader(), path: `http://localhost${list}`, status: 200 }],
];

const send = ({ method = 'GET', path = list, headers, body = '' }: Unusual, search: string) =>
  sendRaw(desk.url, `${method} ${path}${search} HTTP/1.1\r\n${headers().join('\r\n')}\r\n\r\n${body}`);

test.each(cases)('a list request with %s', async (_, unusual) => {
  const [short, long] = [await send(unusual, ''), await send(unusual, '?')];
  expect(answersIn(short)[0]?.status).toBe(unusual.status);
  expect(withoutIds(short)).toBe(withoutIds(long));
});

test("a request beyond a person's limit is refused on both paths, and requests on both are counted", async () => {
  const other = await startFrontdesk({ RATE_LIMIT_API: '4/1h' });
  try {
    const headers = bearer(await other.signIn(person));
    const statuses = [];
    for (const path of [list, `${list}?`, list, `${list}?`, list, `${list}?`])
      statuses.push((await other.get(path, headers)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  } finally {
    await other.stop();
  }
});

test('an expired token is refused on both paths', async () => {
  const other = await startFrontdesk({ TOKEN_TTL_SECONDS: '60' });
  try {
    const headers = bearer(await other.signIn(person));
    expect((await other.get(list, headers)).status).toBe(200);
    other.advance(120);
    for (const path of [list, `${list}?`]) {
      const response = await other.get(path, headers);
      expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([
        401,
        `${other.url}/problems/token-expired`,
      ]);
    }
  } finally {
    await other.stop();
  }
});
