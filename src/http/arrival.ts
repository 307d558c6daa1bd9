// A request before it is routed: its parts, and what is refused or logged on every route.
import type { Log } from '../telemetry/log.ts';
import type { Answered } from './edge-options.ts';
import { invalidRequest } from './parse.ts';
import type { Problem } from './problem.ts';
import type { IncomingCall } from './route.ts';

/** A request as Bun's router passes it on. It has no parameters if no path matched. */
export type RoutedRequest = Request & { readonly params?: IncomingCall['params'] };

export function receive(
  request: Request,
  params: IncomingCall['params'],
  requestId: string,
  address: string,
  at: number,
): IncomingCall {
  const { headers, url } = request;
  return { request, headers, search: searchOf(url), at, requestId, address, params, principal: undefined };
}

/** Leaves out the query, which can contain a code. */
export function logRequest(log: Log, request: Request, { status, headers }: Response): void {
  if (!log.isLevelEnabled('debug')) return;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  log.debug({ requestId, method: request.method, path: pathOf(request.url), status }, 'request');
}

/** Writes a line of JSON for each answer. It names the route as declared, so it contains no address, query or path value. */
export function createAccessLog(instance: string, write: (line: string) => void) {
  return ({ milliseconds, ...answered }: Answered) => {
    const ms = Math.round(milliseconds * 1000) / 1000;
    write(`${JSON.stringify({ access: true, time: new Date().toISOString(), instance, ...answered, ms })}\n`);
  };
}

/** The query with its question mark. Clients should not send a fragment, but may. */
export function searchOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#');
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The path of a URL. The host is ignored, because the client chose it. */
export function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/]*/, '').split('?')[0] ?? '';
}

/** The runtime joins repeated headers with a comma, which no host name contains. */
export function hasSeveralHosts(headers: Headers): boolean {
  return headers.get('host')?.includes(',') === true;
}

/** RFC 9112 section 3.2. With two Host headers, a proxy and the service could each use a different one. */
export function severalHosts(): Problem {
  return invalidRequest([{ field: 'Host', message: 'must be given once' }]);
}

/** Browsers and extensions mark requests that they send before a person asks for the page. */
export function isPrefetch(headers: Headers): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ''),
  );
}
