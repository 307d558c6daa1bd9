// Refresh tokens that are not needed any more are revoked at the provider: RFC 7009. Nobody waits for it, and it is not
// tried again: the provider may be away, and the token is erased here in any case.
import { describeError, type Log } from '../telemetry/log.ts';
import type { ProviderConnection } from './provider/connection.ts';
import type { SealedTokens } from './sealed-tokens.ts';

export interface Revocations {
  revoke(refreshToken: string): void;
  revokeSealed(sealed: string | null): void;
  /** Resolves when none is under way. */
  finished(): Promise<void>;
}

interface RevocationOptions {
  connection: ProviderConnection;
  sealedTokens: SealedTokens;
  log: Log;
}

export function createRevocations({ connection, sealedTokens, log }: RevocationOptions): Revocations {
  const underWay = new Set<Promise<void>>();

  function start(token: () => Promise<string | undefined>): void {
    const work = revokeAtProvider(token)
      .catch((error: unknown) => log.warn(describeError(error), 'refresh token not revoked'))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function revokeAtProvider(token: () => Promise<string | undefined>): Promise<void> {
    const { revoke } = await connection.ready();
    const refreshToken = revoke === undefined ? undefined : await token();
    if (refreshToken !== undefined) await revoke?.(refreshToken);
  }

  return {
    revoke: (refreshToken) => start(async () => refreshToken),
    revokeSealed(sealed) {
      if (sealed !== null) start(() => sealedTokens.openRefreshToken(sealed));
    },
    async finished() {
      await Promise.all(underWay);
    },
  };
}
