// The access token of a session, and how long it and the session last.
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { AccessTokens, TokenSubject } from './access-token.ts';
import type { LoginResult } from './session.schema.ts';

export type SessionLimits = Pick<Config, 'tokenTtlSeconds' | 'sessionIdleSeconds' | 'sessionMaxSeconds'>;

export interface SessionTimes {
  from: Date;
  /** When the token expires. */
  until: Date;
  /** When the session ends if it is not renewed. Undefined if it cannot be renewed. */
  idleEndsAt: Date | undefined;
  /** The absolute end of the session. */
  expiresAt: Date;
}

/** The times of a token that begins now and lasts this long. */
export function timesOfToken(now: Date, seconds: number): { from: Date; until: Date } {
  const from = wholeSecond(now);
  return { from, until: addSeconds(from, seconds) };
}

/** The times of a new session. Without a cookie, it cannot be renewed and lasts as long as its token. */
export function timesAtSignIn(now: Date, hasCookie: boolean, limits: SessionLimits): SessionTimes {
  const { from, until } = timesOfToken(now, limits.tokenTtlSeconds);
  if (hasCookie) return timesAtRenewal(now, addSeconds(from, limits.sessionMaxSeconds), limits);
  return { from, until, idleEndsAt: undefined, expiresAt: until };
}

/** The times after a renewal. A token never lasts longer than its session, even if the session is idle from now on. */
export function timesAtRenewal(now: Date, expiresAt: Date, limits: SessionLimits): SessionTimes {
  const from = wholeSecond(now);
  const idleEndsAt = addSeconds(from, limits.sessionIdleSeconds);
  const ends = [addSeconds(from, limits.tokenTtlSeconds), idleEndsAt, expiresAt].map((end) => end.getTime());
  return { from, until: wholeSecond(new Date(Math.min(...ends))), idleEndsAt, expiresAt };
}

// The HTTP server accepts 16 KiB of headers, including cookies, so a longer token could be issued but never used.
const longestToken = 8 * 1024;

export async function issueSessionToken(
  accessTokens: AccessTokens,
  subject: TokenSubject,
  { from, until }: SessionTimes,
): Promise<LoginResult> {
  const accessToken = await accessTokens.issue(subject, { from, until });
  if (accessToken.length > longestToken) {
    throw new Problem('account-not-permitted', { reason: 'the roles do not fit in a token: narrow ROLE_CLAIMS' });
  }
  return { accessToken, expirationInSeconds: (until.getTime() - from.getTime()) / 1000 };
}

/** Times in tokens are whole seconds. */
const wholeSecond = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000);
const addSeconds = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);
