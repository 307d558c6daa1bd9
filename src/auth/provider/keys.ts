// The provider's published keys: the last good set serves through an outage, a rotation is noticed at once.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import type { AskProvider } from './fetch.ts';

/** A sign-in looks for a key the provider has just signed with; a logout token may be anybody's. */
const pauseMs = { signIn: 5000, logout: 30_000 };
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  /** Each with its own pause: a stranger's logout token must not cost a sign-in its key. */
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

  function createFinder(pause: number): JWTVerifyGetKey {
    let missedAt = Number.NEGATIVE_INFINITY;
    return async (header, token) => {
      refreshInBackground();
      try {
        return await remote(header, token);
      } catch (error) {
        // An unknown key may be a new one. After one that was not found there is a pause, or anybody could make us ask
        // all the time; whoever comes while the keys are being fetched waits for the same answer.
        const mayAsk = now().getTime() - missedAt >= pause;
        if (!(error instanceof errors.JWKSNoMatchingKey) || (!mayAsk && reloading === undefined)) throw error;
        if (mayAsk) missedAt = now().getTime();
        await reload();
        const key = await remote(header, token);
        missedAt = Number.NEGATIVE_INFINITY;
        return key;
      }
    };
  }

  /** A key the provider has withdrawn stops counting, without anybody having to wait. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    // Nobody waits for it, and the last good set goes on serving.
    reload().catch(() => {});
  }

  return { uri, forSignIn: createFinder(pauseMs.signIn), forLogout: createFinder(pauseMs.logout) };
}
