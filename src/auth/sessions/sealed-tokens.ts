// The provider's tokens that a session keeps: encrypted under SECRET_KEY, each kind with its own key.
import { createSealer } from '../../storage/secret.ts';

/** The purpose under which tokens are encrypted, by column of the table session. */
const purposes = { id_token: 'ID tokens', refresh_token: 'refresh tokens' } as const;
export type SealedColumn = keyof typeof purposes;
export const sealedColumns = Object.keys(purposes) as SealedColumn[];

export const tokenSealer = (secretKey: string, column: SealedColumn) => createSealer(secretKey, purposes[column]);

/** Longer than any token that providers are known to send, and short enough to store for every session. */
const longestIdToken = 64 * 1024;
const longestRefreshToken = 16 * 1024;

export type SealedTokens = Awaited<ReturnType<typeof createSealedTokens>>;

export async function createSealedTokens(secretKey: string) {
  const [idTokens, refreshTokens] = [
    await tokenSealer(secretKey, 'id_token'),
    await tokenSealer(secretKey, 'refresh_token'),
  ];
  return {
    /** Null if it is too long to be stored. */
    sealIdToken: async (idToken: string) => (idToken.length > longestIdToken ? null : idTokens.seal(idToken)),
    /** Null if there is none, or it is too long to be stored. */
    sealRefreshToken: async (refreshToken: string | undefined) =>
      refreshToken === undefined || refreshToken.length > longestRefreshToken ? null : refreshTokens.seal(refreshToken),
    openIdToken: idTokens.open,
    openRefreshToken: refreshTokens.open,
  };
}
