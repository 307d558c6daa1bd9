// Valid settings, and a function that returns the names of invalid variables.
import { ConfigError, readConfig } from '../../src/config/config.ts';

export const provider = { OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 's' };
export const production = {
  ...provider,
  NODE_ENV: 'production',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://desk.example',
};

/** Settings with a provider that does not exist: the service starts without waiting for the provider. */
export const withoutProvider = { ...production, OIDC_ISSUER: 'https://localhost:9' };

export function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ variable }) => variable);
  }
}
