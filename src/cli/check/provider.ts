// Tries the identity provider, as far as possible without a person.
import { isUsable } from '../../auth/provider/endpoint.ts';
import { createAskProvider } from '../../auth/provider/fetch.ts';
import { acceptedAlgs, discoverProvider, readList } from '../../auth/provider/identity-provider.ts';
import { usesOwnKey } from '../../config/client-assertion.ts';
import type { ClientKey } from '../../config/client-key.ts';
import type { Config, ProviderSettings } from '../../config/config.ts';
import { expectDevelopmentProvider } from '../../dev/start.ts';
import { checkTls } from './certificates.ts';
import { checkClient } from './client.ts';
import { judgeClock, readClock } from './clock.ts';
import { endpointOf, judgeDiscovery, type Metadata, readDiscovery } from './discovery.ts';
import { attempt, type Finding, type Part } from './finding.ts';
import { checkKeys } from './published-keys.ts';
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
    return judgeDiscovery(read, settings);
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
    yield* attempt("provider's keys", () => checkKeys(jwksUri, algs, ask));
  } else {
    yield { level: 'skips', part: "provider's keys", text: 'not tried without a usable jwks_uri' };
  }
  const [redirectUri] = config.redirectUris;
  const connect = (changed: ProviderSettings) =>
    discoverProvider(changed, ask, () => new Date(), { ownKey: ownKey && (() => ownKey) });
  let client: Finding['level'] = 'ok';
  const checked = attempt('client', async () =>
    usesOwnKey(settings.assertion) && ownKey === undefined
      ? [{ level: 'skips', part: 'client', text: 'not tried: the first start makes the client key' }]
      : checkClient({ settings, redirectUri, connect }),
  );
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

/** The endpoints that we call ourselves. */
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
