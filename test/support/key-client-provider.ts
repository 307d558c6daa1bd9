// A real provider that authenticates Frontdesk by its keys (private_key_jwt), unless `client` says otherwise.
import type { ClientMetadata, Configuration } from 'oidc-provider';
import {
  type DevelopmentProvider,
  makePrivateJwk,
  startDevelopmentProvider,
} from '../../src/dev/development-provider.ts';
import { freePort } from './ports.ts';

export const keyClientId = 'desk';

/** `client` has Frontdesk's public keys, or the address from which the provider fetches them. */
export async function startKeyClientProvider(
  frontdeskUrl: string,
  client: Partial<ClientMetadata>,
  overrides: Configuration,
): Promise<DevelopmentProvider> {
  return startDevelopmentProvider({
    port: freePort(),
    portsToTry: 20,
    clientId: keyClientId,
    clientSecret: '',
    redirectUris: [],
    postLogoutUris: [],
    backchannelLogoutUri: '',
    overrides: {
      jwks: { keys: [await makePrivateJwk('ES256')] },
      clients: [
        {
          client_id: keyClientId,
          token_endpoint_auth_method: 'private_key_jwt',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${frontdeskUrl}/auth/login/callback`],
          ...client,
        },
      ],
      ...overrides,
    },
  });
}
