// From configuration to a listening service and back. The only file that knows Bun.serve.
import { dirname, join } from 'node:path';
import { createApp } from './app.ts';
import { keepSecret } from './auth/secret.ts';
import { type Config, ConfigError, type ProviderSettings } from './config.ts';
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

/** The port is somebody else's. */
export class PortTaken extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is in use. Stop what runs there, or set ${variable} to another port.`);
    this.name = 'PortTaken';
  }
}

type Server = Bun.Server<undefined>;

const longestStopMs = 10_000;

export async function startService(config: Config, log: Log, now = () => new Date()): Promise<Service> {
  // What was opened, to be closed in the other order: after a stop, and after a start that failed half-way.
  await using opened = new AsyncDisposableStack();
  const storage = await openStorage(config.databaseFile);
  opened.defer(() => storage.close());
  const app = await createApp({ config, secretKey: secretKeyOf(config), storage, log, now });
  opened.defer(app.close);

  // Our own port before the development provider's: a taken one is reported under its right name.
  for (const address of addressesOf(config.host)) {
    const server = listen(address, config.port, app.edge);
    opened.defer(() => drain(server));
  }
  const provider = config.provider ?? (await startDevelopment(config, opened));
  app.connection.connect(provider);

  const running = opened.move();
  return { issuer: provider.issuer, tend: app.tend, stop: () => running.disposeAsync() };
}

export function secretKeyOf(config: Config): string {
  return config.secretKey ?? keepSecret(join(dirname(config.databaseFile), 'secret.key'));
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
    });
  } catch (error) {
    throw isTaken(error) ? new PortTaken(port, 'PORT') : error;
  }
}

/** Lets requests under way finish, and does not wait for ever. */
async function drain(server: Server): Promise<void> {
  await Promise.race([server.stop(), Bun.sleep(longestStopMs)]);
  await server.stop(true);
}

async function startDevelopment(config: Config, opened: AsyncDisposableStack): Promise<ProviderSettings> {
  const { clientId, redirectUris, postLogoutUris, publicUrl, devIdpPort } = config;
  const clientSecret = crypto.randomUUID();
  try {
    // Loaded only here: a production start never reaches this line.
    const { startDevelopmentProvider } = await import('./dev/development-provider.ts');
    const port = devIdpPort ?? config.port + 1;
    const mayMove = devIdpPort === undefined;
    const provider = await startDevelopmentProvider({
      port,
      mayMove,
      clientId,
      clientSecret,
      redirectUris,
      postLogoutUris,
      backchannelLogoutUri: `${publicUrl}/auth/backchannel-logout`,
    });
    opened.defer(() => provider.close());
    return { issuer: provider.issuer, clientId, clientSecret, clientAuth: 'basic', allowHttp: true };
  } catch (error) {
    if (isTaken(error)) throw new PortTaken(devIdpPort ?? config.port + 1, 'DEV_IDP_PORT');
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    const fault = 'is required: the development provider (package oidc-provider) is not installed';
    throw new ConfigError([{ variable: 'OIDC_ISSUER', fault }]);
  }
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE';
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
