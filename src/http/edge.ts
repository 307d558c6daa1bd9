// Answers requests: each path has one handler, which looks up the method and adds the headers that every answer has.

import { describeError } from '../telemetry/log.ts';
import { authorize } from './access.ts';
import {
  hasSeveralHosts,
  isPrefetch,
  logRequest,
  pathOf,
  type RoutedRequest,
  receive,
  searchOf,
  severalHosts,
} from './arrival.ts';
import { answerAndClose, mayOutlastAnswer } from './body.ts';
import { createDirectHandler } from './direct-route.ts';
import type { EdgeOptions, Refusals } from './edge-options.ts';
import { isForeignUse, isFromOwnPage, isOpenedByPerson } from './fetch-metadata.ts';
import { pageHeaders } from './files.ts';
import { noStore, securityHeaders } from './headers.ts';
import { addressKey, clientAddress, type Limiter } from './limits.ts';
import { refusalPage } from './pages/refusal-page.ts';
import { Problem, type ProblemFormat, problemResponse } from './problem.ts';
import type { IncomingCall, Route } from './route.ts';
import { healthAnswer } from './system.routes.ts';

export type PathHandler = (request: RoutedRequest, server: Server) => Response | Promise<Response>;
interface Server {
  requestIP(request: Request): { address: string } | null;
}

export interface Edge {
  /**
   * Handlers by path, in the form of Bun's router. Reading a request's method takes three per cent of the time of a list
   * request, so for lists the router matches the method as well. A request with any other method goes to the next matching
   * route, whose path has a parameter, and is refused there.
   */
  routes: Record<string, PathHandler | { GET: PathHandler; HEAD: PathHandler }>;
  /** Handles every other path. */
  fetch: PathHandler;
}

export function createEdge(routes: readonly Route[], options: EdgeOptions): Edge {
  const refusals = createRefusals(options);
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  const handlerFor = (there: readonly Route[]) =>
    forOwnHosts(createPathHandler(there, options, refusals), options, refusals);
  const handlersFor = (there: readonly Route[]) => {
    const [list] = there.filter(({ handlePlain }) => handlePlain !== undefined);
    if (list === undefined) return handlerFor(there);
    const handle = forOwnHosts(createDirectHandler(list, options, refusals), options, refusals);
    return { GET: handle, HEAD: handle };
  };
  return {
    routes: Object.fromEntries([...byPath].map(([path, there]) => [path, handlersFor(there)])),
    fetch: handlerFor([]),
  };
}

/**
 * Answers while the database is brought up to date, when the process is alive but not ready. There are no routes yet, since
 * they need the database.
 */
export function createStartingEdge(publicUrl: string): Edge {
  const everyAnswer = securityHeaders(publicUrl);
  const answer = ({ method, url }: Request, requestId: string): Response => {
    const path = method === 'GET' || method === 'HEAD' ? pathOf(url) : '';
    if (path === '/health/live') return healthAnswer(200, { status: 'up' });
    if (path === '/health/ready') return healthAnswer(503, { status: 'starting' });
    return problemResponse(new Problem('starting'), publicUrl, requestId, everyAnswer, 'problem');
  };
  return {
    routes: {},
    fetch(request) {
      const requestId = crypto.randomUUID();
      const response = answer(request, requestId);
      for (const [name, value] of Object.entries(everyAnswer)) response.headers.set(name, value);
      response.headers.set('X-Request-Id', requestId);
      return mayOutlastAnswer(request.headers) ? answerAndClose(response) : response;
    },
  };
}

function forOwnHosts(handle: PathHandler, { isOwnHost }: EdgeOptions, refusals: Refusals): PathHandler {
  if (isOwnHost === undefined) return handle;
  return (request, server) => {
    const { headers } = request;
    // A request with two hosts is refused later, with its own message.
    if (hasSeveralHosts(headers) || isOwnHost(headers.get('host'))) return handle(request, server);
    const response = refusals.respond(new Problem('misdirected-request'), crypto.randomUUID());
    return mayOutlastAnswer(headers) ? answerAndClose(response) : response;
  };
}

function createPathHandler(routes: readonly Route[], options: EdgeOptions, refusals: Refusals): PathHandler {
  const general = createGeneralHandler(routes, options, refusals);
  const direct = routes.find(({ isDirect }) => isDirect);
  if (direct === undefined) return general;
  const handle = createDirectHandler(direct, options, refusals);
  const methods = methodsOf(direct);
  return (request, server) => (methods.includes(request.method) ? handle(request) : general(request, server));
}

function createGeneralHandler(routes: readonly Route[], options: EdgeOptions, refusals: Refusals): PathHandler {
  const { publicUrl, everyAnswer, cors, trustedProxies, telemetry, log, logAccess, clock } = options;
  const allowed = routes.flatMap(methodsOf);
  const handlers = routes.map((route) => ({ ...route, handle: createRouteHandler(route, options, refusals) }));

  interface Noted {
    requestId: string;
    /** The path as declared, also if the method is refused. */
    route: string;
    /** Undefined if the request was refused before it reached a route. */
    call: IncomingCall | undefined;
  }

  async function answer(request: RoutedRequest, server: Server, noted: Noted) {
    const { method, headers } = request;
    let format: ProblemFormat | undefined;
    let page: ((problem: Problem) => string) | undefined;
    try {
      if (hasSeveralHosts(headers)) throw severalHosts();
      if (routes.length === 0) throw new Problem('not-found');
      // A HEAD is handled like a GET, and the server omits the body.
      const route = handlers.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
      if (route === undefined || !allowed.includes(method)) throw methodNotAllowed(allowed);
      format = route.problemFormat;
      page = pageFor(route, request, noted.requestId, publicUrl);
      const socketAddress = server.requestIP(request)?.address;
      const address = clientAddress(socketAddress, headers.get('x-forwarded-for'), trustedProxies);
      noted.call = receive(request, request.params ?? {}, noted.requestId, address, clock());
      return await route.handle(noted.call);
    } catch (error) {
      return refusals.respond(error, noted.requestId, format, page);
    }
  }

  return async (request, server) => {
    const start = performance.now();
    const noted: Noted = { requestId: crypto.randomUUID(), route: routes[0]?.path ?? 'none', call: undefined };
    const watch = telemetry?.request(request);
    const run = () => answer(request, server, noted);
    const response = cors?.preflight(request, allowed) ?? (await (watch === undefined ? run() : watch.run(run)));
    watch?.end(noted.route, response.status);
    const timing = watch?.serverTiming?.();
    if (timing !== undefined) response.headers.set('Server-Timing', timing);
    cors?.permit(request, response);
    for (const [name, value] of Object.entries(everyAnswer)) response.headers.set(name, value);
    response.headers.set('X-Request-Id', noted.requestId);
    logRequest(log, request, response);
    logAccess?.({
      method: request.method,
      route: noted.route,
      status: response.status,
      milliseconds: performance.now() - start,
      requestId: noted.requestId,
      employeeId: noted.call?.principal?.employeeId,
    });
    return mayOutlastAnswer(request.headers) ? answerAndClose(response) : response;
  };
}

/** The page that shows a person a refusal; undefined for programs, and for routes that people do not open. */
function pageFor({ refusalPage: options }: Route, { headers, url }: Request, requestId: string, publicUrl: string) {
  if (options === undefined || !isOpenedByPerson(headers)) return undefined;
  const acceptLanguage = headers.get('accept-language');
  return (problem: Problem) =>
    refusalPage(problem, options, { search: searchOf(url), requestId, acceptLanguage, publicUrl });
}

function methodsOf({ method, actsOnGet }: Route): string[] {
  return method === 'GET' && !actsOnGet ? ['GET', 'HEAD'] : [method];
}

function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}

/** Adds the checks and limits around a route's function. */
function createRouteHandler(
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
    // A route with its own limit may have set these headers already.
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

/** Turns every error into a Problem, a log line and an answer. */
function createRefusals({ publicUrl, everyAnswer, isStorageAway, log }: EdgeOptions): Refusals {
  function toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    return new Problem(isStorageAway(error) ? 'storage-unavailable' : 'internal-error', { cause: error });
  }

  return {
    toProblem,
    respond(error, requestId, format = 'problem', page) {
      const problem = toProblem(error);
      log[levelOf(problem)]({ requestId, ...describeError(problem) }, 'refused');
      const answer = problemResponse(problem, publicUrl, requestId, everyAnswer, format);
      if (page === undefined) return answer;
      for (const [name, value] of Object.entries({ ...pageHeaders(), ...noStore })) answer.headers.set(name, value);
      return new Response(page(problem), answer);
    },
  };
}

/** A client's own faults are logged at debug, unless there is a reason that the operator should see. */
function levelOf(problem: Problem): 'error' | 'warn' | 'info' | 'debug' {
  if (problem.status === 500 || problem.code === 'idp-configuration') return 'error';
  if (problem.status > 500) return 'warn';
  const { reason, cause, providerText } = problem;
  return [reason, cause, providerText].every((each) => each === undefined) ? 'debug' : 'info';
}
