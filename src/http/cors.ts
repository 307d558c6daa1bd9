// Pages from other origins may call the service only if their exact origin is listed.

export interface Cors {
  isNamed(origin: string): boolean;
  /** The answer to a preflight from an allowed origin. */
  preflight(request: Request, methods: readonly string[]): Response | undefined;
  /** Adds the headers that let a page of an allowed origin read the answer. */
  permit(request: Request, response: Response): void;
}

/** Returns undefined if no origin is allowed. No headers are added then. */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);

  function permit(request: Request, { headers }: Response): void {
    // Added even if the origin is not allowed, because caches must keep answers to different origins apart.
    headers.append('Vary', 'Origin');
    const origin = request.headers.get('origin');
    if (origin === null || !allowed.has(origin)) return;
    headers.set('Access-Control-Allow-Origin', origin);
    // A client's own page that calls the callback must send the cookie of its bound sign-in.
    headers.set('Access-Control-Allow-Credentials', 'true');
    headers.set(
      'Access-Control-Expose-Headers',
      'ETag, Location, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
    );
  }

  return {
    isNamed: (origin) => allowed.has(origin),
    permit,
    preflight(request, methods) {
      const origin = request.headers.get('origin');
      const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
      if (!isPreflight || origin === null || !allowed.has(origin)) return undefined;
      if (methods.length === 0) return undefined;
      return new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': methods.join(', '),
          'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, If-Match, Last-Event-ID',
          'Access-Control-Max-Age': '600',
        },
      });
    },
  };
}
