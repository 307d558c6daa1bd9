// Signing in and out through the service's pages.

import type { SendRequest } from './call.ts';
import { writeQuery } from './call.ts';
import { FrontdeskError } from './error.ts';
import { closePopup, isPopup, openPopup, type PopupResult } from './popup.ts';
import type { Renewal } from './renewal.ts';
import type { Session } from './session.ts';

/** The parts of a browser that signing in needs. Everything else works without one. */
declare const location: { origin: string; pathname: string; search: string; hash: string; assign(url: string): void };
declare const history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };

/** What the identity provider adds to the address. Other parameters belong to the page. */
const callbackParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'];

/** The prefix of the `state` of every sign-in that began at /auth/login. */
export const statePrefix = 'fd1.';

export interface SignInOptions {
  returnTo?: string;
  /** In a second window, while this page stays as it is. Call it from a click, or browsers block it. */
  popup?: boolean;
  loginHint?: string;
  /** What the provider asks for: `select_account` to choose another account, `login` to enter the password again. */
  prompt?: 'none' | 'login' | 'consent' | 'select_account';
  /** Classes of authentication, separated by spaces, one of which is needed. */
  acrValues?: string;
  /** The maximum number of seconds since the person authenticated. */
  maxAge?: number;
  /** Languages for the provider's pages, separated by spaces. */
  uiLocales?: string;
}

interface SignInParts {
  root: string;
  call: SendRequest;
  request: SendRequest;
  session: Session;
  renewal: Renewal;
}

export function createSignIn({ root, call, request, session, renewal }: SignInParts) {
  let completing: Promise<boolean> | undefined;

  async function redeem(query: URLSearchParams): Promise<boolean> {
    // With credentials: the service compares the state with the cookie it set when the sign-in began, and sets a new one.
    try {
      const response = await call(`/auth/login/callback?${query}`, { credentials: 'include', cache: 'no-store' });
      await renewal.takeAnswer(response, true);
    } catch (error) {
      if (isPopup() && error instanceof FrontdeskError) renewal.signInFailed(error);
      throw error;
    } finally {
      if (isPopup()) closePopup();
    }
    return true;
  }

  return {
    async signIn(options: SignInOptions = {}): Promise<PopupResult> {
      const address = `${root}/auth/login${loginQuery(options)}`;
      if (options.popup) return openPopup(address, session);
      location.assign(address);
      // The page is being left.
      return new Promise(() => {});
    },

    completeSignIn(): Promise<boolean> {
      if (completing !== undefined) return completing;
      // Outside a browser there is no returning sign-in.
      const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);
      // Only a sign-in with Frontdesk's state, which the service compares with this browser's cookie: anyone can put a code
      // into a link.
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

    async logout(): Promise<void> {
      if (session.current() === undefined) return;
      session.setLeaving(true);
      try {
        // Renewed first if the token has expired: only a valid token can end the session.
        await request('/auth/logout', { method: 'POST', credentials: 'include' });
      } catch (error) {
        if (!(error instanceof FrontdeskError) || error.status !== 401) {
          session.setLeaving(false);
          throw error;
        }
      }
      renewal.signedOut();
    },

    async signOut({ returnTo }: { returnTo?: string } = {}): Promise<void> {
      const token = session.current()?.token;
      session.setLeaving(true);
      if (token !== undefined) {
        // Ends this page's session, which may not be the one of the browser's cookie. The cookie is not sent, since the
        // answer would expire it, and the page below needs it to tell the provider whose session ends. An error is
        // ignored: it occurs again on that page, where the person sees it.
        const headers = { Authorization: `Bearer ${token}` };
        const signal = AbortSignal.timeout(5000);
        await call('/auth/logout', { method: 'POST', headers, credentials: 'omit', signal }).catch(() => {});
      }
      renewal.signedOut();
      location.assign(`${root}/auth/logout${writeQuery({ post_logout_redirect_uri: returnTo })}`);
    },
  };
}

function loginQuery(options: SignInOptions): string {
  const { returnTo = location.origin + location.pathname, loginHint, prompt, acrValues, maxAge, uiLocales } = options;
  return writeQuery({
    redirect_uri: returnTo,
    login_hint: loginHint,
    prompt,
    acr_values: acrValues,
    max_age: maxAge,
    ui_locales: uiLocales,
  });
}
