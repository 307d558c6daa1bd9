// The general router: which route a request is for, and what is enforced around each.
import { type Handler, Hono } from 'hono';
import { authorize } from './access.ts';
import { isPrefetch, receive } from './arrival.ts';
import type { EdgeOptions } from './edge-options.ts';
import { isForeignUse } from './fetch-metadata.ts';
import { noStore } from './headers.ts';
import { addressKey, type Limiter } from './limits.ts';
import type { Path } from './paths.ts';
import { Problem } from './problem.ts';
import type { Refusals } from './refusals.ts';
import type { IncomingCall, Route } from './route.ts';

export interface Bindings {
  requestId: string;
  address: string;
  /** As it was sent: a HEAD is routed as the GET it asks about, and the server leaves the body out. */
  method: string;
  /** The path of the route that was found, as it is declared. */
  route: string;
}

type Env = { Bindings: Bindings };

export function createRouter(paths: readonly Path[], options: EdgeOptions, refusals: Refusals): Hono<Env> {
  const router = new Hono<Env>();
  for (const { pattern, routes, methods } of paths) {
    for (const route of routes) router.on(route.method, pattern, createHandler(route, methods, options, refusals));
    // Registered before the paths that have a parameter in the same place.
    router.all(pattern, () => {
      throw methodNotAllowed(methods);
    });
  }
  router.notFound(() => {
    throw new Problem('not-found');
  });
  router.onError((error, c) => refusals.respond(error, c.env.requestId));
  return router;
}

function createHandler(
  route: Route,
  methods: readonly string[],
  options: EdgeOptions,
  { toProblem }: Refusals,
): Handler<Env> {
  // The types ask for it too; a declaration that got past them must not open a path to everybody.
  if (route.access === undefined) throw new Error(`${route.method} ${route.path} does not declare its access`);
  const isNamedOrigin = (origin: string) => options.cors?.isNamed(origin) === true;
  return async (c) => {
    const { env } = c;
    const request = c.req.raw;
    env.route = route.path;
    if (route.actsOnGet && env.method === 'HEAD') throw methodNotAllowed(methods);
    if (route.actsOnGet && isPrefetch(request)) return new Response(null, { status: 204, headers: notKept });
    if (route.openedBy !== undefined && isForeignUse(request.headers, route.openedBy, isNamedOrigin)) {
      throw new Problem('navigation-required');
    }
    const call = receive(request, c.req.param(), env.requestId, env.address, options.clock());
    try {
      if (route.access.kind !== 'anyone') call.principal = await authorize(call, route.access, options.authenticator);
      return await answerWithinLimit(route, call, options.limits, toProblem);
    } catch (error) {
      const problem = toProblem(error);
      await route.onProblem?.(problem, call);
      throw problem;
    }
  };
}

const notKept = { ...noStore, 'Referrer-Policy': 'no-referrer' };

function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}

/** Counts the call, and says in the answer what is left of the quota. */
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
    Object.assign(problem.headers, limiter?.headers(key));
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
