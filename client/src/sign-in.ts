// Signing in and out, by way of the service's pages.
import { FrontdeskError } from './error.ts';
import type { SendRequest } from './request.ts';
import type { Session } from './session.ts';
import type { LoginResult } from './types.ts';

/** The parts of a browser that signing in needs. Everything else works without one. */
declare const location: { origin: string; pathname: string; search: string; hash: string; assign(url: string): void };
declare const history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };

/** What the identity provider adds to the address. Other parameters belong to the page. */
const callbackParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'];

/** Of the `state` of every sign-in that began at /auth/login. */
export const statePrefix = 'fd1.';

export interface SignInOptions {
  returnTo?: string;
  loginHint?: string;
  /** What the provider asks for: `select_account` to choose another account, `login` to enter the password again. */
  prompt?: 'none' | 'login' | 'consent' | 'select_account';
}

export function createSignIn(root: string, call: SendRequest, session: Session) {
  let completing: Promise<boolean> | undefined;

  async function redeem(query: URLSearchParams): Promise<boolean> {
    // With credentials: the service compares the state with the cookie it set when the sign-in began.
    const response = await call(`/auth/login/callback?${query}`, { credentials: 'include', cache: 'no-store' });
    const { accessToken, expirationInSeconds } = (await response.json()) as LoginResult;
    session.save({ token: accessToken, until: Date.now() + expirationInSeconds * 1000 });
    return true;
  }

  async function endSession(credentials: 'include' | 'omit'): Promise<void> {
    const signIn = session.current();
    // First, so that requests which are refused from now on do not call onSignedOut.
    session.save(undefined);
    if (signIn === undefined) return;
    try {
      const headers = { Authorization: `Bearer ${signIn.token}` };
      await call('/auth/logout', { method: 'POST', headers, credentials });
    } catch (error) {
      if (!(error instanceof FrontdeskError) || error.status !== 401) throw error;
    }
  }

  return {
    signIn({ returnTo = location.origin + location.pathname, loginHint, prompt }: SignInOptions = {}): void {
      const query = new URLSearchParams({ redirect_uri: returnTo });
      if (loginHint !== undefined) query.set('login_hint', loginHint);
      if (prompt !== undefined) query.set('prompt', prompt);
      location.assign(`${root}/auth/login?${query}`);
    },

    completeSignIn(): Promise<boolean> {
      if (completing !== undefined) return completing;
      const query = new URLSearchParams(location.search);
      // Only a sign-in with a state of Frontdesk, which the service compares with this browser's cookie: a code alone can
      // be put into a link by anybody.
      if (!query.get('state')?.startsWith(statePrefix) || !(query.has('code') || query.has('error')))
        return Promise.resolve(false);
      const callback = new URLSearchParams();
      for (const name of callbackParameters) {
        const value = query.get(name);
        if (value !== null) callback.set(name, value);
        query.delete(name);
      }
      // Before the request: the code must not stay in the address bar or the history, whatever the answer.
      const rest = query.size > 0 ? `?${query}` : '';
      history.replaceState(history.state, '', location.pathname + rest + location.hash);
      completing = redeem(callback).finally(() => {
        completing = undefined;
      });
      return completing;
    },

    logout: () => endSession('include'),

    async signOut({ returnTo }: { returnTo?: string } = {}): Promise<void> {
      // Ends this window's session, which need not be the one of the browser's cookie. The cookie is not sent, since the
      // answer would expire it, and the page below needs it to tell the provider whose session ends. An error is
      // ignored: it occurs on that page again, where the person sees it.
      await endSession('omit').catch(() => {});
      const query = returnTo === undefined ? '' : `?${new URLSearchParams({ post_logout_redirect_uri: returnTo })}`;
      location.assign(`${root}/auth/logout${query}`);
    },
  };
}
