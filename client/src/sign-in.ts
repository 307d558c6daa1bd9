// Signs in and out through the pages of the service.

import type { SendRequest } from './call.ts';
import { writeQuery } from './call.ts';
import { readTab, writeTab } from './environment.ts';
import { asFrontdeskError, FrontdeskError, invalidReturn, noBrowser } from './error.ts';
import { closePopup, isPopup, longestSeconds, openPopup, type PopupResult } from './popup.ts';
import { longestCallMs, type Renewal } from './renewal.ts';
import type { Session } from './session.ts';

/** The parts of a browser that signing in needs. The rest of the client works without a browser. */
declare const location: { href: string; origin: string; assign(url: string): void };
declare const history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };

/** What the identity provider adds to the address. Other parameters belong to the page. */
const callbackParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'];

/** The prefix of the `state` of every sign-in that began at /auth/login. */
export const statePrefix = 'fd1.';

export interface SignInOptions {
  /**
   * The page of this origin to show after the sign-in: a path such as `/employees/42?tab=pay#notes`. The default is the
   * current page. Has no effect with `popup`, which leaves the page as it is.
   */
  returnTo?: string;
  /** Signs in in a second window, while this page stays as it is. Call it in a click handler, or browsers block the window. */
  popup?: boolean;
  loginHint?: string;
  /** What the provider asks for: `select_account` to choose another account, `login` to enter the password again. */
  prompt?: 'none' | 'login' | 'consent' | 'select_account';
  /** Classes of authentication, separated by spaces. The sign-in must have one of them. */
  acrValues?: string;
  /** The maximum number of seconds since the person authenticated. */
  maxAge?: number;
  /** Languages for the provider's pages, separated by spaces. */
  uiLocales?: string;
}

export interface ResumeOptions {
  /**
   * Called after a sign-in, when the browser has come back from the provider: with the page to show, as a path with query and
   * fragment. Needed for a router that was created before resume(), or for separate HTML pages. Without `onReturn`, that
   * path replaces the one in the address bar before any request is sent.
   */
  onReturn?: (path: string) => unknown;
}

interface SignInParts {
  root: string;
  /** Where the provider sends the browser. */
  redirectUri: string;
  call: SendRequest;
  request: SendRequest;
  session: Session;
  renewal: Renewal;
}

export function createSignIn({ root, redirectUri, call, request, session, renewal }: SignInParts) {
  let completing: Promise<boolean> | undefined;

  async function redeem(query: URLSearchParams): Promise<void> {
    // Sends credentials, because the service compares the state with the cookie it set when the sign-in began, and sets
    // a new one.
    const signal = AbortSignal.timeout(longestCallMs);
    try {
      const response = await call(`/auth/login/callback?${query}`, {
        credentials: 'include',
        cache: 'no-store',
        signal,
      });
      await renewal.takeAnswer(response, true);
    } catch (cause) {
      const error = asFrontdeskError(cause);
      session.failSignIn(error);
      if (isPopup()) renewal.signInFailed(error);
      throw error;
    } finally {
      if (isPopup()) closePopup();
    }
  }

  async function complete(callback: URLSearchParams, rest: string, onReturn: ResumeOptions['onReturn']) {
    // A second window shows no page, because it is closed after the sign-in.
    const path = isPopup() ? undefined : takeReturnPath();
    const show = (to: string | undefined) =>
      history.replaceState(history.state, '', to === undefined ? rest : location.origin + to);
    // Done before the request, because the code must not stay in the address bar or the history, whatever the answer.
    show(onReturn ? undefined : path);
    try {
      await redeem(callback);
    } catch (error) {
      // Shows the address where the sign-in began, so that another attempt returns there, too.
      if (onReturn) show(path);
      throw error;
    }
    // Not awaited, because the page may wait for resume().
    if (path !== undefined) onReturn?.(path);
    return true;
  }

  return {
    async signIn(options: SignInOptions = {}): Promise<PopupResult> {
      const { returnTo, popup, loginHint, prompt, acrValues, maxAge, uiLocales } = options;
      if (typeof location === 'undefined') throw noBrowser();
      const path = returnPath(returnTo ?? splitCallback().rest);
      if (path === undefined && returnTo !== undefined) throw invalidReturn();
      const query = writeQuery({
        redirect_uri: new URL(redirectUri, location.href).href,
        login_hint: loginHint,
        prompt,
        acr_values: acrValues,
        max_age: maxAge,
        ui_locales: uiLocales,
      });
      const address = `${root}/auth/login${query}`;
      if (popup) return openPopup(address, session);
      writeTab(returnKey, path && `${Date.now()} ${path}`);
      location.assign(address);
      // Never resolves, because the page is being left.
      return new Promise(() => {});
    },

    completeSignIn({ onReturn }: ResumeOptions = {}): Promise<boolean> {
      if (completing !== undefined) return completing;
      // Outside a browser, there is no page to which a sign-in could return.
      if (typeof location === 'undefined') return Promise.resolve(false);
      const { callback, rest } = splitCallback();
      if (callback === undefined) return Promise.resolve(false);
      completing = complete(callback, rest, onReturn).finally(() => {
        completing = undefined;
      });
      return completing;
    },

    async logout(): Promise<void> {
      if (session.current() === undefined) return;
      session.setLeaving(true);
      try {
        // `request` renews an expired token first, because only a valid token can end the session.
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
      if (typeof location === 'undefined') throw noBrowser();
      const token = session.current()?.token;
      session.setLeaving(true);
      if (token !== undefined) {
        // Ends this page's session, which may not be the one in the browser's cookie. The cookie is not sent, because the
        // answer would delete it, and GET /auth/logout below needs it to tell the provider whose session ends. An error is
        // ignored, because it occurs again on that page, where the person sees it.
        const headers = { Authorization: `Bearer ${token}` };
        const signal = AbortSignal.timeout(5000);
        await call('/auth/logout', { method: 'POST', headers, credentials: 'omit', signal }).catch(() => {});
      }
      renewal.signedOut();
      location.assign(`${root}/auth/logout${writeQuery({ post_logout_redirect_uri: returnTo })}`);
    },
  };
}

/** Splits the address into the provider's parameters, which are the query of the callback, and the rest. */
function splitCallback(): { callback: URLSearchParams | undefined; rest: string } {
  const url = new URL(location.href);
  const { searchParams: query } = url;
  // Anyone can put a code into a link. So this accepts only a state from Frontdesk, which the service compares with this
  // browser's cookie.
  if (!query.get('state')?.startsWith(statePrefix) || !(query.has('code') || query.has('error')))
    return { callback: undefined, rest: url.href };
  const callback = new URLSearchParams();
  for (const name of callbackParameters) {
    const value = query.get(name);
    if (value !== null) callback.set(name, value);
    query.delete(name);
  }
  return { callback, rest: url.href };
}

/** The page to return to is kept in the tab, so that tabs that sign in at the same time return to different pages. */
const returnKey = 'frontdesk.return';
const longestPath = 4000;

/**
 * Path, query and fragment of an address of this origin; undefined for any other address. A path that begins with two
 * slashes would be read as another host.
 */
function returnPath(address: string): string | undefined {
  const { origin, href: base } = location;
  try {
    const { href } = new URL(address, base);
    const path = href.slice(origin.length);
    return href.startsWith(`${origin}/`) && path[1] !== '/' && path.length <= longestPath ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the page to return to, and removes it. Undefined if the sign-in began longer ago than the service allows. */
function takeReturnPath(): string | undefined {
  const [keptAt, path] = readTab(returnKey)?.split(' ') ?? [];
  writeTab(returnKey);
  return path && Date.now() - Number(keptAt) < longestSeconds * 1000 ? returnPath(path) : undefined;
}
