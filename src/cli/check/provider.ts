// Checks the identity provider, as far as possible without a person who signs in.
import { importJWK } from 'jose';
import { isUsable } from '../../auth/provider/endpoint.ts';
import { type AskProvider, createAskProvider } from '../../auth/provider/fetch.ts';
import {
  acceptedAlgs,
  discoverProvider,
  type IdentityProvider,
  readList,
} from '../../auth/provider/identity-provider.ts';
import { RefusedByProvider } from '../../auth/provider/refusal.ts';
import { isObject } from '../../base/guards.ts';
import { usesOwnKey } from '../../config/client-assertion.ts';
import type { ClientKey } from '../../config/client-key.ts';
import type { Config, ProviderSettings } from '../../config/config.ts';
import { providerClockToleranceSeconds } from '../../config/token-times.ts';
import { expectDevelopmentProvider } from '../../dev/start.ts';
import { Problem } from '../../http/problem.ts';
import { randomText } from '../../storage/secret.ts';
import { checkTls } from './certificates.ts';
import { endpointOf, judgeDiscovery, type Metadata, readDiscovery } from './discovery.ts';
import { attempt, type Finding, findingsAbout, type Part } from './finding.ts';
import { judgeProfile } from './profile.ts';
import { checkRedirects } from './redirects.ts';

const provider = 'identity provider';

/** `ownKey`: the client key that Frontdesk made itself. */
export async function* checkProvider(config: Config, ownKey?: ClientKey): AsyncGenerator<Finding> {
  if (config.provider !== undefined) return yield* checkRealProvider(config, config.provider, ownKey);
  yield* attempt(provider, async () => {
    expectDevelopmentProvider();
    return [{ level: 'ok', part: provider, text: 'the development provider starts with the service' }];
  });
}

async function* checkRealProvider(
  config: Config,
  settings: ProviderSettings,
  ownKey: ClientKey | undefined,
): AsyncGenerator<Finding> {
  const { ask, reading } = readClock(createAskProvider(undefined), Date.now);
  let metadata: Metadata | undefined;
  yield* attempt(provider, async () => {
    const read = await readDiscovery(settings, ask);
    if (typeof read === 'string') return [{ level: 'FAILS', part: provider, text: read }];
    metadata = read;
    return [...judgeDiscovery(read, settings), ...judgeProfile(read, settings)];
  });
  yield* attempt('TLS', () => checkTls([settings.issuer, ...endpointsIn(metadata ?? {}, settings)], new Date()));
  if (metadata === undefined) {
    const parts: Part[] = ["provider's keys", 'client', 'redirect address', 'clock'];
    if (settings.profile !== undefined) parts.unshift('FAPI 2.0');
    for (const part of parts) yield { level: 'skips', part, text: 'not tried without the discovery document' };
    return;
  }
  const { require_pushed_authorization_requests: mustPush, ...found } = metadata;
  const algs = acceptedAlgs(settings, readList(found.id_token_signing_alg_values_supported));
  const jwksUri = endpointOf(found, 'jwks_uri');
  if (jwksUri !== undefined && isUsable(jwksUri, settings.allowHttp)) {
    yield* attempt("provider's keys", async () => [await checkKeys(jwksUri, algs, ask)]);
  } else {
    yield aboutKeys('skips', 'not tried without a usable jwks_uri');
  }
  const [redirectUri] = config.redirectUris;
  const connect = (changed: ProviderSettings) =>
    discoverProvider(changed, ask, () => new Date(), { ownKey: ownKey && (() => ownKey) });
  let client: Finding['level'] = 'ok';
  const checked = attempt('client', async () => [
    usesOwnKey(settings.assertion) && ownKey === undefined
      ? aboutClient('skips', 'not tried, because the service creates the client key when it starts')
      : await checkClient({ settings, redirectUri, connect }),
  ]);
  for await (const finding of checked) {
    client = finding.level;
    yield finding;
  }
  yield* attempt('redirect address', async () => {
    const pushes = settings.pushesRequests === true || mustPush === true;
    const canPush = isUsable(endpointOf(found, 'pushed_authorization_request_endpoint'), settings.allowHttp);
    return checkRedirects({
      config,
      client,
      plain: pushes ? undefined : await connect(settings),
      pushing: canPush ? await connect({ ...settings, pushesRequests: true }) : undefined,
    });
  });
  yield judgeClock(reading);
}

/** The endpoints that Frontdesk itself calls. */
function endpointsIn(metadata: Metadata, { allowHttp }: ProviderSettings): string[] {
  return [
    'token_endpoint',
    'jwks_uri',
    'userinfo_endpoint',
    'pushed_authorization_request_endpoint',
    'revocation_endpoint',
  ]
    .map((name) => endpointOf(metadata, name))
    .filter((endpoint) => endpoint !== undefined)
    .filter((endpoint) => isUsable(endpoint, allowHttp));
}

const aboutKeys = findingsAbout("provider's keys");
/** Importing a key takes a moment, and a document of 1 MiB can hold thousands of keys. */
const maxKeys = 100;

/** Whether one of the provider's published keys (RFC 7517) can verify its ID tokens. */
async function checkKeys(uri: string, algs: readonly string[], ask: AskProvider): Promise<Finding> {
  const response = await ask('keys', uri, { headers: { Accept: 'application/json' } });
  const body: unknown = await response.json().catch(() => undefined);
  const keys = isObject(body) && Array.isArray(body.keys) ? body.keys : undefined;
  if (response.status !== 200 || keys === undefined)
    return aboutKeys(
      'FAILS',
      `${uri} does not return the keys (status ${response.status}): nobody can sign in until it does`,
    );
  const usable = new Set<string>();
  for (const key of keys.slice(0, maxKeys)) {
    for (const alg of algs) if (await isUsableWith(key, alg)) usable.add(alg);
  }
  if (usable.size > 0) return aboutKeys('ok', `${keys.length} at ${uri}, for ${[...usable].join(', ')}`);
  const advice =
    'set OIDC_SIGNING_ALG to the algorithm that the provider signs with, or give the provider a matching key';
  return aboutKeys('FAILS', `none of the ${keys.length} at ${uri} is for ${algs.join(', ')}: ${advice}`);
}

async function isUsableWith(key: unknown, alg: string): Promise<boolean> {
  if (!isObject(key) || typeof key.kty !== 'string') return false;
  if (key.kty !== keyType(alg) || (key.alg ?? alg) !== alg || (key.use ?? 'sig') !== 'sig') return false;
  return importJWK({ ...key, kty: key.kty }, alg).then(
    () => true,
    () => false,
  );
}

/** RFC 7518 section 3.1 and RFC 8037. */
function keyType(alg: string): string {
  if (alg.startsWith('ES')) return 'EC';
  return alg.startsWith('Ed') ? 'OKP' : 'RSA';
}

const aboutClient = findingsAbout('client');
const signInOnce = 'sign in once with frontdesk check --sign-in';

interface ClientCheck {
  settings: ProviderSettings;
  redirectUri: string;
  /** Connects to the provider with these settings. */
  connect: (settings: ProviderSettings) => Promise<IdentityProvider>;
}

/** Checks whether the provider accepts our client credentials, by asking it to redeem an invalid code. */
async function checkClient({ settings, redirectUri, connect }: ClientCheck): Promise<Finding> {
  const refusal = await redeemMadeUpCode(await connect(settings), redirectUri);
  if (refusal?.code === 'idp-configuration') return aboutClient('FAILS', refusal.reason ?? refusal.code);
  if (!(refusal instanceof RefusedByProvider) || refusal.error !== 'invalid_grant') {
    const what = refusal === undefined ? 'the provider accepted an invalid code' : (refusal.reason ?? refusal.code);
    return aboutClient('warns', `could not be checked (${what}): ${signInOnce}`);
  }
  if (settings.clientAuth === 'none') return aboutClient('ok', 'the provider knows OIDC_CLIENT_ID');
  return compareWithWrongSecret({ settings, redirectUri, connect });
}

/** Tries a wrong secret, because some providers refuse the code before they check the client (RFC 6749 section 5.2). */
async function compareWithWrongSecret({ settings, redirectUri, connect }: ClientCheck): Promise<Finding> {
  const clientAuth = settings.clientAuth === 'basic' ? 'basic' : 'post';
  const wrong = { ...settings, clientAuth, clientSecret: randomText(), assertion: undefined } as const;
  const refusal = await redeemMadeUpCode(await connect(wrong), redirectUri);
  if (refusal?.code === 'idp-configuration')
    return aboutClient('ok', 'the provider accepts OIDC_CLIENT_ID with our authentication, and refuses a wrong secret');
  const untold = 'the provider gives the same answer to a wrong secret';
  return aboutClient('warns', `could not be checked (${untold}): ${signInOnce}`);
}

/** Returns the refusal, or undefined if the code is not refused. Throws any other failure. */
async function redeemMadeUpCode(provider: IdentityProvider, redirectUri: string): Promise<Problem | undefined> {
  try {
    await provider.redeem({ code: randomText(), redirect_uri: redirectUri, code_verifier: randomText() });
    return undefined;
  } catch (error) {
    if (error instanceof Problem && ['idp-configuration', 'code-rejected', 'idp-bad-response'].includes(error.code)) {
      return error;
    }
    throw error;
  }
}

const aboutClock = findingsAbout('clock');
/** Smaller differences are ignored, because a Date header has no fractions of a second, and answers take time to arrive. */
const unremarkableSeconds = 5;

interface ClockReading {
  /** How far the provider's clock is ahead of ours; undefined if no answer had a Date header. */
  leadSeconds: number | undefined;
}

/**
 * Compares the provider's clock with ours, by the Date header of its answers (RFC 9110 section 6.6.1). Prefers the
 * token endpoint, because other documents may come from a cache.
 */
function readClock(ask: AskProvider, now: () => number): { ask: AskProvider; reading: ClockReading } {
  const reading: ClockReading = { leadSeconds: undefined };
  return {
    reading,
    async ask(operation, url, init) {
      const askedAt = now();
      const response = await ask(operation, url, init);
      const date = Date.parse(response.headers.get('date') ?? '');
      const isFresh = Number(response.headers.get('age') ?? 0) === 0;
      const isWanted = operation === 'token' || reading.leadSeconds === undefined;
      // A Date header leaves out fractions of a second: half a second on average, which is added.
      if (isWanted && isFresh && !Number.isNaN(date)) {
        reading.leadSeconds = (date + 500 - (askedAt + now()) / 2) / 1000;
      }
      return response;
    },
  };
}

function judgeClock({ leadSeconds }: ClockReading): Finding {
  if (leadSeconds === undefined) {
    const advice = 'A sign-in with frontdesk check --sign-in compares the clocks, too';
    return aboutClock('warns', `could not be checked: no answer has a Date header. ${advice}`);
  }
  const seconds = Math.round(Math.abs(leadSeconds));
  if (seconds < unremarkableSeconds) return aboutClock('ok', "the provider's clock agrees with ours");
  const found = `the provider's clock is ${seconds} s ${leadSeconds > 0 ? 'ahead of' : 'behind'} ours`;
  if (seconds <= providerClockToleranceSeconds)
    return aboutClock(
      'warns',
      `${found}; ${providerClockToleranceSeconds} s are tolerated: synchronize both clocks with NTP`,
    );
  const refused =
    leadSeconds > 0 ? 'we refuse its ID tokens' : 'it refuses our assertions, and we refuse its older ID tokens';
  return aboutClock('FAILS', `${found}, so ${refused}: synchronize both clocks with NTP`);
}
