// Signing out at the identity provider: sent there (browser), or told from there (back-channel).
import type { Config } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Caller } from './auth.queries.ts';
import type { LogoutQuery } from './auth.schema.ts';
import type { ProviderConnection } from './provider-connection.ts';
import type { Sessions } from './sessions.ts';

interface LogoutOptions {
  config: Pick<Config, 'clientId' | 'postLogoutUris' | 'peopleIssuer'>;
  connection: ProviderConnection;
  sessions: Sessions;
  now: () => Date;
}

export type Logout = ReturnType<typeof createLogout>;

export function createLogout({ config, connection, sessions, now }: LogoutOptions) {
  /** Where to send the browser: to the provider's page, and from there to ours. */
  async function leave({ post_logout_redirect_uri: wanted, state }: LogoutQuery): Promise<string> {
    const afterwards = wanted ?? config.postLogoutUris[0];
    if (!config.postLogoutUris.includes(afterwards)) throw new Problem('invalid-redirect');
    const provider = await connection.ready();
    const url = provider.endSessionUrl({
      client_id: config.clientId,
      post_logout_redirect_uri: afterwards,
      ...(state !== undefined && { state }),
    });
    if (url !== undefined) return url.href;
    const page = new URL(afterwards);
    if (state !== undefined) page.searchParams.set('state', state);
    return page.href;
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
    const hash = new Bun.CryptoHasher('sha256').update(`logout ${jti}`).digest('hex');
    const audit = { type: 'session-ended', detail: 'back-channel logout', ...caller } as const;
    // Spent and obeyed in one transaction: a token that met a fault may come again.
    const isNew = await sessions.endOnce(hash, choice, audit);
    if (!isNew) throw new Problem('invalid-logout-token', { reason: 'it was used before' });
  }

  return { leave, endFromProvider };
}
