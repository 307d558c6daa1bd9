// Interprets answers in which the provider refuses an authenticated call.

import { isObject } from '../../base/guards.ts';
import { Problem } from '../../http/problem.ts';
import type { ProblemCode } from '../../http/problem-table.ts';

export interface RefusalMeanings {
  /** The problem if the refusal is not about our client. It depends on the call: code, refresh, pushed request or revocation. */
  refusal: 'code-rejected' | 'session-ended' | 'login-failed' | 'idp-bad-response';
  /** What the operator can do if the client itself is refused. */
  adviceOnClient: () => string;
  /** Whether the call contained a proof of possession (RFC 9449). */
  usesDpop: boolean;
}

const adviceOnProof =
  'check that the clocks of Frontdesk and the provider are right, and that the provider accepts DPoP proofs signed with ES256';
const adviceOnDpop = 'the provider demands DPoP proofs (RFC 9449) from this client: set OIDC_DPOP=true';

/** RFC 9449 section 8: a refusal with this code contains a nonce, which the next proof must contain. */
export const useNonce = 'use_dpop_nonce';

/** The provider refused with an OAuth error code. */
export class RefusedByProvider extends Problem {
  readonly error: string;

  constructor(code: ProblemCode, error: string, reason: string, providerText: string | undefined) {
    super(code, { reason, providerText });
    this.error = error;
  }
}

/**
 * Returns the body of a successful answer, or undefined if it is not JSON. Throws for any other status. Refusals are read
 * here, because openid-client ignores their body if they have a WWW-Authenticate header.
 */
export async function readUnlessRefused(
  response: Response,
  success: 200 | 201,
  meanings: RefusalMeanings,
): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status !== success) throw nameRefusal(response.status, isObject(body) ? body : {}, meanings);
  return body;
}

/** Returns the problem behind a refusal. The cause may be what was sent, our client configuration, or the provider. */
function nameRefusal(
  status: number,
  { error, error_description }: Record<string, unknown>,
  { refusal, adviceOnClient, usesDpop }: RefusalMeanings,
): Problem {
  if (typeof error !== 'string') {
    const reason = `the provider answered ${status} without an error code`;
    return status === 401
      ? new Problem('idp-configuration', { reason: `${reason}: ${adviceOnClient()}` })
      : new Problem('idp-bad-response', { reason });
  }
  const reason = `the provider refused: ${oauthCode(error)}`;
  const providerText = errorDescription(error_description);
  const refused = (code: ProblemCode, why = reason) => new RefusedByProvider(code, error, why, providerText);
  // RFC 9449 section 5.
  if (error === useNonce || error === 'invalid_dpop_proof') {
    return refused('idp-configuration', `${reason}: ${usesDpop ? adviceOnProof : adviceOnDpop}`);
  }
  // Keycloak answers a wrong secret with unauthorized_client.
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return refused('idp-configuration', `${reason}: ${adviceOnClient()}`);
  }
  if (error === 'temporarily_unavailable') return refused('idp-unavailable');
  // A server error says nothing about the token, so the session must not end.
  if (error === 'server_error' && refusal === 'session-ended') return refused('idp-bad-response');
  return refused(refusal);
}

/** An OAuth error code for the log. Anything else that a provider sends instead is not logged. */
export function oauthCode(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'not an error code';
}

const longestDescription = 300;

/** The provider's own explanation (RFC 6749 section 5.2), only for the log. Entra ID puts its AADSTS codes there. */
export function errorDescription(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  // Cut first, because the text may be very long.
  const clean = text
    .slice(0, 4 * longestDescription)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : clean.slice(0, longestDescription);
}
