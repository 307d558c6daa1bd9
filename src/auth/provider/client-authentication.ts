// How we authenticate at the provider without a secret: with an assertion (RFC 7523 section 2.2), signed here or by
// another program.
import { SignJWT } from 'jose';
import { readJwtFile } from '../../base/bounded-reads.ts';
import type { AssertionSettings, SigningSettings } from '../../config/client-assertion.ts';
import type { ClientKey } from '../../config/client-key.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';

/** The provider's metadata from discovery. */
interface Server {
  issuer: string;
  token_endpoint?: string | undefined;
  token_endpoint_auth_signing_alg_values_supported?: unknown;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** The lifetime of an assertion. Each call gets a new one. */
const assertionSeconds = 60;

/** Adds an assertion to the body of each authenticated call. `ownKey` is used if the settings contain no key. */
export function authenticateByAssertion(
  settings: AssertionSettings,
  now: () => Date,
  ownKey: (() => ClientKey) | undefined,
) {
  return async (server: Server, { client_id }: { client_id: string }, body: URLSearchParams): Promise<void> => {
    body.set('client_id', client_id);
    body.set('client_assertion_type', assertionType);
    body.set(
      'client_assertion',
      'file' in settings
        ? readAssertion(settings.file)
        : await sign(settings, expectKey(settings.key ?? ownKey), server, client_id, now()),
    );
  };
}

function expectKey(key: (() => ClientKey) | undefined): ClientKey {
  if (key === undefined) throw new Problem('idp-configuration', { reason: 'Frontdesk has made no client key yet' });
  return key();
}

async function sign(
  settings: SigningSettings,
  key: ClientKey,
  server: Server,
  clientId: string,
  now: Date,
): Promise<string> {
  const { jwk, kid, certificate } = key;
  const alg = chooseAlg(key, settings, server.token_endpoint_auth_signing_alg_values_supported);
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({
      alg,
      typ: 'JWT',
      ...(kid !== undefined && { kid }),
      ...(certificate !== undefined && { 'x5t#S256': certificate.thumbprint }),
    })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audienceOf(settings, server))
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + assertionSeconds)
    .sign(jwk);
}

/**
 * Reads the file on each call, because the program that writes it (such as a platform with workload identities) replaces the
 * assertion before it expires.
 */
function readAssertion(path: string): string {
  const file = readJwtFile(path);
  if ('text' in file) return file.text;
  throw new Problem('idp-configuration', { reason: `OIDC_CLIENT_ASSERTION_FILE ${file.fault}` });
}

/** Returns the usual algorithm, unless the provider announces only others. */
function chooseAlg(key: ClientKey, { algs: allowed, usual }: SigningSettings, announced: unknown): string {
  const algs = key.algs.filter((alg) => allowed.includes(alg));
  const preferred = algs.find((alg) => alg === usual?.rsaAlg) ?? algs[0];
  const candidates = preferred === undefined ? algs : [preferred, ...algs];
  const supported = Array.isArray(announced) ? candidates.find((alg) => announced.includes(alg)) : undefined;
  return supported ?? candidates[0] ?? '';
}

function audienceOf({ audience, usual }: SigningSettings, { issuer, token_endpoint }: Server): string {
  return audience ?? (usual?.audience === 'token endpoint' ? token_endpoint : undefined) ?? issuer;
}

/** Tells the operator, in the log, what to do if the provider refuses this client. */
export function adviceOnRefusal({ clientAuth, assertion }: ProviderSettings, server: Server, now: Date): string {
  if (clientAuth === 'none')
    return 'check OIDC_CLIENT_ID, and that it is registered at the provider as a public client';
  if (assertion === undefined)
    return 'check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and OIDC_CLIENT_SECRET, which may have expired';
  if ('file' in assertion) {
    return (
      'check that the assertion in OIDC_CLIENT_ASSERTION_FILE is replaced before it expires, and that the provider ' +
      'accepts its issuer, subject and audience for OIDC_CLIENT_ID'
    );
  }
  const { certificate, fault } = assertion.key?.() ?? {};
  if (fault !== undefined) return `${fault}: the previous key is still in use`;
  if (certificate !== undefined && certificate.expiresAt <= now) {
    return 'the certificate in OIDC_CLIENT_CERTIFICATE_FILE has expired: register a new one at the provider';
  }
  const audience = audienceOf(assertion, server);
  const registration =
    assertion.key === undefined
      ? 'the provider fetches the keys of OIDC_CLIENT_ID from PUBLIC_URL/.well-known/client-jwks.json and can reach that address'
      : `the public ${certificate ? 'certificate' : 'key'} of OIDC_CLIENT_KEY_FILE is registered at the provider for OIDC_CLIENT_ID`;
  return (
    `check that ${registration}, that the provider accepts ${audience} as the audience ` +
    '(otherwise set OIDC_CLIENT_ASSERTION_AUDIENCE), and that the clocks of Frontdesk and the provider are right'
  );
}
