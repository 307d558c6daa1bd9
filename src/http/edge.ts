// From a request to a route and back: routing, access, request ids, and every error turned into its problem document.
import { setImmediate } from 'node:timers/promises';
import { Hono } from 'hono';
import { describeError, type Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type Authenticator, authorize, type Principal } from './access.ts';
import { hasSeveralHosts, isPrefetch, searchOf, severalHosts, targetOf, withReadableUrl } from './arrival.ts';
import { mayOutlastAnswer } from './body.ts';
import type { Cors } from './cors.ts';
import { isForeignUse } from './fetch-metadata.ts';
import { addressKey, clientAddress, type Limiter } from './limits.ts';
import { findPath, pathsOf, routerPath } from './paths.ts';
import { Problem, problemResponse } from './problem.ts';
import type { IncomingCall, Route } from './route.ts';

interface EdgeOptions {
  publicUrl: string;
  /** Headers of every answer. A direct route's own have them already. */
  everyAnswer: Record<string, string>;
  authenticator: Authenticator;
  /** Whether an error that is no Problem means that the storage is away. */
  isStorageAway: (error: unknown) => boolean;
  limits: EdgeLimits;
  cors: Cors | undefined;
  /** How many proxies in front may name the client's address. */
  trustedProxies: number;
  telemetry: Telemetry | undefined;
  log: Log;
  clock: () => number;
}

interface EdgeLimits {
  /** By address, on the routes that say so. */
  login: Limiter | undefined;
  /** By person, on every route that needs one: whoever signs in again gets no more. */
  api: Limiter | undefined;
}

interface Bindings {
  requestId: string;
  address: string;
  /** As it was sent: a HEAD is routed as the GET it asks about, and the server leaves the body out. */
  method: string;
  /** The path of the route that was found, as it is declared. */
  route: string;
}

type DirectRequest = Request & { params: Record<string, string> };
type DirectHandler = (request: DirectRequest) => Response | Promise<Response>;

export interface Edge {
  fetch(request: Request, socketAddress: string | undefined): Promise<Response>;
  /** By path, in the form of Bun.serve: the routes that skip the general router. They are in `fetch` as well. */
  direct: Record<string, { GET: DirectHandler }>;
}

export function createEdge(routes: readonly Route[], options: EdgeOptions): Edge {
  const { publicUrl, everyAnswer, authenticator, isStorageAway, limits, cors, trustedProxies, telemetry, log, clock } =
    options;
  const app = new Hono<{ Bindings: Bindings }>();
  const isNamedOrigin = (origin: string) => cors?.isNamed(origin) === true;
  const paths = pathsOf(routes);

  for (const { pattern, routes: there, methods } of paths) {
    for (const route of there) addRoute(route, pattern, methods);
    // Before any path with a parameter in this one's place.
    app.all(pattern, () => {
      throw methodNotAllowed(methods);
    });
  }
  app.notFound(() => {
    throw new Problem('not-found');
  });

  function addRoute(route: Route, pattern: string, methods: readonly string[]): void {
    // The types ask for it too; a declaration that slipped past them must not open a path to everybody.
    if (route.access === undefined) throw new Error(`${route.method} ${route.path} does not declare its access`);
    app.on(route.method, pattern, async (c) => {
      const request = c.req.raw;
      c.env.route = route.path;
      if (route.actsOnGet && c.env.method === 'HEAD') throw methodNotAllowed(methods);
      if (route.actsOnGet && isPrefetch(request)) return new Response(null, { status: 204, headers: notKept });
      if (route.openedBy !== undefined && isForeignUse(request.headers, route.openedBy, isNamedOrigin)) {
        throw new Problem('navigation-required');
      }
      const call = receive(request, c.req.param(), c.env.requestId, c.env.address);
      try {
        return await answer(route, call);
      } catch (error) {
        const problem = toProblem(error);
        await route.onProblem?.(problem, call);
        throw problem;
      }
    });
  }

  function receive(request: Request, params: IncomingCall['params'], requestId: string, address: string): IncomingCall {
    const { headers, url } = request;
    return { request, headers, search: searchOf(url), at: clock(), requestId, address, params, principal: undefined };
  }

  async function answer(route: Route, call: IncomingCall): Promise<Response> {
    if (route.access.kind !== 'anyone') call.principal = await authorize(call, route.access, authenticator);
    const { limiter, key } = limiterFor(route, call);
    limiter?.take(key, call.at);
    try {
      // Parameters in paths are names, and nothing has a name like that.
      if (/\p{Cc}/u.test(Object.values(call.params).join(''))) throw new Problem('not-found');
      const response = await route.handle(call);
      for (const [name, value] of Object.entries(limiter?.headers(key) ?? {})) response.headers.set(name, value);
      return response;
    } catch (error) {
      const problem = toProblem(error);
      Object.assign(problem.headers, limiter?.headers(key));
      throw problem;
    }
  }

  function limiterFor({ limitedBy }: Route, { principal, address }: IncomingCall) {
    if (limitedBy === 'nothing') return { limiter: undefined, key: '' };
    if (limitedBy === 'login-address') return { limiter: limits.login, key: addressKey(address) };
    if (limitedBy === 'api-address') return { limiter: limits.api, key: addressKey(address) };
    return principal === undefined
      ? { limiter: undefined, key: '' }
      : { limiter: limits.api, key: principal.employeeId };
  }

  app.onError((error, c) => fail(error, c.env.requestId));

  function fail(error: unknown, requestId: string): Response {
    const problem = toProblem(error);
    log[levelOf(problem)]({ requestId, ...describeError(problem) }, 'refused');
    return problemResponse(problem, publicUrl, requestId, everyAnswer);
  }

  function toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    return new Problem(isStorageAway(error) ? 'storage-unavailable' : 'internal-error', { cause: error });
  }

  async function fetch(received: Request, socketAddress: string | undefined): Promise<Response> {
    const requestId = crypto.randomUUID();
    const request = withReadableUrl(received);
    const address = clientAddress(socketAddress, request.headers.get('x-forwarded-for'), trustedProxies);
    const { method } = request;
    const bindings: Bindings = { requestId, address, method, route: 'none' };
    const watch = telemetry?.request(request);
    const routed = method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
    const route = () =>
      hasSeveralHosts(request.headers) ? fail(severalHosts(), requestId) : app.fetch(routed, bindings);
    const response =
      cors?.preflight(request, () => findPath(paths, new URL(request.url).pathname)?.methods ?? []) ??
      (await (watch === undefined ? route() : watch.run(route)));
    watch?.end(bindings.route, response.status);
    cors?.permit(request, response);
    for (const [name, value] of Object.entries(everyAnswer)) response.headers.set(name, value);
    response.headers.set('X-Request-Id', requestId);
    logRequest(request, response);
    return mayOutlastAnswer(request.headers) ? answerAndClose(response) : response;
  }

  function directHandler(route: Route): DirectHandler {
    const { access } = route;
    if (access.kind === 'anyone') throw new Error(`${route.path}: a direct route is a protected one`);
    // Bun makes the object at each look: a path without parameters does not ask for it.
    const hasParams = route.path.includes('{');
    // Nothing is awaited for a token seen before, and no request id is made for an answer that goes well. A function
    // written in here would be made anew for each request, with all that it needs.
    const handler: DirectHandler = (request) => {
      const call = receive(request, hasParams ? request.params : noParams, '', '');
      return mayOutlastAnswer(call.headers) ? answerAndClose(answerTo(call)) : answerTo(call);
    };
    const answerTo = (call: IncomingCall) => {
      try {
        if (hasSeveralHosts(call.headers)) throw severalHosts();
        const principal = authorize(call, access, authenticator);
        return principal instanceof Promise ? handleLater(call, principal) : handle(call, principal);
      } catch (error) {
        return fail(error, crypto.randomUUID());
      }
    };
    const handle = (call: IncomingCall, principal: Principal) => {
      limits.api?.take(principal.employeeId, call.at);
      call.principal = principal;
      return route.handle(call);
    };
    const handleLater = async (call: IncomingCall, principal: Promise<Principal>) => {
      try {
        return await handle(call, await principal);
      } catch (error) {
        return fail(error, crypto.randomUUID());
      }
    };
    const isLogged = log.isLevelEnabled('debug');
    const watched = telemetry === undefined ? handler : watchedHandler(handler, route.path, telemetry);
    if (!isLogged && cors === undefined) return watched;
    return async (request) => {
      const response = await watched(request);
      cors?.permit(request, response);
      if (isLogged) logRequest(request, response);
      return response;
    };
  }

  function logRequest(request: Request, { status, headers }: Response): void {
    if (!log.isLevelEnabled('debug')) return;
    const requestId = headers.get('X-Request-Id') ?? undefined;
    const [path] = targetOf(request.url).split('?');
    log.debug({ requestId, method: request.method, path, status }, 'request');
  }

  return {
    fetch,
    direct: Object.fromEntries(
      routes.filter((route) => route.direct).map((route) => [routerPath(route.path), { GET: directHandler(route) }]),
    ),
  };
}

const noParams = {};
const notKept = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Nothing more is read from the connection. */
async function answerAndClose(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('Connection', 'close');
  // Until what has arrived is parsed: the server knows no trailers, refuses them with an answer of its own, and would
  // send that one after this.
  await setImmediate();
  return response;
}

function watchedHandler(handler: DirectHandler, path: string, telemetry: Telemetry): DirectHandler {
  return (request) => {
    const watch = telemetry.request(request);
    const end = (response: Response) => {
      watch.end(path, response.status);
      return response;
    };
    const response = watch.run(() => handler(request));
    return response instanceof Promise ? response.then(end) : end(response);
  };
}

/** Refusals are the client's business and stay at debug, unless there is something an operator should know. */
function levelOf(problem: Problem): 'error' | 'warn' | 'info' | 'debug' {
  if (problem.status === 500 || problem.code === 'idp-configuration') return 'error';
  if (problem.status > 500) return 'warn';
  return problem.reason === undefined && problem.cause === undefined ? 'debug' : 'info';
}

function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}
