// Several tabs of one application: one renews at a time, and all get what it received.
import type { Environment } from './environment.ts';
import type { Token } from './session.ts';
import type { Problem } from './types.ts';

export type TabMessage =
  | { kind: 'token'; token: Token; isSignIn: boolean }
  | { kind: 'sign-in-failed'; problem: Partial<Problem> }
  | { kind: 'signed-out' };

/** Longer than the service lets a renewal take, so that a tab frozen by the browser cannot block the others for good. */
const longestTurnMs = 30_000;

export function createTabs(root: string, environment: Environment, receive: (message: TabMessage) => void) {
  const name = `frontdesk ${root}`;
  // A script of the same origin can read this channel. It could also renew by itself: its requests carry the cookie, too.
  const post = environment.openChannel(name, (message) => {
    if (isTabMessage(message)) receive(message);
  });

  /** `hasWaited`: another tab renewed first, and may have sent its token. */
  async function takeTurn(act: (hasWaited: boolean) => Promise<void>): Promise<void> {
    const { locks } = environment;
    // Without locks each tab renews for itself; the service lets one renewal at a time through.
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
      // The lock was not given in time, or is not for this page (a sandboxed frame).
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
