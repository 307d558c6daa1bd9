// The client: sign-in, the person, the lists. No dependencies; needs only what browsers, Node and Bun share.
import { createChanges } from './events.ts';
import { createLoad } from './load.ts';
import { createCall, createRequest } from './request.ts';
import { createSession, type TokenStorage } from './session.ts';
import { createSignIn } from './sign-in.ts';
import type { CurrentUser, ListName, LookupItem, ValidateResult } from './types.ts';

export { FrontdeskError } from './error.ts';
export type { ChangesOptions, StreamState } from './events.ts';
export type { TokenStorage } from './session.ts';
export type * from './types.ts';

export interface FrontdeskOptions {
  /** The address of Frontdesk, like https://desk.example.com. */
  baseUrl: string;
  /** Where the access token is stored: sessionStorage, localStorage, or one of yours. Memory by default. */
  storage?: TokenStorage;
  /** The language of labels, unless a call says another: a value of Accept-Language. */
  language?: string;
  /** Called once when a sign-in is over: it expired, or was ended elsewhere. Not after logout(). */
  onSignedOut?: () => void;
  /** For tests, or a fetch of your own. */
  fetch?: typeof fetch;
}

export interface LookupOptions {
  /** Values to include although they are retired: those a form has stored. */
  include?: readonly string[];
  /** The list of that day, like 2027-01-31. */
  asOf?: string;
  language?: string;
}

export type Frontdesk = ReturnType<typeof createFrontdesk>;

export function createFrontdesk(options: FrontdeskOptions) {
  const root = options.baseUrl.replace(/\/+$/, '');
  const session = createSession(options.storage, options.onSignedOut);
  const call = createCall(root, options.fetch ?? ((url, init) => fetch(url, init)));
  const request = createRequest(call, session);
  const { signIn, completeSignIn, logout, signOut } = createSignIn(root, call, session);
  const load = createLoad(request, session, options.language);

  return {
    baseUrl: root,

    /** Leaves for the sign-in page; the browser comes back to this page, or to `returnTo` (both must be allowed). */
    signIn,

    /** Call it when the page loads: finishes a sign-in that has just come back. False when there was none. */
    completeSignIn,

    isSignedIn: () => session.current() !== undefined,

    /** Reads the storage again: another window may have signed in. True when somebody is signed in now. */
    resume(): boolean {
      session.resume();
      return session.current() !== undefined;
    },

    /** When the sign-in expires. */
    expiresAt() {
      const current = session.current();
      return current && new Date(current.until);
    },

    async me(): Promise<CurrentUser> {
      return load<CurrentUser>('/auth/me');
    },

    async lookup(list: ListName, { include = [], asOf, language }: LookupOptions = {}): Promise<LookupItem[]> {
      const query = new URLSearchParams();
      for (const value of include) query.append('include', value);
      if (asOf !== undefined) query.set('asOf', asOf);
      return load<LookupItem[]>(`/employee/${encodeURIComponent(list)}${query.size > 0 ? `?${query}` : ''}`, language);
    },

    async lookups({ language }: { language?: string } = {}): Promise<Record<ListName, LookupItem[]>> {
      return load<Record<ListName, LookupItem[]>>('/lookups', language);
    },

    /** Are these stored values known, active, replaced? By list: a value or several. */
    async validate(values: Partial<Record<ListName, string | readonly string[]>>): Promise<ValidateResult> {
      const headers = { 'Content-Type': 'application/json' };
      const response = await request('/lookups/validate', { method: 'POST', headers, body: JSON.stringify(values) });
      return (await response.json()) as ValidateResult;
    },

    /**
     * Changes until `signal` is aborted. After a temporary error (no network, 429, 5xx) or the end of a stream it connects
     * again, tells `onState`, and misses nothing. Every other error is thrown, also what `onState` throws.
     */
    changes: createChanges(request, session),

    /** Any other request as the person who is signed in. Throws a FrontdeskError for every refusal. */
    request,

    /** Ends the session. Nobody is signed in here afterwards, even if the request fails. */
    logout,

    /**
     * Ends the session and leaves for the identity provider, to sign out there; the browser comes back to Frontdesk's own
     * page, or to `returnTo` (must be allowed in OIDC_POST_LOGOUT_URIS).
     */
    signOut,
  };
}
