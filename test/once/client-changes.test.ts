// How the client's stream of changes continues, and how it ends. The answers are scripted, because no real service gives
// them all.
import { afterEach, expect, jest, test } from 'bun:test';
import { createFrontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';

afterEach(() => {
  jest.useRealTimers();
});

const events = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const change = 'id: 7\ndata: {"list":"position","version":2}\n\n';
const refusal = (status: number, headers: Record<string, string> = {}, code = `number-${status}`) =>
  Response.json({ type: `http://localhost/problems/${code}`, status, title: 'No', detail: 'No.' }, { status, headers });

interface Options {
  answers: ((init: RequestInit) => Response | Promise<Response>)[];
  onSignedOut?: () => void;
  onState?: (state: StreamState) => void;
}

/** Follows changes with a client that gets these answers, one after the other. The pauses between attempts take no time. */
function follow({ answers, onSignedOut, onState }: Options) {
  jest.useFakeTimers();
  const leaving = new AbortController();
  const states: StreamState[] = [];
  const requests: Headers[] = [];
  const client = createFrontdesk({
    baseUrl: 'http://localhost',
    accessToken: 'theirs',
    fetch: (async (_: string, init: RequestInit = {}) => {
      requests.push(new Headers(init.headers));
      const answer = answers[requests.length - 1];
      if (answer !== undefined) return answer(init);
      leaving.abort();
      throw leaving.signal.reason;
    }) as typeof fetch,
    ...(onSignedOut && { onSignedOut }),
  });
  const changes = client.changes({
    signal: leaving.signal,
    onState(state) {
      states.push(state);
      onState?.(state);
      // Ends the pause right after it has begun.
      if (!state.isConnected) queueMicrotask(() => jest.advanceTimersByTime(state.retryInMs));
    },
  });
  return { changes, states, requests, leaving };
}

/** Reads the stream to its end. Returns the events, and how it ended. */
async function read(changes: AsyncIterable<unknown>) {
  const came: unknown[] = [];
  try {
    for await (const each of changes) came.push(each);
    return { came, end: 'left' };
  } catch (error) {
    return { came, end: error instanceof FrontdeskError ? error.code : (error as Error).message };
  }
}

const broken = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(change));
      },
      pull(controller) {
        controller.error(new TypeError('network error'));
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );

test('the stream tries again after a temporary failure, and tells the caller each time', async () => {
  const { changes, states, requests } = follow({
    answers: [
      () => Promise.reject(new TypeError('fetch failed')),
      () => refusal(503),
      () => refusal(429),
      () => events(change),
      broken,
    ],
  });
  expect(await read(changes)).toEqual({ came: Array(2).fill({ list: 'position', version: 2, id: 7 }), end: 'left' });
  expect(states.map((state) => (state.isConnected ? 'connected' : (state.error?.code ?? 'ended')))).toEqual([
    'network',
    'number-503',
    'number-429',
    'connected',
    'ended',
    'connected',
    'network',
  ]);
  expect(requests.map((headers) => headers.get('last-event-id'))).toEqual([null, null, null, null, '7', '7']);
});

test('a stream that broke before its first change resumes from the id it opened with', async () => {
  const { changes, requests } = follow({ answers: [() => events('retry: 2000\nid: 41\n\n')] });
  expect(await read(changes)).toEqual({ came: [], end: 'left' });
  expect(requests.map((headers) => headers.get('last-event-id'))).toEqual([null, '41']);
});

test('pauses grow up to half a minute, vary randomly, and start over after an event', async () => {
  const fail = () => refusal(503);
  const { changes, states } = follow({ answers: [...Array.from({ length: 40 }, () => fail), () => events(change)] });
  await read(changes);
  const pauses = states.flatMap((state) => (state.isConnected ? [] : [state.retryInMs]));
  const longest = [...Array.from({ length: 40 }, (_, failures) => Math.min(1000 * 2 ** failures, 30_000)), 1000];
  expect(pauses.length).toBe(41);
  for (const [index, most = 0] of longest.entries()) {
    expect(pauses[index]).toBeWithin(most / 2, most + 1);
  }
  expect(new Set(pauses.slice(5, 40)).size).toBeGreaterThan(1);
});

test.each([
  ['seconds', () => '90'],
  ['a date', () => new Date(Date.now() + 90_000).toUTCString()],
])('a pause is no shorter than Retry-After, in %s', async (_, retryAfter) => {
  const { changes, states } = follow({ answers: [() => refusal(429, { 'retry-after': retryAfter() })] });
  await read(changes);
  expect(states).toEqual([expect.objectContaining({ isConnected: false, retryInMs: expect.any(Number) })]);
  // HTTP dates have whole seconds, and some seconds have passed since this date was written.
  expect(states.flatMap((state) => (state.isConnected ? [] : [state.retryInMs]))[0]).toBeGreaterThan(80_000);
});

test.each([
  ['401', () => refusal(401), 'number-401'],
  ['403', () => refusal(403), 'number-403'],
  ['404', () => refusal(404), 'number-404'],
  ['no stream', () => new Response('<h1>Welcome to our network</h1>'), 'unexpected-answer'],
  ['no content', () => new Response(null, { status: 204 }), 'unexpected-answer'],
  ['a malformed event', () => events('data: {"list":\n\n'), 'unexpected-answer'],
])('%s ends the stream with an error, after one request', async (_, answer, code) => {
  const { changes, requests } = follow({ answers: [answer, answer] });
  expect(await read(changes)).toEqual({ came: [], end: code });
  expect(requests.length).toBe(1);
});

test.each([
  ['onState', { onState: defect }, () => events(change)],
  ['onSignedOut', { onSignedOut: defect }, () => refusal(401, {}, 'invalid-token')],
] as const)('an error that the caller throws in %s reaches the caller', async (_, options, answer) => {
  const { changes, requests } = follow({ answers: [answer, answer], ...options });
  expect(await read(changes)).toEqual({ came: [], end: 'a defect in the callback' });
  expect(requests.length).toBe(1);
});

function defect(): never {
  throw new Error('a defect in the callback');
}

test('an error thrown by the caller ends the stream', async () => {
  const { changes, requests } = follow({ answers: [() => events(change), () => events(change)] });
  await changes.next();
  expect(await changes.throw(new Error('enough')).catch((error: Error) => error.message)).toBe('enough');
  expect(requests.length).toBe(1);
});

test('leaving during a pause ends the stream at once', async () => {
  const { changes, leaving, requests } = follow({
    answers: [() => refusal(503), () => events(change)],
    onState: () => leaving.abort(),
  });
  expect(await read(changes)).toEqual({ came: [], end: 'left' });
  expect(requests.length).toBe(1);
});
