// Revokes refresh tokens at the provider once they are no longer needed: RFC 7009. Nothing waits for it, and it is not
// retried: the provider may be unavailable, and the token is erased here anyway.
import type { Config } from '../../config/config.ts';
import { describeError, type Log } from '../../telemetry/log.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import type { EndedSession } from './session.queries.ts';

export interface Revocations {
  revoke(refreshToken: string): void;
  /** Revokes the token of a session that has ended. */
  revokeSealed(session: Pick<EndedSession, 'issuer' | 'sealedRefreshToken'>): void;
  /** Resolves when no revocation is in progress. */
  finished(): Promise<void>;
}

interface RevocationOptions {
  config: Pick<Config, 'peopleIssuer'>;
  connection: ProviderConnection;
  sealedTokens: SealedTokens;
  log: Log;
}

export function createRevocations({ config, connection, sealedTokens, log }: RevocationOptions): Revocations {
  const underWay = new Set<Promise<void>>();

  function start(token: (provider: IdentityProvider) => Promise<string | undefined>): void {
    const work = revokeAtProvider(token)
      .catch((error: unknown) => log.warn(describeError(error), 'refresh token not revoked'))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function revokeAtProvider(token: (provider: IdentityProvider) => Promise<string | undefined>): Promise<void> {
    const provider = await connection.ready();
    const refreshToken = provider.revoke === undefined ? undefined : await token(provider);
    if (refreshToken !== undefined) await provider.revoke?.(refreshToken);
  }

  return {
    revoke: (refreshToken) => start(async () => refreshToken),
    revokeSealed({ issuer, sealedRefreshToken: sealed }) {
      if (sealed === null) return;
      start(async (provider) => {
        // After a change of provider, the new one must not see tokens of the old one.
        const isItsOwn = issuer === (config.peopleIssuer ?? provider.issuer);
        return isItsOwn ? sealedTokens.openRefreshToken(sealed) : undefined;
      });
    },
    async finished() {
      await Promise.all(underWay);
    },
  };
}
