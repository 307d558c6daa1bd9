import { daySeconds } from '../../base/time.ts';
import type { Config } from '../../config/config.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import type { LoginQuery } from './login.schema.ts';
import type { LoginAttempt } from './login-attempt.ts';

/** The provider's sign-in page for one attempt: OpenID Connect Core section 3.1.2.1, with PKCE (RFC 7636). */
export async function authorizationUrl(
  provider: IdentityProvider,
  { redirectUri, state, nonce, codeVerifier, asked: { acrValues, maxAgeSeconds } }: LoginAttempt,
  { login_hint, prompt, ui_locales }: LoginQuery,
  { scopes: scope, keepNeed }: Pick<Config, 'scopes' | 'keepNeed'>,
): Promise<string> {
  // Many providers send auth_time only if max_age is requested. With an age this long, nobody has to sign in again.
  const maxAge = maxAgeSeconds ?? (keepNeed.maxAgeSeconds === undefined ? undefined : longestAgeSeconds);
  const url = await provider.authorizationUrl({
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: Bun.SHA256.hash(codeVerifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(login_hint !== undefined && { login_hint }),
    ...(prompt !== undefined && { prompt: supportedPrompt(prompt, provider) }),
    ...(ui_locales !== undefined && { ui_locales }),
    ...(acrValues !== undefined && { acr_values: acrValues.join(' ') }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return url.href;
}

const longestAgeSeconds = 30 * daySeconds;

/** Keycloak ignores select_account and signs the same person in again; with login, another person can sign in. */
function supportedPrompt(wanted: string, { prompts }: IdentityProvider): string {
  return wanted === 'select_account' && prompts?.includes(wanted) === false ? 'login' : wanted;
}
