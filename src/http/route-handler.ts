// What is enforced before and after a route's function.
import { authorize } from './access.ts';
import { isPrefetch } from './arrival.ts';
import type { EdgeOptions } from './edge-options.ts';
import { isForeignUse, isFromOwnPage } from './fetch-metadata.ts';
import { noStore } from './headers.ts';
import { addressKey, type Limiter } from './limits.ts';
import { Problem } from './problem.ts';
import type { Refusals } from './refusals.ts';
import type { IncomingCall, Route } from './route.ts';

export function createRouteHandler(
  route: Route,
  { publicUrl, authenticator, limits, cors }: EdgeOptions,
  { toProblem }: Refusals,
): (call: IncomingCall) => Promise<Response> {
  // The types require it too, but a declaration that got past them must not open a path to everyone.
  if (route.access === undefined) throw new Error(`${route.method} ${route.path} does not declare its access`);
  const isNamedOrigin = (origin: string) => cors?.isNamed(origin) === true;
  const { origin: ownOrigin } = new URL(publicUrl);
  const isOwnOrigin = (origin: string) => origin === ownOrigin || isNamedOrigin(origin);
  return async (call) => {
    const { headers } = call;
    if (route.actsOnGet && isPrefetch(headers)) return new Response(null, { status: 204, headers: notKept });
    if (route.openedBy !== undefined && isForeignUse(headers, route.openedBy, isNamedOrigin)) {
      throw new Problem('navigation-required');
    }
    if (route.onlyFromOwnPages && !isFromOwnPage(headers, isOwnOrigin)) throw new Problem('origin-refused');
    try {
      if (route.access.kind !== 'anyone') call.principal = await authorize(call, route.access, authenticator);
      return await answerWithinLimit(route, call, limits, toProblem);
    } catch (error) {
      const problem = toProblem(error);
      await route.onProblem?.(problem, call);
      throw problem;
    }
  };
}

const notKept = { ...noStore, 'Referrer-Policy': 'no-referrer' };

/** Counts the call, and adds the remaining quota to the answer. */
async function answerWithinLimit(
  route: Route,
  call: IncomingCall,
  limits: EdgeOptions['limits'],
  toProblem: Refusals['toProblem'],
): Promise<Response> {
  const [limiter, key] = limiterFor(route, call, limits);
  limiter?.take(key, call.at);
  try {
    const response = await route.handle(call);
    for (const [name, value] of Object.entries(limiter?.headers(key) ?? {})) response.headers.set(name, value);
    return response;
  } catch (error) {
    const problem = toProblem(error);
    // A route with a limit of its own may have set these headers already.
    Object.assign(problem.headers, { ...limiter?.headers(key), ...problem.headers });
    throw problem;
  }
}

function limiterFor(
  { limitedBy }: Route,
  { principal, address }: IncomingCall,
  { login, api }: EdgeOptions['limits'],
): [limiter: Limiter | undefined, key: string] {
  if (limitedBy === 'login-address') return [login, addressKey(address)];
  if (limitedBy === 'api-address') return [api, addressKey(address)];
  return limitedBy === 'nothing' || principal === undefined ? [undefined, ''] : [api, principal.employeeId];
}
