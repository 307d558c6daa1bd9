// What the token endpoint answers: tokens, or a refusal by its name.
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import { nameRefusal, type RefusalMeanings } from './refusal.ts';

/** Where fetchTokens puts the ID token. */
export const unverifiedIdToken = 'unverified_id_token';

/**
 * Renames the ID token, so that openid-client does not verify it by its own rules: only verifyIdToken does. Refusals
 * are read here too, since openid-client ignores the body of one that has a WWW-Authenticate header.
 */
export async function fetchTokens(asked: Promise<Response>, meanings: RefusalMeanings): Promise<Response> {
  const response = await asked;
  const body: unknown = await response.json().catch(() => undefined);
  const { error, id_token: idToken, ...others } = isObject(body) ? body : {};
  if (response.status !== 200) throw nameRefusal(response.status, error, meanings);
  if (!isObject(body) || Array.isArray(body)) {
    throw new Problem('idp-bad-response', { reason: 'the token answer is not a JSON object' });
  }
  return Response.json({ ...others, [unverifiedIdToken]: idToken });
}
