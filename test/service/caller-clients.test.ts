// Programs built by others: a certified provider as the issuer, a certified OAuth client at our endpoints, and tokens as
// GitHub Actions and Kubernetes issue them.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'openid-client';
import { type DevelopmentProvider, startDevelopmentProvider } from '../../src/dev/development-provider.ts';
import {
  addCaller,
  addOwnKeyCaller,
  jwtBearer,
  makeSigner,
  ownClaims,
  postForm,
  requestToken,
  type Signer,
  tokenFrom,
} from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let provider: DevelopmentProvider;
let signer: Signer;
beforeAll(async () => {
  desk = await startFrontdesk();
  signer = await makeSigner();
  provider = await startDevelopmentProvider({
    port: freePort(),
    portsToTry: 20,
    clientId: 'payroll-service',
    clientSecret: '',
    redirectUris: [],
    postLogoutUris: [],
    backchannelLogoutUri: '',
    overrides: {
      clients: [
        {
          client_id: 'payroll-service',
          client_secret: 'known to the provider alone',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      ttl: { ClientCredentials: 600 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: async (_, resource) => ({
            scope: '',
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
            accessTokenTTL: 600,
          }),
        },
      },
    },
  });
});
afterAll(async () => {
  await provider.close();
  await desk.stop();
});

test('the client credentials of a certified provider, as a JWT access token, open the lists', async () => {
  await addCaller(desk, 'payroll', '--issuer', provider.issuer, '--subject', 'payroll-service');
  const fetchAssertion = async (resource: string) => {
    const basic = Buffer.from('payroll-service:known+to+the+provider+alone').toString('base64');
    const form = { grant_type: 'client_credentials', resource };
    return tokenFrom(await postForm(`${provider.issuer}/token`, form, { authorization: `Basic ${basic}` }));
  };
  const assertion = await fetchAssertion(desk.url);
  expect(decodeProtectedHeader(assertion)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
  await until(async () => (await requestToken(desk, assertion)).status === 200);
  const token = await tokenFrom(await requestToken(desk, assertion));
  expect(decodeJwt(token)).toMatchObject({ sub: 'caller:payroll', client_id: 'payroll' });
  expect((await desk.get('/employee/position', bearer(token))).status).toBe(200);
  const forOthers = await fetchAssertion('https://elsewhere.example');
  expect((await requestToken(desk, forOthers)).status).toBe(400);
});

test('a certified OAuth client finds the endpoints, gets a token, introspects it, and understands a refusal', async () => {
  const mine = await (await addOwnKeyCaller(desk, 'resource', signer, 'TOKEN_INTROSPECTOR'))();
  const asBearer: oauth.ClientAuth = (_, __, ___, headers) => headers.set('authorization', `Bearer ${mine}`);
  const discover = (authentication: oauth.ClientAuth) =>
    oauth.discovery(new URL(desk.url), 'resource', undefined, authentication, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    });
  const client = await discover(oauth.None());
  const assertion = await signer.sign(ownClaims('resource', desk.url));
  const { access_token, token_type, expires_in } = await oauth.genericGrantRequest(client, jwtBearer, { assertion });
  // The library returns the type in lower case.
  expect([token_type, expires_in]).toEqual(['bearer', 900]);
  expect(decodeJwt(access_token)).toMatchObject({ sub: 'caller:resource' });

  const refusal = await oauth.genericGrantRequest(client, jwtBearer, { assertion }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(oauth.ResponseBodyError);
  expect(refusal).toMatchObject({ error: 'invalid_grant', status: 400 });
  const other = await oauth.genericGrantRequest(client, 'password', {}).catch((error: unknown) => error);
  expect(other).toMatchObject({ error: 'unsupported_grant_type', status: 400 });

  const resource = await discover(asBearer);
  expect(await oauth.tokenIntrospection(resource, access_token)).toMatchObject({
    active: true,
    sub: 'caller:resource',
  });
  expect(await oauth.tokenIntrospection(resource, 'nonsense')).toEqual({ active: false });
});

const now = () => Math.floor(Date.now() / 1000);
const shapes: [where: string, subject: string, claims: () => Record<string, unknown>][] = [
  [
    'GitHub Actions',
    'repo:acme/lists:ref:refs/heads/main',
    () => ({
      aud: desk.url,
      jti: 'b2d1f0a4-5f3c-4a4e-9a39-6f1b1d0c7e11',
      ref: 'refs/heads/main',
      repository: 'acme/lists',
      repository_owner: 'acme',
      workflow: 'lists',
      job_workflow_ref: 'acme/lists/.github/workflows/lists.yaml@refs/heads/main',
      run_attempt: '1',
      iat: now(),
      nbf: now() - 300,
      exp: now() + 300,
    }),
  ],
  [
    'Kubernetes',
    'system:serviceaccount:hr:payroll',
    () => ({
      aud: [desk.url],
      iat: now(),
      nbf: now(),
      exp: now() + 3607,
      'kubernetes.io': { namespace: 'hr', serviceaccount: { name: 'payroll', uid: 'a1' } },
    }),
  ],
  [
    'GitLab',
    'project_path:acme/lists:ref_type:branch:ref:main',
    () => ({ aud: desk.url, iat: now(), nbf: now() - 5, exp: now() + 3600, project_path: 'acme/lists', ref: 'main' }),
  ],
  [
    'Entra',
    '6f1e0a53-9c6b-4a0e-8d44-2f9b6a1d7c10',
    () => ({ aud: desk.url, iat: now(), nbf: now(), exp: now() + 5400, azp: 'x', azpacr: '2', ver: '2.0', tid: 't' }),
  ],
];
test.each(shapes)('a token in the shape of %s is accepted', async (where, subject, claims) => {
  const issuer = await startHostileProvider();
  const name = where.toLowerCase().replace(' ', '-');
  await addCaller(desk, name, '--issuer', issuer.issuer, '--subject', subject, '--roles', 'LOOKUP_PLANNER');
  // Kubernetes omits `typ`.
  const header = where === 'Kubernetes' ? {} : { typ: 'JWT' };
  const sign = () => issuer.sign({ iss: issuer.issuer, sub: subject, ...claims() }, header);
  await until(async () => (await requestToken(desk, await sign())).status === 200);
  const token = await tokenFrom(await requestToken(desk, await sign()));
  expect(decodeJwt(token)).toMatchObject({ sub: `caller:${name}`, roles: ['LOOKUP_PLANNER'] });
  expect((await desk.get('/admin/lookups', bearer(token))).status).toBe(200);
  issuer.stop();
});
