// The provider's published keys: the last good set is used while the provider is away, a rotation is noticed at once.
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTVerifyGetKey,
  customFetch as joseFetch,
} from 'jose';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import type { AskProvider } from './fetch.ts';

/** Between two searches for an unknown key. Longer for logout tokens, which anybody can send. */
const pauseMs = { signIn: 5000, logout: 30_000 };
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  /** Each with its own pause: a forged logout token must not delay the key of a sign-in. */
  forSignIn: JWTVerifyGetKey;
  forLogout: JWTVerifyGetKey;
  /** Whether the key of this token, which was verified before, is no longer in the set that was last fetched. */
  isWithdrawn(token: string): boolean;
}

export function createProviderKeys(uri: string, ask: AskProvider, now: () => Date): ProviderKeys {
  const { createFinder, isWithdrawn } = createKeyFinders(uri, (url, init) => ask('keys', url, init), now);
  return { uri, isWithdrawn, forSignIn: createFinder(pauseMs.signIn), forLogout: createFinder(pauseMs.logout) };
}

type FetchKeys = (url: string, init: RequestInit) => Promise<Response>;

/** Makes finders of the keys at one address, which share what was fetched, each with its own pause. */
export function createKeyFinders(
  uri: string,
  fetchKeys: FetchKeys,
  now: () => Date,
): { createFinder(pauseMs: number): JWTVerifyGetKey } & Pick<ProviderKeys, 'isWithdrawn'> {
  const remote = createRemoteJWKSet(new URL(uri), {
    [joseFetch]: fetchKeys,
    // When to fetch again is decided here, not by the library; so is how long a call may take, in fetch.ts.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 60_000,
  });
  let refreshedAt = now().getTime();
  const reload = oneAtATime(() => remote.reload());

  function createFinder(pause: number): JWTVerifyGetKey {
    let missedAt = Number.NEGATIVE_INFINITY;
    /** Why the last search could not be made: the answer for as long as there is none other. */
    let failure: unknown;
    return async (header, token) => {
      refreshInBackground();
      try {
        return await remote(header, token);
      } catch (error) {
        // An unknown key may be a new one. After one that was not found there is a pause, or anybody could make us call
        // the provider all the time; those that need a key during a fetch wait for the same answer.
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

  /** So that a key which the provider has withdrawn is no longer accepted. No request waits for it. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    // No request waits for it, and the last good set is still used.
    reload().catch(() => {});
  }

  function isWithdrawn(token: string): boolean {
    const { kid } = decodeProtectedHeader(token);
    // Before the first fetch nothing is known.
    const { keys: published = [] } = remote.jwks() ?? {};
    return kid !== undefined && published.length > 0 && !published.some((key) => key.kid === kid);
  }

  return { createFinder, isWithdrawn };
}
