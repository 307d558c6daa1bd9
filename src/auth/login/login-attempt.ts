// A sign-in in progress that is bound to the person's browser, which keeps the sign-in's state, nonce and PKCE verifier in
// one encrypted cookie per attempt.
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { AuthenticationNeed } from '../../config/config.ts';
import { statePrefix } from '../../http/pages/pages.ts';
import { isRandomText, randomText, type Sealer } from '../../storage/secret.ts';
import { cookieAttributes, expiredCookie, readCookies } from '../sessions/cookies.ts';

const LoginAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  /** The requirements for the authentication at the provider. */
  asked: z.object({ acrValues: z.array(z.string()).readonly().optional(), maxAgeSeconds: z.number().optional() }),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});
export type LoginAttempt = z.infer<typeof LoginAttempt>;

const lifeSeconds = 600;
const maxAttempts = 5;

/**
 * Checks only the prefix, because a wrong state with our prefix must be refused, not mistaken for the state of a client's own
 * sign-in.
 */
export function isOurState(state: string | undefined): state is string {
  return state?.startsWith(statePrefix) === true;
}

export type LoginAttempts = ReturnType<typeof createLoginAttempts>;

/** `kind` is part of the cookies' names, so that an attempt of one kind cannot be used as one of the other kind. */
export function createLoginAttempts(sealer: Sealer, secure: boolean, kind: 'login' | 'trial') {
  const namePrefix = `${secure ? '__Host-' : ''}fd_${kind}_`;
  const nameOf = (state: string) => namePrefix + state.slice(statePrefix.length, statePrefix.length + 16);
  // Lax, because the provider's redirect back to us is a navigation from another site.
  const attributes = cookieAttributes('Lax', secure);
  const expireCookie = (name: string) => expiredCookie(name, attributes);

  async function open(sealed: string, now: Date): Promise<LoginAttempt | undefined> {
    const text = await sealer.open(sealed);
    const attempt = text === undefined ? undefined : LoginAttempt.safeParse(JSON.parse(text)).data;
    return attempt !== undefined && now.getTime() < attempt.startedAt + lifeSeconds * 1000 ? attempt : undefined;
  }

  const keptIn = (cookieHeader: string | null) =>
    [...readCookies(cookieHeader)].filter(([name]) => name.startsWith(namePrefix));

  return {
    start: (redirectUri: string, asked: AuthenticationNeed, now: Date): LoginAttempt => ({
      state: statePrefix + randomText(),
      nonce: randomText(),
      codeVerifier: randomText(),
      redirectUri,
      asked,
      startedAt: now.getTime(),
    }),
    /** Returns Set-Cookie values that store this attempt, and delete expired ones. Beyond a limit, the oldest is deleted, too. */
    async keep(attempt: LoginAttempt, cookieHeader: string | null, now: Date): Promise<string[]> {
      const opened = await Promise.all(
        keptIn(cookieHeader).map(async ([name, value]) => ({ name, attempt: await open(value, now) })),
      );
      const newestFirst = opened.sort((a, b) => (b.attempt?.startedAt ?? 0) - (a.attempt?.startedAt ?? 0));
      const surplus = newestFirst.filter(({ attempt }, index) => attempt === undefined || index >= maxAttempts - 1);
      const sealed = await sealer.seal(JSON.stringify(attempt));
      return [
        `${nameOf(attempt.state)}=${sealed}; Max-Age=${lifeSeconds}; ${attributes}`,
        ...surplus.map(({ name }) => expireCookie(name)),
      ];
    },
    async find(state: string, cookieHeader: string | null, now: Date): Promise<LoginAttempt | undefined> {
      const sealed = readCookies(cookieHeader).get(nameOf(state));
      const attempt = sealed === undefined ? undefined : await open(sealed, now);
      return attempt !== undefined && isSame(attempt.state, state) ? attempt : undefined;
    },
    /** Whether this browser has an unfinished sign-in. */
    async isUnderWay(cookieHeader: string | null, now: Date): Promise<boolean> {
      const attempts = await Promise.all(keptIn(cookieHeader).map(([, sealed]) => open(sealed, now)));
      return attempts.some((attempt) => attempt !== undefined);
    },
    /**
     * The Set-Cookie value that deletes the attempt with this state; undefined for a state that is not ours. The state comes
     * from the request and becomes part of a header, so only its exact form is accepted.
     */
    forget: (state: string | undefined) =>
      isOurState(state) && isRandomText(state.slice(statePrefix.length)) ? expireCookie(nameOf(state)) : undefined,
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
