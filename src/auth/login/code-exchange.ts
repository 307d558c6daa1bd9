import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { wasNeverSent } from '../provider/fetch.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { forgetCode, rememberCode } from '../used-code.queries.ts';
import type { LoginFlow } from './callback-checks.ts';

/** A code works once: here, at every replica, and for calls in parallel. */
export async function redeemOnce(
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
