// Starts and stops the service. The only file that uses Bun.serve.
import { type App, createApp } from './app.ts';
import { logAudit } from './audit/audit.ts';
import { findCommit, version } from './base/executable.ts';
import { ExitError } from './base/exit-error.ts';
import { codeOf } from './base/guards.ts';
import { addressesOf } from './base/loopback.ts';
import { announceMs, atMost, closeMs, drainMs } from './base/stop-times.ts';
import type { Config } from './config/config.ts';
import { developmentPort, expectDevelopmentProvider, startDevelopment } from './dev/start.ts';
import { createStartingEdge, type Edge, type PathHandler } from './http/edge.ts';
import { describeStep, type MigrationWatch } from './storage/migrate.ts';
import { ensureSecret } from './storage/secret.ts';
import { openStorage } from './storage/storage.ts';
import { createLineWriter, type Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { combine, measureServerTiming } from './telemetry/telemetry.ts';
import type { Tracing } from './telemetry/tracing.ts';

export interface Service {
  /** The issuer of the identity provider in use. */
  issuer: string;
  /** Undefined if metrics are off. */
  metrics: Metrics | undefined;
  /** Runs the work that otherwise runs every minute. */
  runHousekeeping(): Promise<void>;
  /** Finishes the requests in progress, then closes the database. */
  stop(): Promise<void>;
}

function portTaken(port: number, variable: string): ExitError {
  return new ExitError(
    `Port ${port} is in use. Stop whatever is running there, or set ${variable} to a different port.`,
  );
}

type Server = Bun.Server<undefined>;

export async function startService(config: Config, log: Log, clock = Date.now, movedMs = () => 0): Promise<Service> {
  // Checked first, because a startup that cannot succeed must not create anything, such as keys under a new secret.
  if (config.provider === undefined) expectDevelopmentProvider();
  // Everything opened is closed in reverse order, at shutdown or if startup fails half-way.
  await using opened = new AsyncDisposableStack();
  // Stopped before everything in `opened`, because a sign-in in progress needs the provider and the database.
  await using serving = new AsyncDisposableStack();
  const metrics = await loadMetrics(config);
  const tracing = await loadTracing(config);
  opened.defer(async () => tracing?.stop().catch(() => {}));
  const timing = config.serverTiming ? measureServerTiming() : undefined;
  const telemetry = combine(combine(metrics, tracing), timing);
  const servers: Server[] = [];
  const metricsServers: Server[] = [];
  let app: App | undefined;
  serving.defer(() => stopAtOnce(metricsServers));
  serving.defer(async () => {
    if (app === undefined) return stopAtOnce(servers);
    if (config.production) await announceConnectionClose(servers, app.edge);
    app.closeStreams();
    await drain(servers);
  });
  /** Binds the ports. If they are bound already, gives the servers their final routes. */
  const serve = (edge: Edge) => {
    const isBound = servers.length > 0;
    for (const server of servers) server.reload(serverOptions(edge));
    if (isBound) return;
    for (const address of addressesOf(config.host)) servers.push(listen(address, config, edge));
    // With several workers, the supervisor serves the metrics.
    if (metrics !== undefined && config.workers === 1) metricsServers.push(...serveMetrics(config, metrics.text));
  };
  // Serves the starting edge only if there is something to migrate. Otherwise startup takes only a moment, and a proxy or
  // another worker on the same port answers meanwhile.
  const migrating = logMigrations(config, log, () => serve(createStartingEdge(config.publicUrl)));
  const storage = await openStorage(config.database, telemetry?.statement, {
    migrating,
    taken: telemetry?.connectionTaken,
  });
  opened.defer(() => storage.close());
  if (config.auditLog === 'stdout') logAudit(storage.db, config.instance, createLineWriter(1));
  // Closed after the app, which may still be revoking tokens at the provider.
  const providers = opened.use(new AsyncDisposableStack());
  app = await createApp({ config, secretKey: ensureSecret(config), storage, log, telemetry, clock, movedMs });
  metrics?.observe(app.sources);
  opened.defer(app.close);
  serve(app.edge);
  // Started after our own port is bound, so that a taken port is reported under the right variable.
  const provider = config.provider ?? (await startDevelopmentProvider(config, providers));
  app.connection.connect(provider);

  const [rest, listening] = [opened.move(), serving.move()];
  async function stop(): Promise<void> {
    await listening.disposeAsync();
    await atMost(closeMs, rest.disposeAsync());
  }
  return { issuer: provider.issuer, metrics, runHousekeeping: app.runHousekeeping, stop };
}

/** Begins to answer that the service is starting, and logs each step. */
function logMigrations({ production }: Config, log: Log, answerStarting: () => void): MigrationWatch {
  // In development, where a person reads the output, creating the tables is logged only at debug.
  let level: 'info' | 'debug' = 'info';
  return {
    begin(isNew) {
      if (isNew && !production) level = 'debug';
      answerStarting();
    },
    step(step) {
      const { kind: _, ...figures } = step;
      log[level](figures, describeStep(step));
    },
  };
}

function listen(hostname: string, { port, workers }: Config, edge: Edge): Server {
  return expectPort(hostname, port, 'PORT', () =>
    // reusePort is always set, because with its default two processes could share a port unnoticed.
    Bun.serve({ hostname, port, reusePort: workers > 1, ...serverOptions(edge) }),
  );
}

const serverOptions = (edge: Edge) => ({
  ...edge,
  // Longer than a sign-in at a slow provider: three calls of 5 s.
  idleTimeout: 30,
  // http/body.ts limits the size of bodies, because the runtime's own 413 has no body and no headers.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // Turns off the runtime's error page, because edge.ts answers with problem documents.
  development: false,
  // An error that edge.ts did not handle is a defect; the runtime would print it with the request's contents.
  error: () => new Response(null, { status: 500 }),
});

/** Serves the metrics on a separate port, which users of the service need not reach. */
export function serveMetrics({ host, metricsPort: port = 0 }: Config, text: () => Promise<string>): Server[] {
  const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
  return addressesOf(host).map((hostname) =>
    expectPort(hostname, port, 'METRICS_PORT', () =>
      Bun.serve({
        hostname,
        port,
        development: false,
        reusePort: false,
        routes: { '/metrics': { GET: async () => new Response(await text(), { headers }) } },
        fetch: () => new Response(null, { status: 404 }),
        error: () => new Response(null, { status: 500 }),
      }),
    ),
  );
}

/** Throws if the port is taken. Called before workers share it, because sharing would hide that another program uses it. */
export async function expectFreePort({ host, port }: Config): Promise<void> {
  const servers = addressesOf(host).map((hostname) =>
    expectPort(hostname, port, 'PORT', () =>
      Bun.serve({ hostname, port, development: false, reusePort: false, fetch: () => new Response() }),
    ),
  );
  await Promise.all(servers.map((server) => server.stop(true)));
}

function expectPort(hostname: string, port: number, variable: string, serve: () => Server): Server {
  try {
    return serve();
  } catch (error) {
    if (isTaken(error)) throw portTaken(port, variable);
    throw new ExitError(`Cannot listen on ${hostname} (${codeOf(error)}). Set HOST to an address of this machine.`);
  }
}

async function loadMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import('./telemetry/metrics.ts');
  return createMetrics(version, findCommit());
}

async function loadTracing({ tracing }: Config): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { startTracing } = await import('./telemetry/tracing.ts');
  return startTracing(tracing, version);
}

/**
 * A proxy reuses connections, and a request sent just as we close one is lost. So for a moment before shutdown, every
 * answer has `Connection: close`. Skipped in development, where a person waits for the shutdown.
 */
async function announceConnectionClose(servers: Server[], edge: Edge): Promise<void> {
  const withClose =
    (handle: PathHandler): PathHandler =>
    async (...request) => {
      const { status, headers, body } = await handle(...request);
      const closing = new Headers(headers);
      closing.set('Connection', 'close');
      return new Response(body, { status, headers: closing });
    };
  const routes = Object.fromEntries(
    Object.entries(edge.routes).map(([path, handle]) => [
      path,
      typeof handle === 'function' ? withClose(handle) : { GET: withClose(handle.GET), HEAD: withClose(handle.HEAD) },
    ]),
  );
  for (const server of servers) server.reload({ routes, fetch: withClose(edge.fetch) });
  if (servers.length > 0) await Bun.sleep(announceMs);
}

/** Accepts no more requests and lets those in progress finish, up to a time limit. */
async function drain(servers: Server[]): Promise<void> {
  await atMost(drainMs, Promise.all(servers.map((server) => server.stop())));
  stopAtOnce(servers);
}

/** Does not wait for requests in progress. */
function stopAtOnce(servers: Server[]): void {
  for (const server of servers) void server.stop(true);
}

async function startDevelopmentProvider(config: Config, opened: AsyncDisposableStack) {
  try {
    const { settings, close } = await startDevelopment(config);
    opened.defer(close);
    return settings;
  } catch (error) {
    throw isTaken(error) ? portTaken(developmentPort(config), 'DEV_IDP_PORT') : error;
  }
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}
