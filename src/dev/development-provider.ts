// A real OpenID Connect provider with sample people, for development and tests. Never loaded in production.
import { createServer, type RequestListener, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import type { Adapter, AdapterPayload, Configuration, interactionPolicy } from 'oidc-provider';
import { addressesOf, isOwnHost } from '../base/loopback.ts';
import type { DevelopmentPerson } from '../config/development-people.ts';
import { longestSessionSeconds } from '../config/token-times.ts';
import { failedPage, signedOutPage, signOutPage } from './pages.ts';
import { samplePeople } from './people.ts';
import { alwaysAsk, handleRequests } from './sign-in-page.ts';

export interface DevelopmentProviderOptions {
  port: number;
  /** If the port is taken, the next one is tried, up to this many ports in total. */
  portsToTry: number;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  postLogoutUris: readonly string[];
  /** Where the provider sends logout tokens when its sessions end. */
  backchannelLogoutUri: string;
  /** Replaces the sample people. */
  devPeople?: readonly DevelopmentPerson[] | undefined;
  /** Changes to the configuration of oidc-provider, for tests. */
  overrides?: Configuration;
}

export interface DevelopmentProvider {
  issuer: string;
  close(): Promise<void>;
}

export async function startDevelopmentProvider(options: DevelopmentProviderOptions): Promise<DevelopmentProvider> {
  const library = await importQuietly();
  let handle: RequestListener = (_, response) => response.end();
  const { servers, port } = await listen(
    (request, response) => handle(request, response),
    options.port,
    options.portsToTry,
  );
  const issuer = `http://localhost:${port}`;
  const people = options.devPeople ?? samplePeople(issuer);
  const provider = new library.default(issuer, await configure(people, options, library.interactionPolicy));
  const handleOwn = handleRequests(provider, people);
  handle = (request, response) => {
    if (isOwnHost(request.headers.host)) handleOwn(request, response);
    else response.writeHead(421).end();
  };
  return { issuer, close: () => closeAll(servers) };
}

/**
 * Suppresses oidc-provider's warnings that it does not support this runtime. It prints them when it is imported and when
 * it makes its first outgoing call. They are of no use to application developers.
 */
async function importQuietly(): Promise<typeof import('oidc-provider')> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider WARNING')) warn(...words);
  };
  return import('oidc-provider');
}

/** Starts a server for each address of localhost, all on the same port: the given one or, if it is taken, one of the next. */
async function listen(
  handle: RequestListener,
  port: number,
  tries: number,
): Promise<{ servers: Server[]; port: number }> {
  const servers: Server[] = [];
  try {
    for (const address of addressesOf('localhost')) {
      const server = createServer(handle);
      servers.push(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, address, resolve);
      });
    }
    return { servers, port };
  } catch (error) {
    await closeAll(servers);
    if (tries <= 1 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return listen(handle, port + 1, tries - 1);
  }
}

async function closeAll(servers: Server[]): Promise<void> {
  for (const server of servers) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

async function configure(
  people: readonly DevelopmentPerson[],
  options: DevelopmentProviderOptions,
  policies: typeof interactionPolicy,
): Promise<Configuration> {
  const claimsOf = new Map(people.map(({ claims }) => [claims.sub, claims]));
  const { openid, email, phone } = { openid: ['sub'], email: ['email', 'email_verified'], phone: ['phone_number'] };
  const elsewhere = new Set([...openid, ...email, ...phone]);
  const profile = new Set(people.flatMap(({ claims }) => Object.keys(claims)).filter((name) => !elsewhere.has(name)));
  return {
    adapter: createMemoryAdapter(),
    // Generating an RSA key would add a tenth of a second to every startup.
    jwks: { keys: [await makePrivateJwk('ES256')] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [...options.redirectUris],
        post_logout_redirect_uris: [...options.postLogoutUris],
        backchannel_logout_uri: options.backchannelLogoutUri,
        backchannel_logout_session_required: true,
        // form_post is off, because other sites could misuse a page that submits itself.
        response_modes: ['query'],
      },
    ],
    // Any requested class can be granted; the library just needs to know one.
    acrValues: ['second-factor'],
    claims: {
      acr: null,
      auth_time: null,
      openid,
      profile: [...profile],
      email,
      phone,
    },
    findAccount(_, id) {
      const claims = claimsOf.get(id);
      return claims === undefined ? undefined : { accountId: id, claims: () => claims };
    },
    // Grants every scope without a consent page.
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email phone offline_access');
      await grant.save();
      return grant;
    },
    // The application can renew sessions without offline_access, even after another person has signed in here.
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    interactions: { policy: alwaysAsk(policies), url: (_, { uid }) => `/interaction/${uid}` },
    // A client that sends only the code has no verifier. A sign-in that began with PKCE still needs its verifier.
    pkce: { required: () => false },
    renderError(ctx, { error }) {
      ctx.type = 'html';
      ctx.body = failedPage(error);
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: {
        logoutSource(ctx, form) {
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource(ctx) {
          ctx.body = signedOutPage();
        },
      },
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: longestSessionSeconds,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: longestSessionSeconds,
      Session: 600,
    },
    ...options.overrides,
  };
}

export async function makePrivateJwk(alg: string) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), use: 'sig', alg };
}

interface Entry {
  payload: AdapterPayload;
  expiresAt: number;
}

/** Keeps codes, tokens and sessions in memory. Each model has its own adapter, which does not see other models' entries. */
function createMemoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, Entry>();

  function read(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    if (entry !== undefined && entry.expiresAt > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  }

  const findBy = (model: string, property: 'uid' | 'userCode', value: string) =>
    [...entries.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(read)
      .find((payload) => payload?.[property] === value);

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + (expiresIn || 86_400) * 1000 });
    },
    find: async (id) => read(`${model}:${id}`),
    findByUid: async (uid) => findBy(model, 'uid', uid),
    findByUserCode: async (userCode) => findBy(model, 'userCode', userCode),
    async consume(id) {
      const payload = read(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      // Deletes only entries of this model. An interaction in progress has the same grant ID, but must be kept.
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) entries.delete(key);
      }
    },
  });
}
