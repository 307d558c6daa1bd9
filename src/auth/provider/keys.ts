// The provider's published keys: the last good set is used while the provider is unavailable, and a rotation is noticed at once.
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTVerifyGetKey,
  customFetch as joseFetch,
} from 'jose';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import type { AskProvider } from './fetch.ts';

/** Pause between two searches for an unknown key. Longer for logout tokens, which anyone can send. */
const pauseMs = { signIn: 5000, logout: 30_000 };
const freshMs = 600_000;

export interface ProviderKeys {
  uri: string;
  /** Separate pauses: a forged logout token must not delay the key of a sign-in. */
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

/** Creates finders for the keys at one address. They share the fetched keys, and each has its own pause. */
export function createKeyFinders(
  uri: string,
  fetchKeys: FetchKeys,
  now: () => Date,
): { createFinder(pauseMs: number): JWTVerifyGetKey } & Pick<ProviderKeys, 'isWithdrawn'> {
  const remote = createRemoteJWKSet(new URL(uri), {
    [joseFetch]: fetchKeys,
    // This file decides when to fetch again, and fetch.ts how long a call may take, not the library.
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
        // An unknown key may be new. After a search without success there is a pause, or anyone could make us call the
        // provider all the time. Callers that need a key during a fetch wait for the same answer.
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

  /** Keeps a key that the provider has withdrawn from being accepted. No request waits for it. */
  function refreshInBackground(): void {
    if (now().getTime() - refreshedAt < freshMs) return;
    refreshedAt = now().getTime();
    // A failure is ignored: the last good set is still used.
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
