// What the token endpoint answers: tokens, or a refusal by its name.
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import { type RefusalMeanings, readUnlessRefused } from './refusal.ts';

/** Where fetchTokens puts the ID token. */
export const unverifiedIdToken = 'unverified_id_token';

/** Renames the ID token, so that openid-client does not verify it by its own rules: only verifyIdToken does. */
export async function fetchTokens(asked: Promise<Response>, meanings: RefusalMeanings): Promise<Response> {
  const body = await readUnlessRefused(asked, 200, meanings);
  if (!isObject(body) || Array.isArray(body)) {
    throw new Problem('idp-bad-response', { reason: 'the token answer is not a JSON object' });
  }
  const { id_token: idToken, ...others } = body;
  return Response.json({ ...others, [unverifiedIdToken]: idToken });
}
