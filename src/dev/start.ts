// Starts the development provider, and returns the settings to reach it.

import { isExecutable } from '../base/executable.ts';
import { type Config, ConfigError, type ProviderSettings } from '../config/config.ts';

interface StartedProvider {
  settings: ProviderSettings;
  close(): Promise<void>;
}

const portsToTry = 20;

/** Returns the configured port, or the one after the service's port, but low enough that the next ports can be tried, too. */
export function developmentPort({ devIdpPort, port }: Config): number {
  return devIdpPort ?? Math.min(port + 1, 65_535 - portsToTry);
}

export async function startDevelopment(config: Config): Promise<StartedProvider> {
  const { publicUrl, devIdpPort, clientId } = config;
  const clientSecret = crypto.randomUUID();
  // Loaded only here, because a service in production never runs this function.
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

/** Throws if the development provider is not installed. Only looks for its package, without loading it. */
export function expectDevelopmentProvider(): void {
  if (isExecutable) return;
  try {
    import.meta.resolve('oidc-provider');
  } catch {
    const fault = 'is required: the development provider (package oidc-provider) is not installed';
    throw new ConfigError([{ variable: 'OIDC_ISSUER', fault }]);
  }
}
