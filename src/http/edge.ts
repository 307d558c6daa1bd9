// From a request to its answer: one handler for each path, which looks up the method and adds what every answer has.

import type { Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Authenticator } from './access.ts';
import { hasSeveralHosts, logRequest, type RoutedRequest, receive, searchOf, severalHosts } from './arrival.ts';
import { answerAndClose, mayOutlastAnswer } from './body.ts';
import type { Cors } from './cors.ts';
import { createDirectHandler } from './direct-route.ts';
import { isOpenedByPerson } from './fetch-metadata.ts';
import { clientAddress, type Limiter } from './limits.ts';
import { refusalPage } from './pages/refusal-page.ts';
import { Problem, type ProblemFormat } from './problem.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import type { Route } from './route.ts';
import { createRouteHandler } from './route-handler.ts';

export type PathHandler = (request: RoutedRequest, server: Server) => Response | Promise<Response>;
interface Server {
  requestIP(request: Request): { address: string } | null;
}

export interface Edge {
  /**
   * By path, as Bun's router takes them. Reading a request's method takes three per cent of a list request, so for lists
   * the router matches the method as well. Any other method reaches the next route that matches, with a parameter in the
   * path, and is refused there.
   */
  routes: Record<string, PathHandler | { GET: PathHandler; HEAD: PathHandler }>;
  /** For every other path. */
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

function forOwnHosts(handle: PathHandler, { isOwnHost }: EdgeOptions, refusals: Refusals): PathHandler {
  if (isOwnHost === undefined) return handle;
  return (request, server) => {
    const { headers } = request;
    // Two hosts are refused later, with their own message.
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
  const { publicUrl, everyAnswer, cors, trustedProxies, telemetry, log, clock } = options;
  const allowed = routes.flatMap(methodsOf);
  const handlers = routes.map((route) => ({ ...route, handle: createRouteHandler(route, options, refusals) }));

  /** Stores the path of the matching route in `noted`. */
  async function answer(request: RoutedRequest, server: Server, noted: { requestId: string; route: string }) {
    const { method, headers } = request;
    let format: ProblemFormat | undefined;
    let page: ((problem: Problem) => string) | undefined;
    try {
      if (hasSeveralHosts(headers)) throw severalHosts();
      if (routes.length === 0) throw new Problem('not-found');
      // A HEAD is handled like a GET, and the server omits the body.
      const route = handlers.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
      if (route !== undefined) noted.route = route.path;
      if (route === undefined || !allowed.includes(method)) throw methodNotAllowed(allowed);
      format = route.problemFormat;
      page = pageFor(route, request, noted.requestId, publicUrl);
      const socketAddress = server.requestIP(request)?.address;
      const address = clientAddress(socketAddress, headers.get('x-forwarded-for'), trustedProxies);
      return await route.handle(receive(request, request.params ?? {}, noted.requestId, address, clock()));
    } catch (error) {
      return refusals.respond(error, noted.requestId, format, page);
    }
  }

  return async (request, server) => {
    const noted = { requestId: crypto.randomUUID(), route: 'none' };
    const watch = telemetry?.request(request);
    const run = () => answer(request, server, noted);
    const response = cors?.preflight(request, allowed) ?? (await (watch === undefined ? run() : watch.run(run)));
    watch?.end(noted.route, response.status);
    cors?.permit(request, response);
    for (const [name, value] of Object.entries(everyAnswer)) response.headers.set(name, value);
    response.headers.set('X-Request-Id', noted.requestId);
    logRequest(log, request, response);
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

/** The options that every part of the edge shares. app.ts passes them in. */
export interface EdgeOptions {
  publicUrl: string;
  /** Undefined: any host is accepted, because a proxy in front decides which requests reach the service. */
  isOwnHost: ((host: string | null) => boolean) | undefined;
  /** Headers of every answer. The answers of direct routes already have them. */
  everyAnswer: Record<string, string>;
  authenticator: Authenticator;
  /** Whether an error that is not a Problem means that the storage is unavailable. */
  isStorageAway: (error: unknown) => boolean;
  limits: {
    /** By address, on the routes that declare it. */
    login: Limiter | undefined;
    /** By person, on every protected route: signing in again gives no new quota. */
    api: Limiter | undefined;
  };
  cors: Cors | undefined;
  /** The number of proxies in front that may state the client's address. */
  trustedProxies: number;
  telemetry: Telemetry | undefined;
  log: Log;
  clock: () => number;
}
