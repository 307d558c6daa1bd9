// Calls to the identity provider, bounded in every way: time, size, no redirect. What it does wrong becomes a Problem.
import { readAtMost } from '../../http/bounded-answer.ts';
import { Problem } from '../../http/problem.ts';
import { causesOf, codeOf } from '../../telemetry/guards.ts';
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
    const call = () =>
      fetchFromProvider(url, init, {
        success: operation === 'pushed-request' ? 201 : 200,
        isRepeatable: operation === 'userinfo',
      });
    return telemetry === undefined ? call() : telemetry.providerCall(operation, call);
  };
}

/** The answer with its body read whole, for the status of success and 4xx; everything else throws. */
async function fetchFromProvider(
  url: string,
  init: RequestInit,
  { success, isRepeatable }: { success: 200 | 201; isRepeatable: boolean },
): Promise<Response> {
  const { status, headers, body } = await fetchBounded(url, init, isRepeatable ? fetchOnKeptConnection : fetchOnNew);
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
export async function fetchBounded(url: string, init: RequestInit, call = fetchOnNew) {
  const response = await connect(() => call(url, init));
  return { status: response.status, headers: response.headers, body: await readBody(response) };
}

async function connect(attempt: () => Promise<Response>): Promise<Response> {
  try {
    return await attempt().catch((error: unknown) => {
      if (!isConnectionFailure(error)) throw error;
      return Bun.sleep(100).then(attempt);
    });
  } catch (cause) {
    throw new Problem(isTimeout(cause) ? 'idp-timeout' : 'idp-unavailable', { cause });
  }
}

// A pooled connection may just be closing on the other side, and a code sent on it would be lost.
const fetchOnNew = (url: string, init: RequestInit) =>
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

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const body = await readAtMost(response, longestAnswer).catch((cause: unknown) => {
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
