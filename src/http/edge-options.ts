// What every part of the edge is made with: app.ts passes it in.
import type { Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Authenticator } from './access.ts';
import type { Cors } from './cors.ts';
import type { Limiter } from './limits.ts';

export interface EdgeOptions {
  publicUrl: string;
  /** Undefined: requests may name any host, as a proxy in front decides which reach the service. */
  isOwnHost: ((host: string | null) => boolean) | undefined;
  /** Headers of every answer. A direct route's own have them already. */
  everyAnswer: Record<string, string>;
  authenticator: Authenticator;
  /** Whether an error that is no Problem means that the storage is away. */
  isStorageAway: (error: unknown) => boolean;
  limits: {
    /** By address, on the routes that declare it. */
    login: Limiter | undefined;
    /** By person, on every protected route: signing in again gives no new quota. */
    api: Limiter | undefined;
  };
  cors: Cors | undefined;
  /** How many proxies in front may name the client's address. */
  trustedProxies: number;
  telemetry: Telemetry | undefined;
  log: Log;
  clock: () => number;
}
