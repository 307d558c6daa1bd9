// Who is signed in: the access token, where it is stored, and when it expires.

export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A new object for each sign-in: whoever waits for an answer compares it to notice that another one has begun. */
export interface SignIn {
  token: string;
  /** When it expires, in milliseconds since 1970. */
  until: number;
}

const storageKey = 'frontdesk';

export type Session = ReturnType<typeof createSession>;

export function createSession(storage: TokenStorage | undefined, onSignedOut: (() => void) | undefined) {
  let signedIn = readStorage();
  let timer: ReturnType<typeof setTimeout> | undefined;
  watchExpiry();

  function readStorage(): SignIn | undefined {
    try {
      const found = JSON.parse(storage?.getItem(storageKey) ?? 'null') as SignIn | null;
      if (found !== null && found.until > Date.now()) return found;
      if (found !== null) storage?.removeItem(storageKey);
    } catch {
      // A storage that cannot be read counts as empty.
    }
    return undefined;
  }

  function change(next: SignIn | undefined): void {
    signedIn = next;
    watchExpiry();
  }

  function watchExpiry(): void {
    clearTimeout(timer);
    if (signedIn === undefined) return;
    timer = setTimeout(expire, signedIn.until - Date.now());
    // In Node and Bun, this timer must not keep the process running.
    (timer as { unref?: () => void }).unref?.();
  }

  /** Stores a new sign-in, or removes the current one. */
  function save(next: SignIn | undefined): void {
    const before = signedIn;
    change(next);
    try {
      if (next !== undefined) storage?.setItem(storageKey, JSON.stringify(next));
      // A token that another window has stored meanwhile stays.
      else if (readStorage()?.token === before?.token) storage?.removeItem(storageKey);
    } catch {
      // Without a storage that works, the sign-in lasts as long as this page.
    }
  }

  /** Calls `onSignedOut` once for each sign-in, however many requests are refused at the same time. */
  function expire(): void {
    if (signedIn === undefined) return;
    const found = readStorage();
    // Another window has signed in again.
    if (found !== undefined && found.token !== signedIn.token) {
      change(found);
      return;
    }
    save(undefined);
    onSignedOut?.();
  }

  /** Takes over what another window has stored. */
  function resume(): void {
    if (storage === undefined) return;
    const found = readStorage();
    if (found?.token !== signedIn?.token) change(found);
  }

  return { current: () => signedIn, save, expire, resume };
}
