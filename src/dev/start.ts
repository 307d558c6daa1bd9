// Starts the development provider, and returns the settings to reach it.
import type { Config, ProviderSettings } from '../config/config.ts';

interface StartedProvider {
  settings: ProviderSettings;
  close(): Promise<void>;
}

const portsToTry = 20;

/** The configured port, or the one after the service's, leaving room to try the next ones. */
export function developmentPort({ devIdpPort, port }: Config): number {
  return devIdpPort ?? Math.min(port + 1, 65_535 - portsToTry);
}

export async function startDevelopment(config: Config): Promise<StartedProvider> {
  const { publicUrl, devIdpPort, clientId } = config;
  const clientSecret = crypto.randomUUID();
  // Loaded only here: a production start never reaches this line.
  const { startDevelopmentProvider } = await import('./development-provider.ts');
  const { issuer, close } = await startDevelopmentProvider({
    ...config,
    port: developmentPort(config),
    portsToTry: devIdpPort === undefined ? portsToTry : 1,
    clientSecret,
    backchannelLogoutUri: `${publicUrl}/auth/backchannel-logout`,
  });
  const settings = {
    issuer,
    clientId,
    clientSecret,
    clientAuth: 'basic',
    allowHttp: true,
    signingAlg: 'ES256',
  } as const;
  return { settings, close };
}
