// The session on this page: the access token, in memory only, and why nobody is signed in.
import type { FrontdeskError } from './error.ts';

export interface Token {
  token: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** When it expires, in milliseconds since 1970. */
  until: number;
}

/**
 * `starting`: not known yet. `reconnecting`: signed in, but the last renewal failed and is being retried.
 */
export type SessionStatus = 'starting' | 'signed-in' | 'reconnecting' | 'signed-out';

/**
 * `signed-out`: by logout() or signOut() on this page. `other-tab`: by one of them in another tab. `ended`: idle for too
 * long, at its maximum duration, or ended elsewhere. `other-person`: someone else signed in with this browser.
 * `not-signed-in`: nobody was signed in when the page was loaded.
 */
export type SignedOutReason = 'signed-out' | 'other-tab' | 'ended' | 'other-person' | 'not-signed-in';

export interface SessionState {
  readonly status: SessionStatus;
  /** Why nobody is signed in. */
  readonly reason: SignedOutReason | undefined;
  /** Counts the sign-ins on this page and in other tabs, of any person. Renewals do not count. */
  readonly signIns: number;
  /** Why the last sign-in failed, on this page or in a second window. Undefined again after a successful sign-in. */
  readonly signInError: FrontdeskError | undefined;
  /** When the last token was received, from a sign-in or a renewal. With it, the person's roles may have changed. */
  readonly renewedAt: number;
  /** A new number for each person who signs in on this page. */
  readonly personNumber: number;
}

export type Session = ReturnType<typeof createSession>;

export function createSession(onSignedOut: ((reason: SignedOutReason) => void) | undefined) {
  let token: Token | undefined;
  let state: SessionState = {
    status: 'starting',
    reason: undefined,
    signIns: 0,
    signInError: undefined,
    renewedAt: 0,
    personNumber: 0,
  };
  /** The person who is signed in, or was signed in last. The input on this page belongs to them. */
  let person: string | undefined;
  /** Increases with each sign-in, renewal and sign-out. Compared after waiting for an answer. */
  let version = 0;
  let isLeaving = false;
  const listeners = new Set<() => void>();

  function change(next: Partial<SessionState>): void {
    state = { ...state, ...next };
    for (const listener of [...listeners]) listener();
  }

  function end(cause: SignedOutReason): void {
    const reason = isLeaving ? 'signed-out' : cause;
    if (state.status === 'signed-out' && (reason !== 'other-person' || state.reason === reason)) return;
    token = undefined;
    version++;
    if (reason === 'signed-out') person = undefined;
    change({ status: 'signed-out', reason });
    onSignedOut?.(reason);
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    current: () => token,
    state: () => state,
    version: () => version,
    subscribe,

    /**
     * Returns false if the token belongs to another person, because the input on this page must not be sent in their
     * name.
     */
    begin(next: Token, isSignIn: boolean): boolean {
      const subject = subjectOf(next.token);
      const signIns = state.signIns + (isSignIn ? 1 : 0);
      const signInError = isSignIn ? undefined : state.signInError;
      if (person !== undefined && person !== subject) {
        change({ signIns });
        end('other-person');
        return false;
      }
      const personNumber = state.personNumber + (person === undefined ? 1 : 0);
      person = subject;
      token = next;
      version++;
      isLeaving = false;
      const { receivedAt: renewedAt } = next;
      change({ status: 'signed-in', reason: undefined, signIns, signInError, renewedAt, personNumber });
      return true;
    },

    end,

    /** While the person signs out, the reason is `signed-out`, whatever ends the session. */
    setLeaving(isSigningOut: boolean): void {
      isLeaving = isSigningOut;
    },

    setReconnecting(isReconnecting: boolean): void {
      const status = isReconnecting ? 'reconnecting' : 'signed-in';
      if (token !== undefined && state.status !== status) change({ status });
    },

    failSignIn(signInError: FrontdeskError): void {
      change({ signInError });
    },

    /** Resolves on the next change, or when the signal is aborted. */
    nextChange(signal?: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const stop = subscribe(done);
        function done() {
          stop();
          signal?.removeEventListener('abort', done);
          resolve();
        }
        if (signal?.aborted) done();
        else signal?.addEventListener('abort', done);
      });
    },
  };
}

/** Used only to notice a different person. The service verifies the token. */
function subjectOf(token: string): string {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub);
  } catch {
    return '';
  }
}

const longestIntervalMs = 600_000;
/** How long before its expiry a token is no longer used, because it could expire before a request arrives. */
const marginMs = 5000;

/** When to renew: after ten minutes, or after two thirds of a lifetime that is shorter than fifteen minutes. */
export const dueAt = ({ receivedAt, until }: Token) =>
  receivedAt + Math.min(longestIntervalMs, ((until - receivedAt) * 2) / 3);

export const canBeSent = ({ receivedAt, until }: Token, now: number) =>
  now < until - Math.min(marginMs, (until - receivedAt) / 3);
