// From configuration to a listening service and back. The only file that knows Bun.serve.
import { createApp } from './app.ts';
import { keepSecret } from './auth/secret.ts';
import { type Config, ConfigError, type ProviderSettings } from './config.ts';
import type { DevelopmentProvider } from './dev/development-provider.ts';
import type { Edge } from './http/edge.ts';
import type { Log } from './log.ts';
import { addressesOf } from './loopback.ts';
import { openStorage } from './storage/storage.ts';

export interface Service {
  /** The provider in use. */
  issuer: string;
  /** Does at once what is done every minute. */
  tend(): Promise<void>;
  /** Finishes what is under way, then closes the database. */
  stop(): Promise<void>;
}

/** The port is somebody else's, or the address is not this machine's. */
export class CannotListen extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotListen';
  }
}

function portTaken(port: number, variable: string): CannotListen {
  return new CannotListen(`Port ${port} is in use. Stop what runs there, or set ${variable} to another port.`);
}

type Server = Bun.Server<undefined>;

const longestStopMs = 10_000;

export async function startService(config: Config, log: Log, now = () => new Date()): Promise<Service> {
  // Before anything is made: a start that cannot be must leave nothing behind, least of all keys under a secret of its own.
  if (config.provider === undefined) expectDevelopmentProvider();
  // What was opened, to be closed in the other order: after a stop, and after a start that failed half-way.
  await using opened = new AsyncDisposableStack();
  const storage = await openStorage(config.database);
  opened.defer(() => storage.close());
  const app = await createApp({ config, secretKey: keepSecret(config), storage, log, now });
  opened.defer(app.close);

  // Our own port before the development provider's: a taken one is reported under its right name.
  // Registered before the servers, so that it is closed after them: a sign-in under way needs the provider.
  let development: DevelopmentProvider | undefined;
  opened.defer(async () => development?.close());
  const servers: Server[] = [];
  opened.defer(() => {
    app.leaveStreams();
    return drain(servers);
  });
  for (const address of addressesOf(config.host)) servers.push(listen(address, config.port, app.edge));
  if (config.provider === undefined) development = await startDevelopment(config);
  const provider = config.provider ?? developmentSettings(config, development?.issuer ?? '');
  app.connection.connect(provider);

  const running = opened.move();
  return { issuer: provider.issuer, tend: app.tend, stop: () => running.disposeAsync() };
}

function listen(hostname: string, port: number, edge: Edge): Server {
  try {
    return Bun.serve({
      hostname,
      port,
      routes: edge.direct,
      fetch: (request, server) => edge.fetch(request, server.requestIP(request)?.address),
      // Longer than a sign-in at a slow provider: three calls of 5 s.
      idleTimeout: 30,
      maxRequestBodySize: 256 * 1024,
      // No error page of the runtime's: problem documents are made in edge.ts.
      development: false,
      // Which would otherwise bring with it that two processes may share a port unawares.
      reusePort: false,
      // What escapes edge.ts is a defect, and must not reach anybody's terminal with what was in the request.
      error: () => new Response(null, { status: 500 }),
    });
  } catch (error) {
    if (isTaken(error)) throw portTaken(port, 'PORT');
    throw new CannotListen(`Cannot listen on ${hostname} (${codeOf(error)}). Set HOST to an address of this machine.`);
  }
}

/** Takes no more requests, lets those under way finish, and does not wait for ever. */
async function drain(servers: Server[]): Promise<void> {
  await Promise.race([Promise.all(servers.map((server) => server.stop())), Bun.sleep(longestStopMs)]);
  await Promise.all(servers.map((server) => server.stop(true)));
}

async function startDevelopment(config: Config): Promise<DevelopmentProvider> {
  const { publicUrl, devIdpPort } = config;
  // The last port there is has none behind it.
  const port = devIdpPort ?? Math.min(config.port + 1, 65_535 - portsToTry);
  try {
    // Loaded only here: a production start never reaches this line.
    const { startDevelopmentProvider } = await import('./dev/development-provider.ts');
    return await startDevelopmentProvider({
      ...config,
      port,
      portsToTry: devIdpPort === undefined ? portsToTry : 1,
      clientSecret: developmentSecret,
      backchannelLogoutUri: `${publicUrl}/auth/backchannel-logout`,
    });
  } catch (error) {
    throw isTaken(error) ? portTaken(port, 'DEV_IDP_PORT') : error;
  }
}

export function expectDevelopmentProvider(): void {
  try {
    import.meta.resolve('oidc-provider');
  } catch {
    const fault = 'is required: the development provider (package oidc-provider) is not installed';
    throw new ConfigError([{ variable: 'OIDC_ISSUER', fault }]);
  }
}

const portsToTry = 20;
const developmentSecret = crypto.randomUUID();

function developmentSettings({ clientId }: Config, issuer: string): ProviderSettings {
  return { issuer, clientId, clientSecret: developmentSecret, clientAuth: 'basic', allowHttp: true };
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
