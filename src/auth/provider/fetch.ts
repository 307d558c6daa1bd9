// Calls to the identity provider, bounded in every way: time, size, no redirect. What it does wrong becomes a Problem.
import { type Answer, readAtMost } from '../../http/bounded-answer.ts';
import { Problem } from '../../http/problem.ts';
import { causesOf, codeOf } from '../../telemetry/guards.ts';
import type { ProviderOperation, Telemetry } from '../../telemetry/telemetry.ts';
import { fetchOnFreshConnection } from './fresh-connection.ts';

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
