// How we prove at the provider who we are, where it is not a secret: a signed assertion (RFC 7523 section 2.2).
import { SignJWT } from 'jose';
import type { AssertionSettings } from '../../config/client-assertion.ts';
import type { ProviderSettings } from '../../config/config.ts';

/** What the discovery document says of it. */
interface Server {
  issuer: string;
  token_endpoint?: string | undefined;
  token_endpoint_auth_signing_alg_values_supported?: unknown;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** One is made for each call. */
const assertionSeconds = 60;

/** Adds an assertion to the body of each call that has to be authenticated. */
export function authenticateByAssertion(settings: AssertionSettings, now: () => Date) {
  return async (server: Server, { client_id }: { client_id: string }, body: URLSearchParams): Promise<void> => {
    body.set('client_id', client_id);
    body.set('client_assertion_type', assertionType);
    body.set('client_assertion', await signAssertion(settings, server, client_id, now()));
  };
}

async function signAssertion(
  settings: AssertionSettings,
  server: Server,
  clientId: string,
  now: Date,
): Promise<string> {
  const { jwk, kid, certificate } = settings.key;
  const alg = chooseAlg(settings, server.token_endpoint_auth_signing_alg_values_supported);
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

/** The usual one, unless the provider announces others only. */
function chooseAlg({ key, usual }: AssertionSettings, announced: unknown): string {
  const preferred = key.algs.find((alg) => alg === usual?.rsaAlg) ?? key.algs[0];
  const candidates = preferred === undefined ? key.algs : [preferred, ...key.algs];
  const supported = Array.isArray(announced) ? candidates.find((alg) => announced.includes(alg)) : undefined;
  return supported ?? candidates[0] ?? '';
}

function audienceOf({ audience, usual }: AssertionSettings, { issuer, token_endpoint }: Server): string {
  return audience ?? (usual?.audience === 'token endpoint' ? token_endpoint : undefined) ?? issuer;
}

/** What the operator can do when the provider refuses this client. For the log. */
export function adviceOnRefusal({ clientAuth, assertion }: ProviderSettings, server: Server, now: Date): string {
  if (clientAuth === 'none') return 'check OIDC_CLIENT_ID, and that the provider has it as a public client';
  if (assertion === undefined)
    return 'check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and OIDC_CLIENT_SECRET, which may have expired';
  const { certificate } = assertion.key;
  if (certificate !== undefined && certificate.expiresAt <= now) {
    return 'the certificate in OIDC_CLIENT_CERTIFICATE_FILE has expired: register a new one at the provider';
  }
  const audience = audienceOf(assertion, server);
  return (
    `check that the provider has the public ${certificate ? 'certificate' : 'key'} of OIDC_CLIENT_KEY_FILE for ` +
    `OIDC_CLIENT_ID, that it takes ${audience} as audience (else set OIDC_CLIENT_ASSERTION_AUDIENCE), and both clocks`
  );
}
