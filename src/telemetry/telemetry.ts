// What a running service reports for metrics, traces and Server-Timing. If none is configured, there is no Telemetry and no cost.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Telemetry {
  /** Called when a request arrives. */
  request(request: Request): RequestWatch;
  /** Makes and measures a call to the identity provider, or to a caller's issuer. */
  providerCall<T>(operation: ProviderOperation, call: () => Promise<T>): Promise<T>;
  /** Called after each statement. `text` has placeholders instead of values. */
  statement(text: string, milliseconds: number, hasFailed: boolean): void;
  /** Called with the time that a request waited for a connection from a pool, whether it got one or gave up. */
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
  /** The value of the header `Server-Timing` so far. */
  serverTiming?: (() => string) | undefined;
}

/** Returns a Telemetry that reports to both, or the one that is given; undefined if neither is. */
export function combine(first: Telemetry | undefined, second: Telemetry | undefined): Telemetry | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    // `first` is the metrics if they are on. The methods that are not replaced below are for metrics only.
    ...first,
    request(request) {
      const [outer, inner] = [first.request(request), second.request(request)];
      return {
        serverTiming: inner.serverTiming,
        run: (work) => outer.run(() => inner.run(work)),
        end(route, status) {
          outer.end(route, status);
          inner.end(route, status);
        },
      };
    },
    providerCall: (operation, call) => first.providerCall(operation, () => second.providerCall(operation, call)),
    statement(...args) {
      first.statement(...args);
      second.statement(...args);
    },
  };
}

/** Adds up the time that the database and the provider take for each request. */
export function measureServerTiming(): Telemetry {
  const current = new AsyncLocalStorage<Record<'db' | 'provider', number>>();
  const add = (part: 'db' | 'provider', milliseconds: number) => {
    const times = current.getStore();
    if (times !== undefined) times[part] += milliseconds;
  };
  return {
    request() {
      const start = performance.now();
      const times = { db: 0, provider: 0 };
      return {
        run: (work) => current.run(times, work),
        end() {},
        serverTiming: () =>
          Object.entries({ ...times, total: performance.now() - start })
            .map(([part, milliseconds]) => `${part};dur=${milliseconds.toFixed(2)}`)
            .join(', '),
      };
    },
    async providerCall(_, call) {
      const start = performance.now();
      return call().finally(() => add('provider', performance.now() - start));
    },
    statement: (_, milliseconds) => add('db', milliseconds),
    connectionTaken() {},
    signIn() {},
    renewal() {},
    callerToken() {},
    listTakenUp() {},
  };
}
