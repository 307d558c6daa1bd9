// What a running service reports for metrics and traces. If neither is configured, there is no Telemetry and no cost.

export interface Telemetry {
  /** A request has arrived. */
  request(request: Request): RequestWatch;
  /** Makes and measures a call to the identity provider, or to a caller's issuer. */
  providerCall<T>(operation: ProviderOperation, call: () => Promise<T>): Promise<T>;
  /** A statement has been executed. Its text has placeholders, and no values. */
  statement(text: string, milliseconds: number, hasFailed: boolean): void;
  /** A pool has given out a connection to the database after this time, or none became free in it. */
  connectionTaken(pool: string, milliseconds: number): void;
  /** A sign-in has ended: `success`, or the code of its problem. */
  signIn(way: SignInWay, outcome: string): void;
  /** A renewal has ended: `success`, `without-call` if the provider was not asked, or the code of its problem. */
  renewal(outcome: string): void;
  /** A program's request for a token has ended: `success`, or the code of its problem. */
  callerToken(outcome: string): void;
  /** A list change is served here, this long after it was made. */
  listTakenUp(delaySeconds: number): void;
}

export type ProviderOperation =
  | 'discovery'
  | 'pushed-request'
  | 'token'
  | 'refresh'
  | 'revocation'
  | 'userinfo'
  | 'keys'
  | 'issuer-discovery'
  | 'issuer-keys';
type SignInWay = 'bound' | 'code-only';

interface RequestWatch {
  /** Runs the work as part of this request. */
  run<T>(work: () => T): T;
  /** `route` is the path as declared, or `none`. */
  end(route: string, status: number): void;
}

/** Reports to both, or to the one that exists. Returns undefined if there is neither. */
export function combine(metrics: Telemetry | undefined, tracing: Telemetry | undefined): Telemetry | undefined {
  if (metrics === undefined || tracing === undefined) return metrics ?? tracing;
  return {
    // Events that are only counted have no trace.
    ...metrics,
    request(request) {
      const [outer, inner] = [metrics.request(request), tracing.request(request)];
      return {
        run: (work) => outer.run(() => inner.run(work)),
        end(route, status) {
          outer.end(route, status);
          inner.end(route, status);
        },
      };
    },
    providerCall: (operation, call) => metrics.providerCall(operation, () => tracing.providerCall(operation, call)),
    statement(...args) {
      metrics.statement(...args);
      tracing.statement(...args);
    },
  };
}
