import type { LoginQuery } from '../auth.schema.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import type { LoginAttempt } from './login-attempt.ts';

/** The provider's sign-in page for one attempt: OpenID Connect Core section 3.1.2.1, with PKCE (RFC 7636). */
export function authorizationUrl(
  provider: IdentityProvider,
  { redirectUri, state, nonce, codeVerifier }: LoginAttempt,
  { login_hint, prompt }: LoginQuery,
  scope: string,
): string {
  const url = provider.authorizationUrl({
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: Bun.SHA256.hash(codeVerifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(login_hint !== undefined && { login_hint }),
    ...(prompt !== undefined && { prompt: supportedPrompt(prompt, provider) }),
  });
  return url.href;
}

/** Keycloak ignores select_account and signs the same person in again; with login, another person can sign in. */
function supportedPrompt(wanted: string, { prompts }: IdentityProvider): string {
  return wanted === 'select_account' && prompts?.includes(wanted) === false ? 'login' : wanted;
}
