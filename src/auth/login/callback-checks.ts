// The checks of a callback, one rule per function. Pure.
import type { AuthenticationNeed, Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import { type ClaimSettings, type Claims, type Identity, readIdentity } from '../provider/claims.ts';
import { withoutSlash } from '../provider/endpoint.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { errorDescription, oauthCode } from '../provider/refusal.ts';
import type { CallbackQuery, LoginQuery } from './login.schema.ts';

/** How a sign-in began, and the values that the provider's answers are compared with. */
export interface LoginFlow {
  /** `bound`: begun at /auth/login and tied to the browser by a cookie. `code-only`: begun by the client, which sends a code. */
  name: 'bound' | 'code-only';
  redirectUri: string;
  codeVerifier: string | undefined;
  nonce: string | undefined;
  /** The requirements for the authentication at the provider. */
  asked: AuthenticationNeed;
}

export function refuseProviderError({ code, error, error_description }: CallbackQuery): void {
  if (error === undefined) return;
  if (code !== undefined) throw new Problem('invalid-callback');
  const providerText = errorDescription(error_description);
  if (error === 'access_denied') throw new Problem('login-denied', { providerText });
  throw new Problem('login-failed', { reason: `the provider said: ${oauthCode(error)}`, providerText });
}

export function requireCode({ code }: CallbackQuery): string {
  if (code === undefined) throw new Problem('missing-code');
  return code;
}

export function allowedRedirect(wanted: string | undefined, allowed: Config['redirectUris']): string {
  if (wanted === undefined) return allowed[0];
  if (!allowed.includes(wanted)) throw new Problem('invalid-redirect');
  return wanted;
}

/** A `target_link_uri` that is not allowed is ignored, and the sign-in ends at the default address. */
export function startRedirect(query: LoginQuery, allowed: Config['redirectUris']): string {
  const { redirect_uri, target_link_uri = '' } = query;
  return allowedRedirect(redirect_uri ?? (allowed.includes(target_link_uri) ? target_link_uri : undefined), allowed);
}

/**
 * Refuses a sign-in that another provider started, because it would continue at our provider, with an account that the person
 * did not choose.
 */
export function refuseForeignStart({ iss }: LoginQuery, { issuer }: Pick<IdentityProvider, 'issuer'>): void {
  if (iss !== undefined && withoutSlash(iss) !== withoutSlash(issuer)) throw new Problem('login-mismatch');
}

/** RFC 9207: `iss` says who sent the answer. A client that began the sign-in itself may leave it out. */
export function checkIssuer({ iss }: CallbackQuery, flow: LoginFlow, provider: IdentityProvider): void {
  const isMissing = iss === undefined && flow.name === 'bound' && provider.namesIssuer;
  if (isMissing || (iss !== undefined && iss !== provider.issuer)) throw new Problem('login-mismatch');
}

/** Checks that the ID token was issued for this sign-in. */
export function checkNonce(idToken: Claims, { nonce }: LoginFlow): void {
  if (nonce !== undefined && idToken.nonce !== nonce) throw new Problem('login-mismatch');
}

export function identify(idToken: Claims, userinfo: Claims, settings: ClaimSettings): Identity {
  const result = readIdentity(idToken, userinfo, settings);
  if ('refused' in result) throw new Problem('account-not-permitted', { reason: result.refused });
  return result.identity;
}
