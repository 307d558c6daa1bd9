// What it means when an endpoint of the provider refuses a call that we authenticate.
import { Problem } from '../../http/problem.ts';
import { oauthCode } from './oauth-code.ts';

export interface RefusalMeanings {
  /** What it means where it is not about our client: for a code, a refresh token, the parameters of a sign-in. */
  refusal: 'code-rejected' | 'session-ended' | 'login-failed';
  /** What the operator can do where the client itself is refused. */
  adviceOnClient: () => string;
}

/** Whether a refusal is about what was sent, our client configuration, or the provider. */
export function nameRefusal(status: number, error: unknown, { refusal, adviceOnClient }: RefusalMeanings): Problem {
  if (typeof error !== 'string') {
    const reason = `the provider answered ${status} without an error code`;
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
