// Revokes refresh tokens at the provider once they are no longer needed (RFC 7009). No request waits for a revocation, and
// none is retried, because the provider may be unavailable and the token is erased here anyway.
import type { Config } from '../../config/config.ts';
import { describeError, type Log } from '../../telemetry/log.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import type { EndedSession } from './session.queries.ts';

interface RevocationOptions {
  config: Pick<Config, 'peopleIssuer'>;
  connection: ProviderConnection;
  sealedTokens: SealedTokens;
  log: Log;
}

export type Revocations = ReturnType<typeof createRevocations>;

export function createRevocations({ config, connection, sealedTokens, log }: RevocationOptions) {
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
    revoke: (refreshToken: string) => start(async () => refreshToken),
    /** Revokes the token of a session that has ended. */
    revokeSealed({ issuer, sealedRefreshToken: sealed }: EndedSession): void {
      if (sealed === null) return;
      start(async (provider) => {
        // If the provider was replaced, the new provider must not see the old provider's tokens.
        const isItsOwn = issuer === (config.peopleIssuer ?? provider.issuer);
        return isItsOwn ? sealedTokens.openRefreshToken(sealed) : undefined;
      });
    },
    /** Resolves when no revocation is in progress. */
    async finished(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
