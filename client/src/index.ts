// The client: sign-in, the person, the lists. It has no dependencies and needs only what browsers, Node and Bun share.

import { createCall, writeQuery } from './call.ts';
import { type Assertion, createCallerTokens } from './caller-tokens.ts';
import { detectEnvironment, type Environment } from './environment.ts';
import { createChanges } from './events.ts';
import { createLoad, type LoadOptions } from './load.ts';
import type { ListItem, LookupOptions } from './lookup-options.ts';
import { createRenewal } from './renewal.ts';
import { createRequest } from './request.ts';
import { createSession, type SignedOutReason } from './session.ts';
import { createSignIn, type ResumeOptions } from './sign-in.ts';
import type { CurrentUser, ItemFields, ListName, ListTitle, LookupItem, StoredValue, ValidateResult } from './types.ts';

export type { Assertion } from './caller-tokens.ts';
export { type Challenge, FrontdeskError } from './error.ts';
export type { ChangesOptions, StreamState } from './events.ts';
export type { LoadOptions } from './load.ts';
export type { ListItem, LookupOptions } from './lookup-options.ts';
export type { PopupResult } from './popup.ts';
export type { SessionState, SessionStatus, SignedOutReason } from './session.ts';
export type { ResumeOptions, SignInOptions } from './sign-in.ts';
export type * from './types.ts';

export interface FrontdeskOptions {
  /** The address of Frontdesk, such as https://desk.example.com. */
  baseUrl: string;
  /**
   * Where the identity provider sends people back to: the application's only address in OIDC_REDIRECT_URIS. The page there calls
   * `resume()`. The default is `/`; an application under a path uses that path, such as `/hr/`.
   */
  redirectUri?: string;
  /** For programs that already have an access token. Not needed in a browser, where people sign in. */
  accessToken?: string;
  /** For back ends: the signed assertion of a registered caller, or a function that is called for each token. */
  assertion?: Assertion;
  /** The default language of labels and titles: a value of Accept-Language. */
  language?: string;
  /** Called once when the session has ended and cannot be renewed, with the reason. */
  onSignedOut?: (reason: SignedOutReason) => void;
  /** Replaces the global fetch, for example in tests. */
  fetch?: typeof fetch;
}

/** Each list under its name. */
export type AllLookups = { [List in ListName]: ListItem<List>[] };
/** One value or several for each list. */
export type StoredValues = { readonly [List in ListName]?: StoredValue<List> | readonly StoredValue<List>[] };

export type Frontdesk = ReturnType<typeof createFrontdesk>;

export function createFrontdesk(options: FrontdeskOptions, environment: Environment = detectEnvironment()) {
  const root = options.baseUrl.replace(/\/+$/, '');
  const session = createSession(options.onSignedOut);
  const call = createCall(root, options.fetch ?? ((url, init) => fetch(url, init)));
  const renewal = createRenewal(root, call, session, environment);
  const { assertion } = options;
  const tokens = assertion === undefined ? renewal : createCallerTokens(call, session, assertion);
  const request = createRequest(call, tokens);
  const { redirectUri = '/' } = options;
  const { signIn, completeSignIn, logout, signOut } = createSignIn({
    root,
    redirectUri,
    call,
    request,
    session,
    renewal,
  });
  const load = createLoad(request, session, options.language);
  if (options.accessToken !== undefined) renewal.setToken(options.accessToken);

  async function lookup<List extends ListName, Field extends keyof ItemFields = never>(
    list: List,
    { language, signal, ...asked }: LookupOptions<Field> = {},
  ): Promise<ListItem<List, NoInfer<Field>>[]> {
    return load(`/employee/${encodeURIComponent(list)}${writeQuery(asked)}`, { language, signal });
  }

  return {
    baseUrl: root,

    /** Used by frontdesk-client/react and frontdesk-client/query. */
    environment,

    /**
     * Call it when the page loads, before the application's router reads the address. If the browser has come back from the
     * sign-in page, completes the sign-in and shows the page where it began; otherwise continues this browser's session.
     * Returns false if nobody is signed in. Throws if a sign-in failed or Frontdesk cannot be reached.
     */
    resume: (options?: ResumeOptions) => renewal.resume(() => completeSignIn(options)),

    /**
     * Opens the sign-in page, which returns to `redirectUri`; resume() then shows `returnTo`, or else the page where the
     * person was. With `popup`, opens the sign-in page in a second window, and resolves with the result.
     */
    signIn,

    /**
     * The first part of resume(): completes a sign-in if the browser has come back from the sign-in page; otherwise returns
     * false.
     */
    completeSignIn,

    isSignedIn: () => session.current() !== undefined,

    /**
     * For requests to your own back end: an access token that can be used now, renewed if it is about to expire. Get it for
     * each request, and store it nowhere.
     */
    accessToken: () => tokens.token(),

    /** Whether someone is signed in, and if not, why. Returns a new object after every change. */
    session: session.state,

    /** Reports every change of `session()`, until the returned function is called. */
    subscribe: session.subscribe,

    async me({ signal }: Pick<LoadOptions, 'signal'> = {}): Promise<CurrentUser> {
      return load<CurrentUser>('/auth/me', { signal });
    },

    lookup,

    async lookups(options: LoadOptions = {}): Promise<AllLookups> {
      return load<AllLookups>('/lookups', options);
    },

    /** The title and description of each list, by its name. */
    async titles(options: LoadOptions = {}): Promise<Record<ListName, ListTitle>> {
      return load<Record<ListName, ListTitle>>('/lookups/titles', options);
    },

    /**
     * The label of a stored value, even if it is retired; the value itself if the list does not know it. Simultaneous
     * calls share requests.
     */
    label: createLabel(lookup),

    /**
     * Says whether these stored values are known, active or replaced. `values` contains one value or several for each list.
     */
    async validate(values: StoredValues, { language = options.language, signal }: LoadOptions = {}) {
      const headers = { 'Content-Type': 'application/json', ...(language && { 'Accept-Language': language }) };
      const body = JSON.stringify(values);
      const response = await request('/lookups/validate', { method: 'POST', headers, body, ...(signal && { signal }) });
      return (await response.json()) as ValidateResult;
    },

    /**
     * Yields changes until `signal` is aborted. After a temporary error (no network, 429, 5xx) or the end of a stream
     * it connects again, calls `onState`, and misses no change. Every other error is thrown, including errors thrown by
     * `onState`.
     */
    changes: createChanges(request, session, tokens),

    /**
     * Sends any other request as the person who is signed in. Throws a FrontdeskError for every refusal. If only the token was
     * refused, the session is renewed and the request repeated.
     */
    request,

    /** Ends the session, in all tabs. Throws if that fails; the person then stays signed in. */
    logout,

    /**
     * Ends the session, in all tabs, and opens the identity provider to sign out there. The provider returns to Frontdesk's
     * own page, or to `returnTo` (must be allowed in OIDC_POST_LOGOUT_URIS).
     */
    signOut,
  };
}

type Lookup = (
  list: ListName,
  options: { include?: readonly string[]; language?: string | undefined },
) => Promise<LookupItem[]>;

/** Maximum number of values in `include`. */
const maxValues = 100;
/** Text that cannot be a value is not requested, because the whole request would fail. */
const isValue = (text: string) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text) && text.length <= 64;

/** Finds labels of stored values. Simultaneous calls share requests. */
function createLabel(lookup: Lookup) {
  /** Values to request together, by list and language, until the request is sent. */
  const batches = new Map<string, { include: Set<string>; items: Promise<LookupItem[]> }>();

  function loadWith(value: string, list: ListName, language: string | undefined): Promise<LookupItem[]> {
    const key = JSON.stringify([list, language]);
    let batch = batches.get(key);
    if (batch === undefined || batch.include.size === maxValues) {
      const include = new Set<string>();
      // Sent in a later microtask, when all callers that waited for the plain list have added their values.
      const items = Promise.resolve().then(() => {
        if (batches.get(key)?.include === include) batches.delete(key);
        return lookup(list, { include: [...include], language });
      });
      batch = { include, items };
      batches.set(key, batch);
    }
    batch.include.add(value);
    return batch.items;
  }

  return async <List extends ListName>(
    list: List,
    value: StoredValue<List>,
    { language }: { language?: string | undefined } = {},
  ): Promise<string> => {
    const labelIn = (items: readonly LookupItem[]) => items.find((item) => item.value === value)?.label;
    const label = labelIn(await lookup(list, { language }));
    if (label !== undefined || !isValue(value)) return label ?? value;
    return labelIn(await loadWith(value, list, language)) ?? value;
  };
}
