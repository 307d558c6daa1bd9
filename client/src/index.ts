// The whole client: sign-in, the person, the lists. No dependencies; needs only what browsers, Node and Bun share.
import type {
  Change,
  CurrentUser,
  Fault,
  ListName,
  LoginResult,
  LookupItem,
  Problem,
  ValidateResult,
} from './types.ts';

export type * from './types.ts';

export interface FrontdeskOptions {
  /** Where Frontdesk is, like https://desk.example.com. */
  baseUrl: string;
  /** Where the access token is kept: sessionStorage, localStorage, or one of yours. Memory by default. */
  storage?: TokenStorage;
  /** The language of labels, where a call does not say another: a value of Accept-Language. */
  language?: string;
  /** Called once when a sign-in is over: it expired, or was ended elsewhere. Not after logout(). */
  onSignedOut?: () => void;
  /** For tests, or a fetch of your own. */
  fetch?: typeof fetch;
}

export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface LookupOptions {
  /** Values to have on the list although they are retired: what a form has stored. */
  include?: readonly string[];
  /** The list of that day, like 2027-01-31. */
  asOf?: string;
  language?: string;
}

/** How a stream is doing. `error` is absent when it was ended in order, as a service does before it stops. */
export type StreamState =
  | { isConnected: true }
  | { isConnected: false; error: FrontdeskError | undefined; retryInMs: number };

export interface ChangesOptions {
  signal?: AbortSignal;
  onState?: (state: StreamState) => void;
}

/** What went wrong, in the words of the service. `code` is the last part of the problem's type. */
export class FrontdeskError extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** To be found in the service's log. */
  readonly requestId: string;
  readonly errors: Fault[];
  /** Seconds after which it may work. */
  readonly retryAfter: number | undefined;
  /** The whole problem document. */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem>, retryAfter?: number, cause?: unknown) {
    const { type = 'problems/network', title = 'No answer', detail = 'Frontdesk cannot be reached.' } = problem;
    super(`${title}: ${detail}`, { cause });
    this.name = 'FrontdeskError';
    this.code =
      type
        .split('/problems/')
        .pop()
        ?.replace(/^problems\//, '') ?? type;
    this.status = problem.status ?? 0;
    this.title = title;
    this.detail = detail;
    this.requestId = problem.instance?.replace(/^urn:uuid:/, '') ?? '';
    this.errors = problem.errors ?? [];
    this.retryAfter = retryAfter;
    this.problem = problem;
  }
}

interface SignIn {
  token: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** What it needs of a browser for signing in. The rest works without one. */
declare const location: { origin: string; pathname: string; search: string; hash: string; assign(url: string): void };
declare const history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };

const key = 'frontdesk';
const mostRemembered = 100;
/** What a provider sends back; the rest of an address is the page's own. */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'];

export type Frontdesk = ReturnType<typeof createFrontdesk>;

export function createFrontdesk(options: FrontdeskOptions) {
  const { baseUrl, storage, language, onSignedOut } = options;
  const root = baseUrl.replace(/\/+$/, '');
  const send = options.fetch ?? ((url: string, init?: RequestInit) => fetch(url, init));
  let signedIn = read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let completing: Promise<boolean> | undefined;
  /** By path and language: the answer and its name, so that an unchanged one costs a 304. As text: each caller has its own. */
  const remembered = new Map<string, { tag: string; text: string }>();
  const underWay = new Map<string, Promise<unknown>>();
  watchExpiry();

  function read(): SignIn | undefined {
    try {
      const found = JSON.parse(storage?.getItem(key) ?? 'null') as SignIn | null;
      if (found !== null && found.until > Date.now()) return found;
      if (found !== null) storage?.removeItem(key);
    } catch {
      // A storage that is not to be read is an empty one.
    }
    return undefined;
  }

  /** What belongs to the one before is forgotten, also what is still under way. */
  function change(next: SignIn | undefined): void {
    signedIn = next;
    remembered.clear();
    underWay.clear();
    watchExpiry();
  }

  function keep(next: SignIn | undefined): void {
    const before = signedIn;
    change(next);
    try {
      if (next !== undefined) storage?.setItem(key, JSON.stringify(next));
      // Not what another window has put there meanwhile.
      else if (read()?.token === before?.token) storage?.removeItem(key);
    } catch {
      // Then it lasts as long as this page.
    }
  }

  function watchExpiry(): void {
    clearTimeout(timer);
    if (signedIn === undefined) return;
    timer = setTimeout(expire, signedIn.until - Date.now());
    // Node and Bun: not a reason to stay.
    (timer as { unref?: () => void }).unref?.();
  }

  /** Once for each sign-in, however many requests find out at the same time. */
  function expire(): void {
    if (signedIn === undefined) return;
    const found = read();
    // Another window has signed in anew.
    if (found !== undefined && found.token !== signedIn.token) {
      change(found);
      return;
    }
    keep(undefined);
    onSignedOut?.();
  }

  async function call(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await send(root + path, init);
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new FrontdeskError({}, undefined, cause);
    }
    if (response.ok || response.status === 304) return response;
    const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
    throw new FrontdeskError(
      { ...unexpectedAnswer(response.status).problem, ...problem },
      secondsUntil(response.headers.get('retry-after')),
    );
  }

  /** A request of any kind as the person who is signed in. Throws a FrontdeskError for every refusal. */
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const used = signedIn;
    if (used === undefined) {
      throw new FrontdeskError({
        type: 'problems/unauthorized',
        status: 401,
        title: 'Not signed in',
        detail: 'Sign in first.',
      });
    }
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${used.token}`);
    try {
      return await call(path, { ...init, headers });
    } catch (error) {
      // Of this sign-in, and not of one that came meanwhile.
      if (error instanceof FrontdeskError && error.status === 401 && signedIn === used) expire();
      throw error;
    }
  }

  /** One request for everybody who asks at the same time, and a 304 for what has not changed. */
  function load<T>(path: string, wanted = language): Promise<T> {
    const name = `${path} ${wanted ?? ''}`;
    const known = underWay.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const loading = ask<T>(path, name, wanted).finally(() => {
      if (underWay.get(name) === loading) underWay.delete(name);
    });
    underWay.set(name, loading);
    return loading;
  }

  async function ask<T>(path: string, name: string, wanted: string | undefined): Promise<T> {
    const used = signedIn;
    const known = remembered.get(name);
    const headers: Record<string, string> = {};
    if (known !== undefined) headers['If-None-Match'] = known.tag;
    if (wanted !== undefined) headers['Accept-Language'] = wanted;
    const response = await request(path, { headers });
    if (response.status === 304 && known !== undefined) return JSON.parse(known.text) as T;
    const text = await response.text().catch((cause: unknown) => {
      throw new FrontdeskError({}, undefined, cause);
    });
    const tag = response.headers.get('etag');
    // Of whoever is signed in now, and not of somebody before.
    if (tag !== null && signedIn === used) {
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(name, { tag, text });
    }
    return JSON.parse(text) as T;
  }

  async function complete(query: URLSearchParams): Promise<boolean> {
    // Sent as it came: the cookie of the sign-in that began here goes with it.
    const response = await call(`/auth/login/callback?${query}`, { credentials: 'include', cache: 'no-store' });
    const { accessToken, expirationInSeconds } = (await response.json()) as LoginResult;
    keep({ token: accessToken, until: Date.now() + expirationInSeconds * 1000 });
    return true;
  }

  /**
   * Changes until you leave. A fault that can pass (no network, 429, 5xx, the end of a stream) is tried again, and told to
   * `onState`; every other one is thrown, as is what `onState` throws. Nothing is missed meanwhile.
   */
  async function* changes({ signal, onState }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    let last: string | undefined;
    for (let failures = 0; ; failures++) {
      let error: FrontdeskError | undefined;
      try {
        const body = await openStream(last, signal);
        onState?.({ isConnected: true });
        for await (const event of readEvents(body)) {
          failures = 0;
          if (event.id !== undefined) last = event.id;
          if (event.data !== undefined) yield { ...readData(event.data), id: Number(last) };
        }
      } catch (reason) {
        if (signal?.aborted && reason === signal.reason) return;
        if (!(reason instanceof FrontdeskError && canPass(reason))) throw reason;
        error = reason;
      }
      if (signal?.aborted) return;
      const retryInMs = pauseAfter(failures, error?.retryAfter);
      onState?.({ isConnected: false, error, retryInMs });
      await pauseFor(retryInMs, signal);
      if (signal?.aborted) return;
    }
  }

  async function endSession(credentials: 'include' | 'omit'): Promise<void> {
    const used = signedIn;
    // First: what is refused from now on is no news to anybody.
    keep(undefined);
    if (used === undefined) return;
    try {
      const headers = { Authorization: `Bearer ${used.token}` };
      await call('/auth/logout', { method: 'POST', headers, credentials });
    } catch (error) {
      if (!(error instanceof FrontdeskError) || error.status !== 401) throw error;
    }
  }

  async function openStream(last: string | undefined, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (last !== undefined) headers['Last-Event-ID'] = last;
    const response = await request('/lookups/changes', { headers, ...(signal && { signal }) });
    if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response.body;
    throw unexpectedAnswer(response.status);
  }

  /** A 401 too, when another window has signed in anew. */
  function canPass({ status }: FrontdeskError): boolean {
    return status === 0 || status === 429 || status >= 500 || (status === 401 && signedIn !== undefined);
  }

  return {
    baseUrl: root,

    /** Off to the sign-in page; the browser comes back to this page, or to `returnTo` (both must be allowed). */
    signIn({
      returnTo = location.origin + location.pathname,
      loginHint,
      prompt,
    }: {
      returnTo?: string;
      loginHint?: string;
      /** What the provider is to ask for: select_account for somebody else than before, login for the password again. */
      prompt?: 'none' | 'login' | 'consent' | 'select_account';
    } = {}) {
      const query = new URLSearchParams({ redirect_uri: returnTo });
      if (loginHint !== undefined) query.set('login_hint', loginHint);
      if (prompt !== undefined) query.set('prompt', prompt);
      location.assign(`${root}/auth/login?${query}`);
    },

    /** To be called when the page loads: finishes a sign-in that has just come back. False when there was none. */
    completeSignIn(): Promise<boolean> {
      if (completing !== undefined) return completing;
      const query = new URLSearchParams(location.search);
      // Only what this browser began, which the service then checks: anybody can send somebody a link with a code in it.
      if (!query.get('state')?.startsWith('fd1.') || !(query.has('code') || query.has('error')))
        return Promise.resolve(false);
      const answer = new URLSearchParams();
      for (const name of answerParameters) {
        const value = query.get(name);
        if (value !== null) answer.set(name, value);
        query.delete(name);
      }
      // Out of the address bar and the history before anything else: a code is nobody's business.
      const rest = query.size > 0 ? `?${query}` : '';
      history.replaceState(history.state, '', location.pathname + rest + location.hash);
      completing = complete(answer).finally(() => {
        completing = undefined;
      });
      return completing;
    },

    isSignedIn: () => signedIn !== undefined,

    /** Looks into the storage again: another window may have signed in. True when somebody is signed in now. */
    resume(): boolean {
      if (storage !== undefined) {
        const found = read();
        if (found?.token !== signedIn?.token) change(found);
      }
      return signedIn !== undefined;
    },

    /** When the sign-in is over. */
    expiresAt: () => (signedIn === undefined ? undefined : new Date(signedIn.until)),

    async me(): Promise<CurrentUser> {
      return load<CurrentUser>('/auth/me');
    },

    async lookup(list: ListName, { include = [], asOf, language: wanted }: LookupOptions = {}): Promise<LookupItem[]> {
      const query = new URLSearchParams();
      for (const value of include) query.append('include', value);
      if (asOf !== undefined) query.set('asOf', asOf);
      return load<LookupItem[]>(`/employee/${encodeURIComponent(list)}${query.size > 0 ? `?${query}` : ''}`, wanted);
    },

    async lookups({ language: wanted }: { language?: string } = {}): Promise<Record<ListName, LookupItem[]>> {
      return load<Record<ListName, LookupItem[]>>('/lookups', wanted);
    },

    /** Are these stored values known, active, replaced? By list: a value or several. */
    async validate(values: Partial<Record<ListName, string | readonly string[]>>): Promise<ValidateResult> {
      const headers = { 'Content-Type': 'application/json' };
      const response = await request('/lookups/validate', { method: 'POST', headers, body: JSON.stringify(values) });
      return (await response.json()) as ValidateResult;
    },

    changes,
    request,

    /** Ends the session. Whatever the service says to it, nobody is signed in here any more. */
    logout: () => endSession('include'),

    /**
     * Ends the session, and off to the identity provider to sign out there; the browser comes back to Frontdesk's own
     * page, or to `returnTo` (must be allowed in OIDC_POST_LOGOUT_URIS).
     */
    async signOut({ returnTo }: { returnTo?: string } = {}): Promise<void> {
      // This window's own, which need not be the one the cookie names. Without the cookie, or it would be taken away: the
      // provider wants to hear whose session it is, and the page below knows that by the cookie alone. What goes wrong
      // here goes wrong there too, where it is seen.
      await endSession('omit').catch(() => {});
      const query = returnTo === undefined ? '' : `?${new URLSearchParams({ post_logout_redirect_uri: returnTo })}`;
      location.assign(`${root}/auth/logout${query}`);
    },
  };
}

function unexpectedAnswer(status: number): FrontdeskError {
  return new FrontdeskError({
    type: 'problems/unexpected-answer',
    status,
    title: 'Unexpected answer',
    detail: `Something answered with status ${status} that was not Frontdesk.`,
  });
}

/** Retry-After has seconds, or a date (RFC 9110, section 10.2.3). */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number.isNaN(Number(retryAfter)) ? (Date.parse(retryAfter) - Date.now()) / 1000 : Number(retryAfter);
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Twice as long each time, and by chance up to half less: whoever lost one service does not come back all at once. */
function pauseAfter(failures: number, retryAfter = 0): number {
  const longest = Math.min(1000 * 2 ** failures, 30_000);
  // Timers take no more than 24 days.
  return Math.min(retryAfter * 1000, 86_400_000) + (longest * (1 + Math.random())) / 2;
}

/** Ends early when it is not waited for any more. */
function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function readData(data: string): Omit<Change, 'id'> {
  try {
    return JSON.parse(data) as Omit<Change, 'id'>;
  } catch {
    throw unexpectedAnswer(200);
  }
}

interface ServerEvent {
  id?: string;
  data?: string;
}

/** Server-sent events, as far as Frontdesk uses them. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw new FrontdeskError({}, undefined, cause);
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event: ServerEvent = {};
        for (const line of block.split('\n')) {
          const [, name, content = ''] = /^(id|data): (.*)$/.exec(line) ?? [];
          if (name === 'id' || name === 'data') event[name] = content;
        }
        yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
