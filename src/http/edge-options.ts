// What every part of the edge is given: the options from app.ts, and how errors are answered.
import type { Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Authenticator } from './access.ts';
import type { Cors } from './cors.ts';
import type { Limiter } from './limits.ts';
import type { Problem, ProblemFormat } from './problem.ts';

/** A request that was answered. The only personal value is the employee ID. */
export interface Answered {
  method: string;
  /** The path as declared, or `none`. */
  route: string;
  status: number;
  /** Time until the answer was ready. Sending a stream or a large answer takes longer. */
  milliseconds: number;
  /** Undefined for a successful answer from a direct route, because such answers have no request ID. */
  requestId: string | undefined;
  /** Undefined if nobody was signed in, or if access was refused. */
  employeeId: string | undefined;
}

export interface EdgeOptions {
  publicUrl: string;
  /** If undefined, any host is accepted, because a proxy in front decides which requests reach the service. */
  isOwnHost: ((host: string | null) => boolean) | undefined;
  /** The headers that every answer has. Answers from direct routes are prepared with them. */
  everyAnswer: Record<string, string>;
  authenticator: Authenticator;
  /** Whether an error that is not a Problem means that the storage is unavailable. */
  isStorageAway: (error: unknown) => boolean;
  limits: {
    /** Counts by address, on the routes with `limitedBy: 'login-address'`. */
    login: Limiter | undefined;
    /** Counts by person, so signing in again gives no new quota; by address on the routes with `limitedBy: 'api-address'`. */
    api: Limiter | undefined;
  };
  cors: Cors | undefined;
  /** The number of proxies in front that may state the client's address. */
  trustedProxies: number;
  telemetry: Telemetry | undefined;
  /** Writes a line about each answer; undefined if the access log is off. */
  logAccess: ((answered: Answered) => void) | undefined;
  log: Log;
  clock: () => number;
}

export interface Refusals {
  toProblem(error: unknown): Problem;
  /**
   * Logs the error, and answers with a problem document unless the route has a different format, or `page` makes a page for a
   * person.
   */
  respond(
    error: unknown,
    requestId: string,
    format?: ProblemFormat,
    page?: ((problem: Problem) => string) | undefined,
  ): Response;
}
