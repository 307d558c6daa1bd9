// Calls to the identity provider, bounded in every way: time, size, no redirect. What it does wrong becomes a Problem.

import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Answer, readAtMost } from '../../base/bounded-answer.ts';
import { causesOf, codeOf } from '../../base/guards.ts';
import { Problem } from '../../http/problem.ts';
import type { ProviderOperation, Telemetry } from '../../telemetry/telemetry.ts';

export const callTimeoutMs = 5000;
const longestAnswer = 1024 * 1024;

/** No connection was made, so nothing was sent: the only failures that may be retried. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** True when the provider cannot have seen the request. */
export function wasNeverSent(problem: Problem): boolean {
  return isConnectionFailure(problem.cause);
}

/** Calls the provider; the operation is for metrics and traces. */
export type AskProvider = (operation: ProviderOperation, url: string, init: RequestInit) => Promise<Response>;

export function createAskProvider(telemetry: Telemetry | undefined): AskProvider {
  return (operation, url, init) => {
    // RFC 9126 section 2.2: what was pushed is created.
    const success = operation === 'pushed-request' ? 201 : 200;
    const call = () => fetchFromProvider(url, init, success, ways[operation] ?? fetchOnNew);
    return telemetry === undefined ? call() : telemetry.providerCall(operation, call);
  };
}

/** The answer with its body read whole, for the status of success and 4xx; everything else throws. */
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

/** Whatever the answer is. */
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

/** How a request is sent. */
type Way = (url: string, init: RequestInit) => Promise<Answer>;

// A pooled connection may just be closing on the other side, and a refresh token sent on it would be lost with its session.
const fetchOnNew: Way = (url, init) =>
  fetch(url, { ...init, redirect: 'manual', keepalive: false, signal: AbortSignal.timeout(callTimeoutMs) });

/** After so long without an answer, a kept connection may be one that was cut without notice. */
const patienceMs = 1000;

/**
 * For a GET, which may be sent twice: no handshake. Bun sends it again where the connection was closed meanwhile; where there is
 * only silence, it is sent on a new connection as well, and the first answer counts.
 */
async function fetchOnKeptConnection(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(callTimeoutMs);
  const kept = fetch(url, { ...init, redirect: 'manual', signal });
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), patienceMs);
  try {
    const answer = await Promise.race([kept, silence.promise]);
    return answer ?? (await Promise.any([kept, fetch(url, { ...init, redirect: 'manual', keepalive: false, signal })]));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A handshake is the dearest part of a sign-in: docs/decisions/0034-kept-connections.md. Only fetch knows proxies. */
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

/** A Problem thrown by fetchFromProvider comes back wrapped by the library that called it. */
export function problemIn(error: unknown): Problem | undefined {
  return causesOf(error).find((each) => each instanceof Problem);
}

// A call on a connection that answered within the last second, or on a new one. fetch keeps connections for minutes and
// takes any of them: what is sent on one that has died meanwhile is lost.
/** Shorter than servers keep an idle connection (Node 5 s, others longer), and than anything between forgets one. */
const longestIdleMs = 1000;

// The one used last is taken first, so that the others grow old and are closed.
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

/** Asked for plain answers, some gateways compress all the same. fetch unpacks by itself, node:http does not. */
const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpacked(answer: http.IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(unpackers, encoding)) return answer;
  // The error reaches the reader of the body.
  return pipeline(answer, unpackers[encoding as keyof typeof unpackers](), () => {});
}

async function* bodyOf(answer: http.IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* unpacked(answer);
  } catch (error) {
    throw causeOf(error, signal);
  }
}

/** As fetch has it: where time is up, the signal's reason. */
const causeOf = (error: unknown, signal: AbortSignal): unknown => (signal.aborted ? signal.reason : error);
