// Signing out at the identity provider: sent there (browser), or told from there (back-channel).
import type { Caller } from '../audit/audit.ts';
import type { Config } from '../config/config.ts';
import { Problem } from '../http/problem.ts';
import type { Db } from '../storage/storage.ts';
import type { LogoutQuery } from './auth.schema.ts';
import type { BrowserSessions } from './browser-session.ts';
import type { ProviderConnection } from './provider/connection.ts';
import { findByCookie } from './session.queries.ts';
import type { Sessions } from './sessions.ts';

interface LogoutOptions {
  config: Pick<Config, 'clientId' | 'postLogoutUris' | 'peopleIssuer'>;
  reads: Db;
  connection: ProviderConnection;
  sessions: Sessions;
  browserSessions: BrowserSessions;
  now: () => Date;
}

export type Logout = ReturnType<typeof createLogout>;

export function createLogout({ config, reads, connection, sessions, browserSessions, now }: LogoutOptions) {
  /** Ends the session of an access token. Gives the cookie to set, where the session's own came along. */
  async function end(sid: string, cookieHeader: string | null, caller: Caller): Promise<string | undefined> {
    const [ended] = await sessions.end({ sid }, { type: 'logout', ...caller });
    const isItsCookie = ended != null && ended.cookieHash === browserSessions.hashIn(cookieHeader);
    return isItsCookie ? browserSessions.expired : undefined;
  }

  /** Ends the browser's session, and tells where to send it: to the provider's page, and from there to ours. */
  async function leave(
    { post_logout_redirect_uri: wanted, state }: LogoutQuery,
    cookieHeader: string | null,
    caller: Caller,
  ): Promise<{ location: string; cookie: string | undefined }> {
    const afterwards = wanted ?? config.postLogoutUris[0];
    if (!config.postLogoutUris.includes(afterwards)) throw new Problem('invalid-redirect');
    const hash = browserSessions.hashIn(cookieHeader);
    const session = hash === undefined ? undefined : await findByCookie(reads, hash);
    // Before the provider is asked for: whoever wants to leave is out here, also while it is away.
    if (session !== undefined) await sessions.end({ sid: session.sid }, { type: 'logout', ...caller });
    const provider = await connection.ready();
    const hint = session?.sealedIdToken == null ? undefined : await browserSessions.openIdToken(session.sealedIdToken);
    const url = provider.endSessionUrl({
      client_id: config.clientId,
      post_logout_redirect_uri: afterwards,
      ...(state !== undefined && { state }),
      ...(hint !== undefined && { id_token_hint: hint }),
    });
    return {
      location: url?.href ?? withState(afterwards, state),
      cookie: session === undefined ? undefined : browserSessions.expired,
    };
  }

  /** Ends the sessions a logout token of the provider names. */
  async function endFromProvider(logoutToken: string, caller: Caller): Promise<void> {
    const provider = await connection.ready();
    const { jti, providerSid, subject } = await provider.verifyLogoutToken(logoutToken, now());
    const issuer = config.peopleIssuer ?? provider.issuer;
    const choice =
      providerSid === undefined
        ? { issuer, subject: subject ?? '' }
        : { issuer, providerSid, ...(subject !== undefined && { subject }) };
    const hash = Bun.SHA256.hash(`logout ${jti}`, 'hex');
    const audit = { type: 'session-ended', detail: 'back-channel logout', ...caller } as const;
    // Spent and obeyed in one transaction: a token that met a fault may come again.
    const isNew = await sessions.endOnce(hash, choice, audit);
    if (!isNew) throw new Problem('invalid-logout-token', { reason: 'it was used before' });
  }

  return { end, leave, endFromProvider };
}

function withState(address: string, state: string | undefined): string {
  const page = new URL(address);
  if (state !== undefined) page.searchParams.set('state', state);
  return page.href;
}
