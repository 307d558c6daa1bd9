// The provider's published keys: the last good set serves through an outage, a rotation is noticed at once.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import type { AskProvider } from './provider-fetch.ts';

const pauseMs = 30_000;
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  /** Two ways to look, each with its own patience: a stranger's logout token must not cost a sign-in its key. */
  forSignIn: JWTVerifyGetKey;
  forLogout: JWTVerifyGetKey;
}

export function createProviderKeys(uri: string, ask: AskProvider, now: () => Date): ProviderKeys {
  const remote = createRemoteJWKSet(new URL(uri), {
    [joseFetch]: (url, init) => ask('keys', url, init),
    // When to fetch again is decided here, not by the library; so is how long a call may take, in provider-fetch.ts.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 60_000,
  });
  let refreshedAt = now().getTime();
  let reloading: Promise<void> | undefined;

  function reload(): Promise<void> {
    reloading ??= remote.reload().finally(() => {
      reloading = undefined;
    });
    return reloading;
  }

  function createFinder(): JWTVerifyGetKey {
    let soughtAt = Number.NEGATIVE_INFINITY;
    return async (header, token) => {
      refreshInBackground();
      try {
        return await remote(header, token);
      } catch (error) {
        // An unknown key may be a new one. Asked for once in 30 s at most, or anybody could make us ask all the time;
        // whoever comes while it is being fetched waits for the same answer.
        const mayAsk = now().getTime() - soughtAt >= pauseMs;
        if (!(error instanceof errors.JWKSNoMatchingKey) || (!mayAsk && reloading === undefined)) throw error;
        if (mayAsk) soughtAt = now().getTime();
        await reload();
        return remote(header, token);
      }
    };
  }

  /** A key the provider has withdrawn stops counting, without anybody having to wait. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    reload().catch(() => 'the last good set goes on serving');
  }

  return { uri, forSignIn: createFinder(), forLogout: createFinder() };
}
