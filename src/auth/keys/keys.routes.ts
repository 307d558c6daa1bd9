import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { jwtBearerGrant } from '../callers/caller.schema.ts';
import type { LoadedKeys } from './keys-in-use.ts';
import { publishedMaxAgeSeconds } from './rotation.ts';

const Jwk = z
  .object({
    kid: z.string(),
    kty: z.string(),
    alg: z.string(),
    use: z.enum(['sig']),
    crv: z.string().optional(),
    x: z.string().optional(),
    y: z.string().optional(),
    n: z.string().optional(),
    e: z.string().optional(),
  })
  .meta({ id: 'Jwk', description: 'RFC 7517 JSON Web Key, public' });

const KeySet = z
  .object({
    keys: z.array(Jwk),
  })
  .meta({ id: 'KeySet', description: 'RFC 7517 JSON Web Key Set' });

// Has no `alg`, because the provider's settings decide which algorithm the RSA key is used with.
const ClientJwk = Jwk.omit({ alg: true }).meta({ id: 'ClientJwk', description: 'RFC 7517 JSON Web Key, public' });

const ClientKeySet = z
  .object({
    keys: z.array(ClientJwk),
  })
  .meta({ id: 'ClientKeySet', description: 'RFC 7517 JSON Web Key Set' });

const ServerMetadata = z
  .object({
    issuer: z.url(),
    jwks_uri: z.url(),
    token_endpoint: z.url(),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint: z.url(),
    introspection_endpoint_auth_methods_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    service_documentation: z.url(),
  })
  .meta({ id: 'ServerMetadata', description: 'RFC 8414 authorization server metadata' });

interface KeysRoutesOptions {
  publicUrl: string;
  keys: Pick<LoadedKeys, 'signing' | 'client'>;
}

/** Short, so that the provider fetches the new key soon after an urgent rotation. */
const clientMaxAgeSeconds = 60;

export function keysRoutes({ publicUrl, keys }: KeysRoutesOptions): Route[] {
  const headers = { 'Cache-Control': `public, max-age=${publishedMaxAgeSeconds}` };
  return [
    route({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      access: anyone,
      tag: 'Keys',
      summary: 'The public keys for verifying access tokens',
      description:
        'A new key is published before it is used. An old key stays published until its last token has expired.',
      answers: { 200: { description: 'The key set', content: { 'application/json': KeySet } } },
      problems: [],
      handle: () => Response.json(keys.signing.published(), { headers }),
    }),
    route({
      method: 'GET',
      path: '/.well-known/client-jwks.json',
      operationId: 'getClientKeySet',
      access: anyone,
      tag: 'Keys',
      summary: 'The public keys that Frontdesk authenticates with at the identity provider',
      description:
        'Enter this address at the provider as `jwks_uri` of the client, if Frontdesk makes its own key ' +
        '(`private_key_jwt` without a key file). A new key is published before it is used. An old key stays published ' +
        'for a day after it was last used. 404 if there is no key.',
      answers: { 200: { description: 'The key set', content: { 'application/json': ClientKeySet } } },
      problems: ['not-found'],
      handle: () => {
        const published = keys.client.published();
        // 404 instead of an empty set, because the provider would cache the set, although the next startup may create a key.
        if (published.keys.length === 0) throw new Problem('not-found');
        return Response.json(published, { headers: { 'Cache-Control': `public, max-age=${clientMaxAgeSeconds}` } });
      },
    }),
    route({
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      operationId: 'getServerMetadata',
      access: anyone,
      tag: 'Keys',
      summary: 'The addresses of the keys and endpoints, for services that accept our tokens',
      description: 'RFC 8414. The grant type is for programs. People sign in at the identity provider.',
      answers: { 200: { description: 'The metadata', content: { 'application/json': ServerMetadata } } },
      problems: [],
      handle: () =>
        Response.json(
          {
            issuer: publicUrl,
            jwks_uri: `${publicUrl}/.well-known/jwks.json`,
            token_endpoint: `${publicUrl}/auth/token`,
            // No client authentication, because the assertion already identifies the program.
            token_endpoint_auth_methods_supported: ['none'],
            introspection_endpoint: `${publicUrl}/auth/introspect`,
            introspection_endpoint_auth_methods_supported: ['Bearer'],
            // People sign in at the identity provider, so there is no authorization endpoint here.
            response_types_supported: [],
            grant_types_supported: [jwtBearerGrant],
            service_documentation: `${publicUrl}/docs`,
          },
          { headers },
        ),
    }),
  ];
}
