// What the token endpoint answers: tokens, or a refusal by its name.
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import { oauthCode } from './oauth-code.ts';

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

interface RefusalMeanings {
  /** What a refused code, and a refused refresh token, mean. */
  refusal: 'code-rejected' | 'session-ended';
  /** What the operator can do where the client itself is refused. */
  adviceOnClient: () => string;
}

/** Whether a refusal is about the code or refresh token, our client configuration, or the provider. */
function nameRefusal(status: number, error: unknown, { refusal, adviceOnClient }: RefusalMeanings): Problem {
  if (typeof error !== 'string') {
    const reason = `the token endpoint answered ${status} without an error code`;
    return status === 401
      ? new Problem('idp-configuration', { reason: `${reason}: ${adviceOnClient()}` })
      : new Problem('idp-bad-response', { reason });
  }
  const reason = `the provider refused: ${oauthCode(error)}`;
  if (error === 'invalid_client') return new Problem('idp-configuration', { reason: `${reason}: ${adviceOnClient()}` });
  if (error === 'unauthorized_client') return new Problem('idp-configuration', { reason });
  if (error === 'temporarily_unavailable') return new Problem('idp-unavailable', { reason });
  // Not about the token: a session must not end because of it.
  if (error === 'server_error' && refusal === 'session-ended') return new Problem('idp-bad-response', { reason });
  return new Problem(refusal, { reason });
}
