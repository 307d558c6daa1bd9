// The steps at the provider that sign-ins and trials share: sending the browser to the sign-in page, and exchanging a code
// for claims.
import { daySeconds } from '../../base/time.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import { wasNeverSent } from '../provider/fetch.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { forgetCode, rememberCode } from '../sessions/used-code.queries.ts';
import { checkIssuer, checkNonce, type LoginFlow } from './callback-checks.ts';
import type { CallbackQuery, LoginQuery } from './login.schema.ts';
import type { LoginAttempt } from './login-attempt.ts';

/** The address of the provider's sign-in page for one attempt: OpenID Connect Core section 3.1.2.1, with PKCE (RFC 7636). */
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

/** Keycloak ignores `select_account` and signs the same person in again. With `login`, a different person can sign in. */
function supportedPrompt(wanted: string, { prompts }: IdentityProvider): string {
  return wanted === 'select_account' && prompts?.includes(wanted) === false ? 'login' : wanted;
}

interface ExchangeOptions {
  db: Db;
  connection: ProviderConnection;
  now: () => Date;
}

/** Exchanges the code of a sign-in for the claims about the person, and verifies that they were issued for this sign-in. */
export async function fetchClaims(
  { db, connection, now }: ExchangeOptions,
  callback: CallbackQuery,
  code: string,
  flow: LoginFlow,
) {
  const provider = await connection.ready();
  checkIssuer(callback, flow, provider);
  const tokens = await redeemOnce(db, code, flow, provider, now());
  const idToken = await provider.verifyIdToken(tokens.idToken, now());
  checkNonce(idToken, flow);
  const userinfo = await provider.fetchUserinfo(tokens.accessToken, idToken.sub);
  return { provider, tokens, idToken, userinfo };
}

/** A code works only once across all replicas and parallel calls. */
async function redeemOnce(
  db: Db,
  code: string,
  { redirectUri, codeVerifier }: LoginFlow,
  provider: IdentityProvider,
  now: Date,
) {
  const codeHash = Bun.SHA256.hash(code, 'hex');
  const isNew = await rememberCode(db, codeHash, now);
  if (!isNew) throw new Problem('code-rejected', { reason: 'the code was used before' });
  try {
    return await provider.redeem({
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
    });
  } catch (error) {
    if (error instanceof Problem && wasNeverSent(error)) await forgetCode(db, codeHash);
    throw error;
  }
}
