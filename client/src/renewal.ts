// Renews the session while the person is active, and when a request needs it. Times are compared with the clock, since
// timers stop while a laptop sleeps.

import type { SendRequest } from './call.ts';
import type { Environment } from './environment.ts';
import { asFrontdeskError, FrontdeskError, notSignedIn, otherPerson, unexpectedAnswer } from './error.ts';
import { retryDelay } from './retry.ts';
import type { Session, Token } from './session.ts';
import { canBeSent, dueAt } from './session.ts';
import type { LoginResult, Problem } from './types.ts';

export const longestCallMs = 30_000;
/** How long a tab waits for the token that another tab has just received. */
const messageMs = 1000;

export type Renewal = ReturnType<typeof createRenewal>;

export function createRenewal(root: string, call: SendRequest, session: Session, environment: Environment) {
  const tabs = createTabs(root, environment, receive);
  let renewing: Promise<void> | undefined;
  let resuming: Promise<boolean> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** After a failure, the time of the next attempt, unless a request needs a token earlier. */
  let retryAt = 0;
  let activeAt = 0;
  /** Whether the session can be renewed. If not, its token may still work. */
  let isRenewable = true;

  environment.watch((event) => {
    if (event === 'online') retryAt = 0;
    else activeAt = Date.now();
    check();
  });

  const isUsable = (token: Token | undefined): token is Token => token !== undefined && canBeSent(token, Date.now());
  const wasActive = () => activeAt >= session.state().renewedAt;

  /** Renews if a renewal is due and the person was active. A page that is merely open must not keep a session alive. */
  function check(): void {
    const token = session.current();
    const now = Date.now();
    if (!isRenewable) {
      if (token !== undefined && now >= token.until) session.end('ended');
      return;
    }
    if (now < retryAt || session.state().status === 'signed-out') return;
    const isDue = failures > 0 || (token !== undefined && now >= dueAt(token) && wasActive());
    // The session's state shows the outcome.
    if (isDue) renew().catch(() => {});
  }

  function checkIn(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Lets the retry go ahead even if the timer fires a fraction of a millisecond early.
      retryAt = 0;
      check();
    }, milliseconds);
    // In Node and Bun, this timer must not keep the process running.
    (timer as { unref?: () => void }).unref?.();
  }

  function take(token: Token, isSignIn: boolean): boolean {
    if (!session.begin(token, isSignIn)) return false;
    failures = 0;
    retryAt = 0;
    isRenewable = true;
    checkIn(dueAt(token) - Date.now());
    return true;
  }

  function receive(message: TabMessage): void {
    if (message.kind === 'signed-out') session.end('other-tab');
    else if (message.kind === 'sign-in-failed') session.failSignIn(new FrontdeskError(message.problem));
    else if (message.isSignIn || message.token.receivedAt >= session.state().renewedAt)
      take(message.token, message.isSignIn);
  }

  /** Takes the token from the answer to a sign-in or a renewal, and sends it to the other tabs. */
  async function takeAnswer(response: Response, isSignIn: boolean): Promise<void> {
    const { accessToken, expirationInSeconds } = (await response.json()) as Partial<LoginResult>;
    if (accessToken === undefined || expirationInSeconds === undefined) throw unexpectedAnswer(response.status);
    const receivedAt = Date.now();
    const token = { token: accessToken, receivedAt, until: receivedAt + expirationInSeconds * 1000 };
    if (!take(token, isSignIn)) throw otherPerson();
    tabs.post({ kind: 'token', token, isSignIn });
  }

  /** Concurrent callers share one renewal. */
  function renew(): Promise<void> {
    renewing ??= renewInTurn().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renewInTurn(): Promise<void> {
    const version = session.version();
    const isUnchanged = () => session.version() === version;
    try {
      await tabs.takeTurn(async (hasWaited) => {
        if (hasWaited && isUnchanged()) await session.nextChange(AbortSignal.timeout(messageMs));
        if (!isUnchanged()) return;
        const signal = AbortSignal.timeout(longestCallMs);
        const response = await call('/auth/renew', { method: 'POST', credentials: 'include', signal });
        // The answer is discarded if the person has signed out, or signed in again, in the meantime.
        if (isUnchanged()) await takeAnswer(response, false);
      });
    } catch (cause) {
      const error = asFrontdeskError(cause);
      if (isUnchanged()) await fail(error);
      throw error;
    }
  }

  /** Only the service ends a session. Without a connection, or while the provider is unavailable, the renewal is tried again. */
  async function fail(error: FrontdeskError): Promise<void> {
    const token = session.current();
    if (error.code !== 'session-ended') {
      const delay = retryDelay(failures++, error.retryAfter);
      retryAt = Date.now() + delay;
      checkIn(delay);
      session.setReconnecting(true);
      return;
    }
    if (token === undefined) return session.end('not-signed-in');
    // `session-ended` may also mean only that the provider issued no refresh token. The session then lasts as long as its
    // token.
    if (!isUsable(token) || (await isRefusedNow(token))) return session.end('ended');
    if (session.current() !== token) return;
    isRenewable = false;
    session.setReconnecting(false);
    checkIn(token.until - Date.now());
  }

  function isRefusedNow({ token }: Token): Promise<boolean> {
    return call('/auth/me', { headers: { Authorization: `Bearer ${token}` } }).then(
      () => false,
      (error: unknown) => error instanceof FrontdeskError && error.status === 401,
    );
  }

  return {
    takeAnswer,

    /** Sets the token, for a program that already has one. It is not renewed. */
    setToken(token: string): void {
      session.begin({ token, receivedAt: Date.now(), until: Number.POSITIVE_INFINITY }, true);
      isRenewable = false;
    },

    /**
     * Completes the sign-in if the browser has come back from the sign-in page, or renews. False if nobody is signed in with
     * this browser.
     */
    resume(completeSignIn: () => Promise<boolean>): Promise<boolean> {
      const resume = async () => {
        try {
          if ((await completeSignIn()) || isUsable(session.current())) return true;
        } catch (error) {
          // The browser may still have a session, for example if a stronger sign-in was cancelled.
          await renew().catch(() => {});
          throw error;
        }
        await renew().catch((error: unknown) => {
          if (session.state().status !== 'signed-out') throw error;
        });
        return session.current() !== undefined;
      };
      resuming ??= resume().finally(() => {
        resuming = undefined;
      });
      return resuming;
    },

    /** A token that can be used now, renewed if it has expired or is about to. */
    async token(): Promise<string> {
      // While resume() is running, a request waits for it. If resume() fails, only its own caller gets the error.
      if (session.current() === undefined) await resuming?.catch(() => {});
      const before = session.current();
      if (isUsable(before)) return before.token;
      if (before === undefined && failures === 0) throw notSignedIn();
      if (session.state().status === 'signed-out') throw notSignedIn();
      await renew().catch((error: unknown) => {
        const token = session.current();
        // The old token may still be accepted.
        if (token === undefined || Date.now() >= token.until) throw error;
      });
      const after = session.current();
      if (after === undefined) throw notSignedIn();
      return after.token;
    },

    /** A token to replace the one that was refused. */
    async replace(token: string, error: FrontdeskError): Promise<string> {
      if (session.current()?.token === token) {
        if (isRenewable) await renew();
        else session.end('ended');
      }
      const after = session.current()?.token;
      if (after === undefined || after === token) throw error;
      return after;
    },

    /** If the token has expired, makes background requests wait until the person is active again. */
    async presence(signal: AbortSignal | undefined): Promise<void> {
      const isAway = () => session.current() !== undefined && !isUsable(session.current()) && !wasActive();
      while (isRenewable && isAway() && !signal?.aborted) await session.nextChange(signal);
    },

    /** Reports the failure to the page that opened this window. */
    signInFailed({ problem }: FrontdeskError): void {
      tabs.post({ kind: 'sign-in-failed', problem });
    },

    /** Signs out all tabs. */
    signedOut(): void {
      session.end('signed-out');
      tabs.post({ kind: 'signed-out' });
    },
  };
}

// Only one tab of an application renews at a time, and all of them get the new token.
type TabMessage =
  | { kind: 'token'; token: Token; isSignIn: boolean }
  | { kind: 'sign-in-failed'; problem: Partial<Problem> }
  | { kind: 'signed-out' };

/** Longer than the service lets a renewal take, so that a tab frozen by the browser cannot block the others forever. */
const longestTurnMs = 30_000;

function createTabs(root: string, environment: Environment, receive: (message: TabMessage) => void) {
  const name = `frontdesk ${root}`;
  // Any script of the same origin can read the tokens on this channel. It gains nothing by that: its requests carry the cookie,
  // so it could renew the session itself.
  const post = environment.openChannel(name, (message) => {
    if (isTabMessage(message)) receive(message);
  });

  /** `hasWaited`: whether another tab renewed first. If so, that tab may have sent its new token to this one. */
  async function takeTurn(act: (hasWaited: boolean) => Promise<void>): Promise<void> {
    const { locks } = environment;
    // Without locks, each tab renews on its own; the service lets one renewal at a time through.
    if (locks === undefined) return act(false);
    let isMine = false;
    const run = (hasWaited: boolean) => {
      isMine = true;
      return act(hasWaited);
    };
    const waitForTurn = () => locks.request(name, { signal: AbortSignal.timeout(longestTurnMs) }, () => run(true));
    try {
      await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? waitForTurn() : run(false)));
    } catch (error) {
      if (isMine) throw error;
      // The lock was not granted in time, or locks are not available (a sandboxed frame).
      await act(true);
    }
  }

  return { post: (message: TabMessage) => post(message), takeTurn };
}

function isTabMessage(message: unknown): message is TabMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, token, problem } = message as { kind?: unknown; token?: Partial<Token>; problem?: unknown };
  if (kind === 'token') {
    return typeof token?.token === 'string' && typeof token.receivedAt === 'number' && typeof token.until === 'number';
  }
  return kind === 'signed-out' || (kind === 'sign-in-failed' && typeof problem === 'object' && problem !== null);
}
