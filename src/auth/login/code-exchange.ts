import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import { wasNeverSent } from '../provider/fetch.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { forgetCode, rememberCode } from '../sessions/used-code.queries.ts';
import { checkIssuer, checkNonce, type LoginFlow } from './callback-checks.ts';
import type { CallbackQuery } from './login.schema.ts';

interface ExchangeOptions {
  db: Db;
  connection: ProviderConnection;
  now: () => Date;
}

/** The claims about a person, in exchange for the code of their sign-in: verified, and issued for this sign-in. */
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

/** A code works once, across all replicas and parallel calls. */
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
