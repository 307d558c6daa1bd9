// What a browser offers: ways to coordinate the tabs of an application, and events about the person. Node and Bun lack most of
// these features, and an open channel would keep their process running.

interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    act: (lock: unknown) => Promise<T>,
  ): Promise<T>;
}

type BrowserEvent = 'person' | 'focus' | 'online';

export interface Environment {
  /** Undefined if the browser has no Web Locks, for example on plain http. */
  locks: Locks | undefined;
  /** Sends to the other tabs of this origin, and passes what they send to `receive`. */
  openChannel(name: string, receive: (message: unknown) => void): (message: unknown) => void;
  /** Calls `onEvent` when the person uses this page (`person`) or returns to it (`focus`), and when the network is back. */
  watch(onEvent: (event: BrowserEvent) => void): void;
}

declare const sessionStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
declare const document: { hidden: boolean } | undefined;
declare const navigator: { locks?: Locks };
declare const addEventListener: (type: string, listener: () => void, options: object) => void;

/** The person uses the pointer or the keyboard, or scrolls. */
const personEvents = ['pointerdown', 'keydown', 'wheel'];

const browser: Environment = {
  get locks() {
    return navigator.locks;
  },
  openChannel(name, receive) {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: { data: unknown }) => receive(data);
    return (message) => channel.postMessage(message);
  },
  watch(onEvent) {
    const options = { capture: true, passive: true };
    for (const type of personEvents) addEventListener(type, () => onEvent('person'), options);
    addEventListener('online', () => onEvent('online'), options);
    addEventListener('visibilitychange', () => onEvent(document?.hidden ? 'person' : 'focus'), options);
    // Without `capture`, only the focus of the window is reported, because focus events of elements do not bubble.
    addEventListener('focus', () => onEvent('focus'), { passive: true });
  },
};

/** Reads a text that this tab keeps, even while it shows other sites. Null if pages may not store anything. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeTab(key: string, text?: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {}
}

const elsewhere: Environment = { locks: undefined, openChannel: () => () => {}, watch: () => {} };

export const detectEnvironment = (): Environment => (typeof document === 'undefined' ? elsewhere : browser);
