// The provider's published keys: the last good set serves through an outage, a rotation is noticed at once.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import { fetchFromProvider } from './provider-fetch.ts';

const pauseMs = 30_000;
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  find: JWTVerifyGetKey;
}

export function createProviderKeys(uri: string, now: () => Date): ProviderKeys {
  const remote = createRemoteJWKSet(new URL(uri), {
    [joseFetch]: fetchFromProvider,
    // When to fetch again is decided here, not by the library; so is how long a call may take, by fetchFromProvider.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 60_000,
  });
  let soughtAt = Number.NEGATIVE_INFINITY;
  let refreshedAt = now().getTime();

  return {
    uri,
    async find(header, token) {
      refreshInBackground();
      try {
        return await remote(header, token);
      } catch (error) {
        // An unknown key may be a new one. Asked for once in 30 s at most, or anybody could make us ask all the time.
        if (!(error instanceof errors.JWKSNoMatchingKey) || now().getTime() - soughtAt < pauseMs) throw error;
        soughtAt = now().getTime();
        await remote.reload();
        return remote(header, token);
      }
    },
  };

  /** A key the provider has withdrawn stops counting, without anybody having to wait. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    remote.reload().catch(() => 'the last good set goes on serving');
  }
}
