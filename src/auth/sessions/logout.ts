// Ends sessions: by access token, in the browser (here and at the provider), or by the provider (back-channel).
import { type Caller, identityProvider } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import type { BrowserSessions } from './cookies.ts';
import type { Revocations } from './revocation.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import { type EndingAudit, findByCookie, type SessionSummary } from './session.queries.ts';
import type { LogoutQuery } from './session.schema.ts';
import type { Sessions } from './sessions.ts';

interface LogoutOptions {
  config: Pick<Config, 'clientId' | 'postLogoutUris' | 'peopleIssuer'>;
  reads: Db;
  connection: ProviderConnection;
  sessions: Sessions;
  browserSessions: BrowserSessions;
  sealedTokens: SealedTokens;
  revocations: Revocations;
  now: () => Date;
}

export type Logout = ReturnType<typeof createLogout>;

/** A longer hint would not fit in a URL that every provider accepts. */
const longestHint = 8 * 1024;

export function createLogout(options: LogoutOptions) {
  const { config, reads, connection, sessions, browserSessions, sealedTokens, revocations, now } = options;

  /** Returns undefined if the session had already ended. */
  async function endOne(sid: string, audit: EndingAudit): Promise<SessionSummary | undefined> {
    const [ended] = await sessions.end({ sid }, audit);
    if (ended !== undefined) revocations.revokeSealed(ended);
    return ended;
  }

  /** Ends the session of an access token. If the request had the session's cookie, returns the Set-Cookie value to delete it. */
  async function end(sid: string, cookieHeader: string | null, caller: Caller): Promise<string | undefined> {
    const ended = await endOne(sid, { type: 'logout', ...caller });
    const isItsCookie = ended != null && ended.cookieHash === browserSessions.hashIn(cookieHeader);
    return isItsCookie ? browserSessions.expired : undefined;
  }

  /** Ends the browser's session, and returns where to redirect: the provider's sign-out page, if it has one. */
  async function endInBrowser(
    { post_logout_redirect_uri: wanted, state }: LogoutQuery,
    cookieHeader: string | null,
    caller: Caller,
  ): Promise<{ location: string; cookie: string | undefined }> {
    const afterwards = wanted ?? config.postLogoutUris[0];
    if (!config.postLogoutUris.includes(afterwards)) throw new Problem('invalid-redirect');
    const hash = browserSessions.hashIn(cookieHeader);
    const session = hash === undefined ? undefined : await findByCookie(reads, hash);
    // Done before the provider is needed, so that the session here ends even while the provider is unavailable.
    if (session !== undefined) await endOne(session.sid, { type: 'logout', ...caller });
    const provider = await connection.ready();
    // If the provider was replaced, the new provider must not see the old provider's tokens.
    const isItsOwn = session?.issuer === (config.peopleIssuer ?? provider.issuer);
    const sealed = isItsOwn ? session?.sealedIdToken : undefined;
    const idToken = sealed == null ? undefined : await sealedTokens.openIdToken(sealed);
    // A provider that cannot verify the hint shows an error and keeps its session open. Without a hint, it asks the person.
    const isRefused = idToken !== undefined && (idToken.length > longestHint || provider.keys.isWithdrawn(idToken));
    const hint = isRefused ? undefined : idToken;
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

  /** Ends the sessions that the provider's logout token names. */
  async function endFromProvider(logoutToken: string, caller: Caller): Promise<void> {
    const provider = await connection.ready();
    const { jti, ended } = await provider.verifyLogoutToken(logoutToken, now());
    const issuer = config.peopleIssuer ?? provider.issuer;
    const hash = Bun.SHA256.hash(`logout ${jti}`, 'hex');
    const audit = { type: 'session-ended', detail: 'back-channel logout', actor: identityProvider, ...caller } as const;
    // The token is remembered in the transaction that ends the sessions, so the provider may send it again after a failure.
    const isNew = await sessions.endOnce(hash, { issuer, ...ended }, audit);
    if (!isNew) throw new Problem('invalid-logout-token', { reason: 'it was used before' });
  }

  return { endOne, end, endInBrowser, endFromProvider };
}

function withState(address: string, state: string | undefined): string {
  const page = new URL(address);
  if (state !== undefined) page.searchParams.set('state', state);
  return page.href;
}
