import { anyone } from '../../http/access.ts';
import { type Route, route } from '../../http/route.ts';
import { KeySet, ServerMetadata } from '../auth.schema.ts';
import { publishedMaxAgeSeconds } from './rotation.ts';
import type { SigningKeys } from './signing-keys.ts';

interface KeysRoutesOptions {
  publicUrl: string;
  keys: SigningKeys;
}

export function keysRoutes({ publicUrl, keys }: KeysRoutesOptions): Route[] {
  const headers = { 'Cache-Control': `public, max-age=${publishedMaxAgeSeconds}` };
  return [
    route({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      access: anyone,
      tag: 'Keys',
      summary: 'The public keys access tokens are signed with',
      description: 'A new key is published before it signs, and an old one until its last token has expired.',
      answers: { 200: { description: 'The key set', content: { 'application/json': KeySet } } },
      problems: [],
      handle: () => Response.json(keys.published(), { headers }),
    }),
    route({
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      operationId: 'getServerMetadata',
      access: anyone,
      tag: 'Keys',
      summary: 'Where the keys are, for services that accept our tokens',
      description: 'RFC 8414. No grant is offered here: tokens come from a sign-in at the identity provider.',
      answers: { 200: { description: 'The metadata', content: { 'application/json': ServerMetadata } } },
      problems: [],
      handle: () =>
        Response.json(
          {
            issuer: publicUrl,
            jwks_uri: `${publicUrl}/.well-known/jwks.json`,
            // Tokens come from a sign-in at the identity provider: no OAuth grant is offered here.
            response_types_supported: [],
            grant_types_supported: [],
            service_documentation: `${publicUrl}/docs`,
          },
          { headers },
        ),
    }),
  ];
}
