// Handlers for paths where every microsecond counts. They check only access and limits.
import type { Telemetry } from '../telemetry/telemetry.ts';
import { authorize, type Principal, permit, type SignedIn } from './access.ts';
import { hasSeveralHosts, logRequest, type RoutedRequest, receive, severalHosts } from './arrival.ts';
import { answerAndClose, hasBody, mayOutlastAnswer } from './body.ts';
import type { EdgeOptions, Refusals } from './edge-options.ts';
import type { IncomingCall, Route } from './route.ts';

type DirectHandler = (request: RoutedRequest) => Response | Promise<Response>;

const noParams = {};

export function createDirectHandler(route: Route, options: EdgeOptions, refusals: Refusals): DirectHandler {
  const { telemetry, cors, log } = options;
  const handler = createPlainHandler(route, options, refusals);
  const watched = telemetry === undefined ? handler : watchedHandler(handler, route.path, telemetry);
  if (!log.isLevelEnabled('debug') && cors === undefined) return watched;
  return async (request) => {
    const response = await watched(request);
    cors?.permit(request, response);
    logRequest(log, request, response);
    return response;
  };
}

function createPlainHandler(route: Route, options: EdgeOptions, refusals: Refusals): DirectHandler {
  const { access, path, handlePlain } = route;
  if (access.kind === 'anyone') throw new Error(`${path}: a direct route must require a sign-in`);
  const refuse = (error: unknown) => refusals.respond(error, crypto.randomUUID());
  const handleAny = createAnyHandler(route, access, options, refuse);
  // With an access log, every request goes to `handleAny`, because only that handler reports who sent the request.
  if (handlePlain === undefined || options.logAccess !== undefined) return handleAny;
  return createUsualHandler(handlePlain, access, options, handleAny, refuse);
}

type Refuse = (error: unknown) => Response;

/** Handles the usual request: a token seen before, no query, no body, one host. `handleAny` handles any other. */
function createUsualHandler(
  handlePlain: NonNullable<Route['handlePlain']>,
  access: SignedIn,
  { authenticator, limits, clock }: EdgeOptions,
  handleAny: DirectHandler,
  refuse: Refuse,
): DirectHandler {
  return (request) => {
    const { headers, url } = request;
    const credentials = headers.get('authorization');
    if (credentials === null || url.includes('?') || hasBody(headers) || hasSeveralHosts(headers))
      return handleAny(request);
    const at = clock();
    const principal = authenticator.findVerified(credentials, at);
    if (principal === undefined || authenticator.isStale()) return handleAny(request);
    try {
      permit(principal, access, authenticator, noParams, at);
      limits.api?.take(principal.employeeId, at);
      const answer = handlePlain(headers);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  };
}

/**
 * Awaits nothing for a token seen before, and creates no request ID for a successful answer. The functions are created once
 * for the route, because nested ones would be created again for each request.
 */
function createAnyHandler(
  route: Route,
  access: SignedIn,
  { authenticator, limits, clock, logAccess }: EdgeOptions,
  refuse: Refuse,
): DirectHandler {
  // Bun creates the parameters object each time it is read, so it is not read for a path without parameters.
  const hasParams = route.path.includes('{');
  const answerTo = (call: IncomingCall) => {
    try {
      if (hasSeveralHosts(call.headers)) throw severalHosts();
      const principal = authorize(call, access, authenticator);
      if (principal instanceof Promise) return handleLater(call, principal);
      const answer = handle(call, principal);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
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
      return refuse(error);
    }
  };
  const callOf = (request: RoutedRequest) =>
    receive(request, (hasParams && request.params) || noParams, '', '', clock());
  const answer = (call: IncomingCall) =>
    mayOutlastAnswer(call.headers) ? answerAndClose(answerTo(call)) : answerTo(call);
  if (logAccess === undefined) return (request) => answer(callOf(request));
  return async (request) => {
    const start = performance.now();
    const call = callOf(request);
    const response = await answer(call);
    logAccess({
      method: request.method,
      route: route.path,
      status: response.status,
      milliseconds: performance.now() - start,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      employeeId: call.principal?.employeeId,
    });
    return response;
  };
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
