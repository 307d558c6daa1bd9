// What a running service reports for metrics and traces. If neither is configured, there is no Telemetry and no cost.

export interface Telemetry {
  /** Called when a request arrives. */
  request(request: Request): RequestWatch;
  /** Makes and measures a call to the identity provider, or to a caller's issuer. */
  providerCall<T>(operation: ProviderOperation, call: () => Promise<T>): Promise<T>;
  /** Called after each statement. `text` has placeholders instead of values. */
  statement(text: string, milliseconds: number, hasFailed: boolean): void;
  /** Called when a pool has given out a connection, with the time that the caller waited for it. */
  connectionTaken(pool: string, milliseconds: number): void;
  /** Called when a sign-in ends. `outcome` is `success`, or the problem code. */
  signIn(way: SignInWay, outcome: string): void;
  /** Called when a renewal ends. `outcome` is `success`, `without-call` if the provider was not asked, or the problem code. */
  renewal(outcome: string): void;
  /** Called when a program's request for a token ends. `outcome` is `success`, or the problem code. */
  callerToken(outcome: string): void;
  /** Called when a list change is first served here, with the delay since the change was made. */
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

/** Returns a Telemetry that reports to both, or the one that is given; undefined if neither is. */
export function combine(metrics: Telemetry | undefined, tracing: Telemetry | undefined): Telemetry | undefined {
  if (metrics === undefined || tracing === undefined) return metrics ?? tracing;
  return {
    // Everything that is not overridden below is only counted, not traced.
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
