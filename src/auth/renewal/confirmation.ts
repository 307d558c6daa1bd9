// Asking the provider again about a person: its new tokens, and who and what the person is now.
import { decodeJwt } from 'jose';
import { Problem } from '../../http/problem.ts';
import { renewAuthentication } from '../authentication.ts';
import { identify } from '../login/callback-checks.ts';
import {
  type Authentication,
  type ClaimSettings,
  type Claims,
  type Identity,
  withoutEmpty,
} from '../provider/claims.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { OtherSubject } from '../provider/tokens.ts';

interface Confirmation {
  provider: IdentityProvider;
  tokens: { accessToken: string; idToken: string | undefined };
  /** Who the session belongs to. */
  subject: string;
  employeeId: string;
  /** As the session keeps it. */
  authentication: Authentication;
  /** The last ID token, where it is kept. */
  lastIdToken: string | undefined;
  settings: ClaimSettings;
  now: Date;
}

/** The person as the provider describes them now. Throws where it is another person, or not known any more. */
export async function confirmIdentity(confirmation: Confirmation): Promise<Identity> {
  const { provider, tokens, subject, employeeId, settings, now } = confirmation;
  const idToken = tokens.idToken === undefined ? undefined : await provider.verifyIdToken(tokens.idToken, now);
  // OpenID Connect Core section 12.2.
  if (idToken !== undefined && idToken.sub !== subject) throw new OtherSubject();
  const userinfo = await provider.fetchUserinfo(tokens.accessToken, subject);
  const identity =
    idToken === undefined
      ? identify({ ...lastClaims(confirmation), ...withoutEmpty(userinfo), sub: subject }, {}, settings)
      : identify(idToken, userinfo, settings);
  if (identity.employeeId !== employeeId) {
    throw new Problem('account-not-permitted', { reason: 'the employee ID has changed' });
  }
  const { authentication: stored } = confirmation;
  // Only an ID token says how somebody authenticated.
  const authentication = idToken === undefined ? stored : renewAuthentication(stored, identity.authentication);
  return { ...identity, authentication };
}

/** Verified when it came, and sealed since. Those of userinfo are newer and take precedence. */
function lastClaims({ lastIdToken }: Confirmation): Claims {
  if (lastIdToken !== undefined) return decodeJwt(lastIdToken);
  throw new Problem('account-not-permitted', { reason: 'the provider sent no ID token, and the last one is not kept' });
}
