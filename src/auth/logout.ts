// Signing out at the identity provider: sent there (browser), or told from there (back-channel).
import type { Config } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Db } from '../storage/storage.ts';
import { type Caller, rememberCode } from './auth.queries.ts';
import type { LogoutQuery } from './auth.schema.ts';
import type { ProviderConnection } from './provider-connection.ts';
import type { Sessions } from './sessions.ts';

interface LogoutOptions {
  config: Pick<Config, 'clientId' | 'postLogoutUris' | 'peopleIssuer'>;
  db: Db;
  connection: ProviderConnection;
  sessions: Sessions;
  now: () => Date;
}

export type Logout = ReturnType<typeof createLogout>;

export function createLogout({ config, db, connection, sessions, now }: LogoutOptions) {
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
    return url?.href ?? afterwards;
  }

  /** Ends the sessions a logout token of the provider names. */
  async function endFromProvider(logoutToken: string, caller: Caller): Promise<void> {
    const provider = await connection.ready();
    const { jti, providerSid, subject } = await provider.verifyLogoutToken(logoutToken, now());
    const isNew = await rememberCode(db, new Bun.CryptoHasher('sha256').update(`logout ${jti}`).digest('hex'), now());
    if (!isNew) throw new Problem('invalid-logout-token', { reason: 'it was used before' });
    const issuer = config.peopleIssuer ?? provider.issuer;
    const choice =
      providerSid === undefined
        ? { issuer, subject: subject ?? '' }
        : { issuer, providerSid, ...(subject !== undefined && { subject }) };
    await sessions.end(choice, { type: 'session-ended', detail: 'back-channel logout', ...caller });
  }

  return { leave, endFromProvider };
}
