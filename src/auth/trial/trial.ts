// A trial sign-in: every step of a real one up to the claims, which are then shown to the person who signed in. No session
// is opened, and nothing about the person is stored, logged or audited.

import { daySeconds, secondsBefore } from '../../base/time.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { type LoginFlow, refuseProviderError, requireCode } from '../login/callback-checks.ts';
import type { CallbackQuery } from '../login/login.schema.ts';
import { isOurState, type LoginAttempts } from '../login/login-attempt.ts';
import { authorizationUrl, fetchClaims } from '../login/provider-steps.ts';
import { isHeldByAnother } from '../people/person.queries.ts';
import type { ClaimSettings, Claims, Identity } from '../provider/claims.ts';
import { type ProviderConnection, rediscoverAfter } from '../provider/connection.ts';
import { type Explanation, explainIdentity } from '../provider/explanation.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import { askedAuthentication, requireAuthentication } from '../sessions/authentication.ts';
import type { Revocations } from '../sessions/revocation.ts';
import { issueSessionToken } from '../sessions/session-token.ts';
import { hashOf, isTrialUnopened, openTrial } from './trial.queries.ts';

interface TrialOptions {
  config: ClaimSettings &
    Pick<Config, 'publicUrl' | 'redirectUris' | 'scopes' | 'loginNeed' | 'keepNeed' | 'peopleIssuer'>;
  db: Db;
  reads: Db;
  connection: ProviderConnection;
  /** Only for trials, so that a trial cannot end as a sign-in, and a sign-in cannot end as a trial. */
  attempts: LoginAttempts;
  accessTokens: AccessTokens;
  revocations: Revocations;
  now: () => Date;
}

export interface TrialResult {
  idToken: Claims;
  userinfo: Claims;
  explanation: Explanation;
  /** How far the provider's clock is ahead of ours, judged by when it issued the ID token. */
  clockLeadSeconds: number;
  /** Why a sign-in would be refused. */
  refusal: string | undefined;
}

export type Trials = ReturnType<typeof createTrials>;

export function createTrials(options: TrialOptions) {
  const { config, db, reads, connection, attempts, accessTokens, revocations, now } = options;

  /** Throws `trial-over` if the ticket was used or has expired. */
  async function expectUnopened(ticket: string): Promise<void> {
    if (!(await isTrialUnopened(reads, hashOf(ticket), now()))) throw new Problem('trial-over');
  }

  /** The ticket is used up last, so it stays valid while the provider is unavailable. */
  async function begin(ticket: string, cookieHeader: string | null) {
    await expectUnopened(ticket);
    const provider = await connection.ready();
    const attempt = attempts.start(config.redirectUris[0], askedAuthentication(config.loginNeed, {}), now());
    const location = await authorizationUrl(provider, attempt, {}, config);
    if (!(await openTrial(db, hashOf(ticket), now()))) throw new Problem('trial-over');
    return { location, cookies: await attempts.keep(attempt, cookieHeader, now()) };
  }

  async function findAttempt(state: string | undefined, cookieHeader: string | null) {
    return isOurState(state) ? attempts.find(state, cookieHeader, now()) : undefined;
  }

  async function finish(callback: CallbackQuery, cookieHeader: string | null): Promise<TrialResult> {
    const attempt = await findAttempt(callback.state, cookieHeader);
    if (attempt === undefined) throw new Problem('trial-over');
    refuseProviderError(callback);
    const flow: LoginFlow = { ...attempt, name: 'bound' };
    const { provider, tokens, idToken, userinfo } = await fetchClaims(options, callback, requireCode(callback), flow);
    if (tokens.refreshToken !== undefined) revocations.revoke(tokens.refreshToken);
    const explanation = explainIdentity(idToken, userinfo, config);
    const { outcome } = explanation;
    const issuer = config.peopleIssuer ?? provider.issuer;
    const refusal = 'refused' in outcome ? outcome.refused : await findLaterRefusal(outcome.identity, flow, issuer);
    const clockLeadSeconds = Math.round(Number(idToken.iat) - now().getTime() / 1000);
    return { idToken, userinfo, explanation, clockLeadSeconds, refusal };
  }

  /** Why a sign-in would be refused after the person is known. */
  async function findLaterRefusal(
    identity: Identity,
    { asked }: LoginFlow,
    issuer: string,
  ): Promise<string | undefined> {
    try {
      requireAuthentication(identity.authentication, asked, now());
      // Issuing throws if the token is too long, so one of the same length as a real one is issued. It expired yesterday, so
      // nobody can use it.
      const times = { from: secondsBefore(now(), 2 * daySeconds), until: secondsBefore(now(), daySeconds) };
      const unusable = { ...times, idleEndsAt: undefined, expiresAt: times.until };
      await issueSessionToken(accessTokens, { ...identity, sid: crypto.randomUUID() }, unusable);
    } catch (error) {
      if (error instanceof Problem && error.status === 403) return error.reason;
      throw error;
    }
    return (await isHeldByAnother(reads, issuer, identity)) ? 'the employee ID belongs to another account' : undefined;
  }

  /** The address to which the callback of a trial sends the browser, with the parameters that the provider sent. */
  function finishAddress({ code, state, iss, error }: CallbackQuery): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ code, state, iss, error }))
      if (value !== undefined) query.set(name, value);
    return `${config.publicUrl}/auth/trial/finish?${query}`;
  }

  return {
    expectUnopened,
    begin,
    isTrial: async (state: string | undefined, cookieHeader: string | null) =>
      (await findAttempt(state, cookieHeader)) !== undefined,
    finishAddress,
    finish: (...request: Parameters<typeof finish>) =>
      finish(...request).catch((error: unknown) => {
        rediscoverAfter(error, connection);
        throw error;
      }),
  };
}
