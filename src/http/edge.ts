// From a request to its answer: the two routers, preflights, and what every answer carries.

import { hasSeveralHosts, logRequest, severalHosts, withReadableUrl } from './arrival.ts';
import { answerAndClose, mayOutlastAnswer } from './body.ts';
import { createDirectHandler, type DirectHandler } from './direct-route.ts';
import type { EdgeOptions } from './edge-options.ts';
import { clientAddress } from './limits.ts';
import { findPath, pathsOf, routerPath } from './paths.ts';
import { createRefusals } from './refusals.ts';
import type { Route } from './route.ts';
import { type Bindings, createRouter } from './router.ts';

export interface Edge {
  fetch(request: Request, socketAddress: string | undefined): Promise<Response>;
  /** By path, in the form of Bun.serve: the routes that skip the general router. They are in `fetch` as well. */
  direct: Record<string, { GET: DirectHandler }>;
}

export function createEdge(routes: readonly Route[], options: EdgeOptions): Edge {
  const { everyAnswer, cors, trustedProxies, telemetry, log } = options;
  const paths = pathsOf(routes);
  const refusals = createRefusals(options);
  const router = createRouter(paths, options, refusals);

  function route(request: Request, bindings: Bindings): Response | Promise<Response> {
    if (hasSeveralHosts(request.headers)) return refusals.respond(severalHosts(), bindings.requestId);
    const routed = request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
    return router.fetch(routed, bindings);
  }

  async function fetch(received: Request, socketAddress: string | undefined): Promise<Response> {
    const requestId = crypto.randomUUID();
    const request = withReadableUrl(received);
    const address = clientAddress(socketAddress, request.headers.get('x-forwarded-for'), trustedProxies);
    const bindings: Bindings = { requestId, address, method: request.method, route: 'none' };
    const watch = telemetry?.request(request);
    const response =
      cors?.preflight(request, () => findPath(paths, new URL(request.url).pathname)?.methods ?? []) ??
      (await (watch === undefined ? route(request, bindings) : watch.run(() => route(request, bindings))));
    watch?.end(bindings.route, response.status);
    cors?.permit(request, response);
    for (const [name, value] of Object.entries(everyAnswer)) response.headers.set(name, value);
    response.headers.set('X-Request-Id', requestId);
    logRequest(log, request, response);
    return mayOutlastAnswer(request.headers) ? answerAndClose(response) : response;
  }

  const directRoutes = routes.filter(({ isDirect }) => isDirect);
  return {
    fetch,
    direct: Object.fromEntries(
      directRoutes.map((each) => [routerPath(each.path), { GET: createDirectHandler(each, options, refusals) }]),
    ),
  };
}
