// Calls to the identity provider, limited in time and size, without redirects. Failures become Problems.

import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Answer, readAtMost } from '../../base/bounded-reads.ts';
import { causesOf, codeOf } from '../../base/guards.ts';
import { atMost } from '../../base/stop-times.ts';
import { Problem } from '../../http/problem.ts';
import type { ProviderOperation, Telemetry } from '../../telemetry/telemetry.ts';

export const callTimeoutMs = 5000;
const longestAnswer = 1024 * 1024;

/** With these codes, no connection was made, so nothing was sent. Only these failures are retried. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether the provider cannot have seen the request. */
export function wasNeverSent(problem: Problem): boolean {
  return isConnectionFailure(problem.cause);
}

/** Calls the provider. The operation decides which status is expected and which kind of connection is used. */
export type AskProvider = (operation: ProviderOperation, url: string, init: RequestInit) => Promise<Response>;

export function createAskProvider(telemetry: Telemetry | undefined): AskProvider {
  return (operation, url, init) => {
    // RFC 9126 section 2.2: a pushed request is answered with 201.
    const success = operation === 'pushed-request' ? 201 : 200;
    const call = () => fetchFromProvider(url, init, success, ways[operation] ?? fetchOnNew);
    return telemetry === undefined ? call() : telemetry.providerCall(operation, call);
  };
}

/** Returns the complete answer if its status is `success` or 4xx, except 429. Throws for every other status. */
async function fetchFromProvider(url: string, init: RequestInit, success: 200 | 201, way: Way): Promise<Response> {
  const { status, headers, body } = await fetchBounded(url, init, way);
  if (status === 429) throw new Problem('idp-unavailable', { reason: 'the provider answered 429' });
  if (status !== success && (status < 400 || status >= 500)) {
    const isPassing = status >= 500 && new TextDecoder().decode(body).includes('"temporarily_unavailable"');
    throw new Problem(isPassing ? 'idp-unavailable' : 'idp-bad-response', {
      reason: `the provider answered ${status}`,
    });
  }
  return new Response(body, { status, headers });
}

/** Returns the answer, whatever its status. */
export async function fetchBounded(url: string, init: RequestInit, way: Way = fetchOnNew) {
  const answer = await connect(() => way(url, init));
  return { status: answer.status, headers: answer.headers, body: await readBody(answer) };
}

async function connect(attempt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await attempt().catch((error: unknown) => {
      if (!isConnectionFailure(error)) throw error;
      return Bun.sleep(100).then(attempt);
    });
  } catch (cause) {
    throw new Problem(isTimeout(cause) ? 'idp-timeout' : 'idp-unavailable', { cause });
  }
}

/** A way to send a request: on a new connection or a kept one. */
type Way = (url: string, init: RequestInit) => Promise<Answer>;

// Always uses a new connection, because the server may be closing a pooled one at this moment. A refresh token sent on it
// would be lost, and the session with it.
const fetchOnNew: Way = (url, init) =>
  fetch(url, { ...init, redirect: 'manual', keepalive: false, signal: AbortSignal.timeout(callTimeoutMs) });

/** If there is no answer for this long, a kept connection may have been cut without notice. */
const patienceMs = 1000;

/**
 * Reuses a connection, which saves the handshake. Only for GET requests, which may be sent twice, because Bun sends the
 * request again if the connection was closed. If there is no answer for a while, the request is also sent on a new
 * connection, and the first answer counts.
 */
async function fetchOnKeptConnection(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const kept = fetch(url, { ...init, redirect: 'manual', signal });
  try {
    const answer = await atMost(patienceMs, kept);
    return answer ?? (await Promise.any([kept, fetch(url, { ...init, redirect: 'manual', keepalive: false, signal })]));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/**
 * Reuses a recent connection, because the handshake is the most expensive part of a sign-in
 * (docs/decisions/0034-kept-connections.md). If there is a proxy, fetch is used, because node:http supports none.
 */
const fetchWithCode: Way = (url, init) =>
  hasProxy(url) ? fetchOnNew(url, init) : fetchOnFreshConnection(url, init, AbortSignal.timeout(callTimeoutMs));

function hasProxy(url: string): boolean {
  const name = `${new URL(url).protocol.slice(0, -1)}_proxy`;
  return [process.env[name], process.env[name.toUpperCase()]].some((proxy) => proxy !== undefined && proxy !== '');
}

const ways: Partial<Record<ProviderOperation, Way>> = { userinfo: fetchOnKeptConnection, token: fetchWithCode };

async function readBody(answer: Answer): Promise<Uint8Array<ArrayBuffer>> {
  const body = await readAtMost(answer, longestAnswer).catch((cause: unknown) => {
    throw new Problem(isTimeout(cause) ? 'idp-timeout' : 'idp-bad-response', { cause });
  });
  if (body === undefined) throw new Problem('idp-bad-response', { reason: 'the provider answered with over 1 MiB' });
  return body;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function isConnectionFailure(error: unknown): boolean {
  return connectionCodes.has(String(codeOf(error)));
}

/** Finds the Problem inside a library's error, because libraries wrap the Problems that fetchFromProvider throws. */
export function problemIn(error: unknown): Problem | undefined {
  return causesOf(error).find((each) => each instanceof Problem);
}

// fetchOnFreshConnection uses a connection that answered within the last second, or a new one. fetch would use connections
// that were idle for minutes and may be dead, and a request sent on a dead connection is lost.
/** Servers and firewalls keep an idle connection open for longer than this (Node for 5 s, others longer). */
const longestIdleMs = 1000;

// The connection used last is taken first, so that the others time out and are closed.
const options = { keepAlive: true, scheduling: 'lifo', timeout: longestIdleMs } as const;
const plain = { request: http.request, agent: new http.Agent(options) };
const secure = { request: https.request, agent: new https.Agent(options) };

async function fetchOnFreshConnection(url: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  const { request, agent } = url.startsWith('https:') ? secure : plain;
  const headers = { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' };
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method: init.method ?? 'GET', headers, agent, signal }, resolve);
    sent.on('error', (error) => reject(causeOf(error, signal))).end(String(init.body ?? ''));
  });
  const received = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: answer.statusCode ?? 0, headers: new Headers(received), body: bodyOf(answer, signal) };
}

/** Some gateways compress even if asked not to. fetch decompresses automatically, but node:http does not. */
const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpacked(answer: http.IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(unpackers, encoding)) return answer;
  // The callback ignores an error, because the reader of the body gets it.
  return pipeline(answer, unpackers[encoding as keyof typeof unpackers](), () => {});
}

async function* bodyOf(answer: http.IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* unpacked(answer);
  } catch (error) {
    throw causeOf(error, signal);
  }
}

/** Returns the signal's reason after a timeout, as fetch does. */
const causeOf = (error: unknown, signal: AbortSignal): unknown => (signal.aborted ? signal.reason : error);
