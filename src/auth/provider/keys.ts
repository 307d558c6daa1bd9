// The provider's published keys. While the provider is unavailable, the last good set is used. A key rotation is noticed at once.
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTVerifyGetKey,
  customFetch as joseFetch,
} from 'jose';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import type { AskProvider } from './fetch.ts';

/** Minimum time between two searches for an unknown key. Longer for logout tokens, because anyone can send them. */
const pauseMs = { signIn: 5000, logout: 30_000 };
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  /** Two finders, so that a search for a forged logout token's key does not delay a search for a sign-in's key. */
  forSignIn: JWTVerifyGetKey;
  forLogout: JWTVerifyGetKey;
  /** Whether the key of this previously verified token is missing from the last fetched set. */
  isWithdrawn(token: string): boolean;
}

export function createProviderKeys(uri: string, ask: AskProvider, now: () => Date): ProviderKeys {
  const { createFinder, isWithdrawn } = createKeyFinders(uri, (url, init) => ask('keys', url, init), now);
  return { uri, isWithdrawn, forSignIn: createFinder(pauseMs.signIn), forLogout: createFinder(pauseMs.logout) };
}

type FetchKeys = (url: string, init: RequestInit) => Promise<Response>;

/** Creates finders for the keys at one address. They share the fetched keys, but each limits its own searches. */
export function createKeyFinders(
  uri: string,
  fetchKeys: FetchKeys,
  now: () => Date,
): { createFinder(pauseMs: number): JWTVerifyGetKey } & Pick<ProviderKeys, 'isWithdrawn'> {
  const remote = createRemoteJWKSet(new URL(uri), {
    [joseFetch]: fetchKeys,
    // Turns off the library's limits. This file decides when to fetch again, and fetch.ts limits how long a call may take.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 60_000,
  });
  let refreshedAt = now().getTime();
  const reload = oneAtATime(() => remote.reload());

  function createFinder(pause: number): JWTVerifyGetKey {
    let missedAt = Number.NEGATIVE_INFINITY;
    /** Why the last search failed. Thrown until another search is allowed. */
    let failure: unknown;
    return async (header, token) => {
      refreshInBackground();
      try {
        return await remote(header, token);
      } catch (error) {
        // An unknown key may be new, so the keys are fetched again. If the key is still unknown, this finder starts no
        // further fetch for `pause` ms, because otherwise anyone could make us call the provider all the time. A fetch that
        // is already in progress is awaited.
        const mayAsk = now().getTime() - missedAt >= pause;
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (!mayAsk && reload.current === undefined) throw failure ?? error;
        if (mayAsk) missedAt = now().getTime();
        await reload().then(
          () => {
            failure = undefined;
          },
          (reason: unknown) => {
            failure = reason;
            throw reason;
          },
        );
        const key = await remote(header, token);
        missedAt = Number.NEGATIVE_INFINITY;
        return key;
      }
    };
  }

  /** Fetches the keys again if they are old, so that withdrawn keys are no longer accepted. No request waits for it. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    // A failure is ignored, because the last good set is still used.
    reload().catch(() => {});
  }

  function isWithdrawn(token: string): boolean {
    const { kid } = decodeProtectedHeader(token);
    // Before the first fetch, nothing is known.
    const { keys: published = [] } = remote.jwks() ?? {};
    return kid !== undefined && published.length > 0 && !published.some((key) => key.kid === kid);
  }

  return { createFinder, isWithdrawn };
}
