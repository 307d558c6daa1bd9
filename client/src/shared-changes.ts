// One stream of changes for all tabs of a browser. The tab with the lock reads it and sends each change to the others.
import type { Change, Frontdesk, StreamState } from './index.ts';
import { retryDelay, wait } from './retry.ts';

export interface ChangeWatcher {
  onChange(change: Change): void;
  /** Called when a stream begins, in this or another tab, because earlier changes may have been missed. */
  onGap(): void;
}

type Message = { change: Change } | { isGap: true };

/** How long the stream stays open without watchers, so that replacing one form with another does not close it. */
const lingerMs = 1000;

const watched = new WeakMap<Frontdesk, (watcher: ChangeWatcher) => () => void>();

/** Calls the watcher for each change, until the returned function is called. */
export function watchChanges(frontdesk: Frontdesk, watcher: ChangeWatcher): () => void {
  const watch = watched.get(frontdesk) ?? createWatch(frontdesk);
  watched.set(frontdesk, watch);
  return watch(watcher);
}

function createWatch({ baseUrl, environment, changes, isSignedIn, subscribe }: Frontdesk) {
  const name = `frontdesk changes ${baseUrl}`;
  const watchers = new Set<ChangeWatcher>();
  let reading: AbortController | undefined;
  const post = environment.openChannel(name, (message) => {
    if (isMessage(message)) tell(message);
  });
  subscribe(update);

  function tell(message: Message): void {
    for (const watcher of [...watchers]) {
      if ('change' in message) watcher.onChange(message.change);
      else watcher.onGap();
    }
  }

  function tellAllTabs(message: Message): void {
    tell(message);
    post(message);
  }

  /** Reads the stream, or waits for the lock, while there are watchers and someone is signed in. */
  function update(): void {
    if (watchers.size > 0 && isSignedIn()) {
      if (reading === undefined) {
        reading = new AbortController();
        void run(reading.signal);
      }
    } else {
      reading?.abort();
      reading = undefined;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      // Errors are ignored here, because loading the lists reports them. They may be temporary: a captive portal, for example,
      // answers with its own page.
      await readInTurn(signal, () => {
        failures = 0;
      }).catch(() => {});
      if (!signal.aborted) await wait(retryDelay(failures), signal);
    }
  }

  async function readInTurn(signal: AbortSignal, onConnected: () => void): Promise<void> {
    const { locks } = environment;
    // Without locks, each tab has its own stream.
    if (locks === undefined) return read(signal, onConnected, tell);
    let isMine = false;
    try {
      await locks.request(name, { signal }, () => {
        isMine = true;
        return read(signal, onConnected, tellAllTabs);
      });
    } catch (error) {
      if (isMine || signal.aborted) throw error;
      // Locks are not available here, as in a sandboxed frame.
      await read(signal, onConnected, tell);
    }
  }

  async function read(signal: AbortSignal, onConnected: () => void, send: (message: Message) => void): Promise<void> {
    let isFirst = true;
    const onState = ({ isConnected }: StreamState) => {
      if (!isConnected || !isFirst) return;
      isFirst = false;
      onConnected();
      send({ isGap: true });
    };
    for await (const change of changes({ signal, onState })) send({ change });
  }

  return (watcher: ChangeWatcher) => {
    watchers.add(watcher);
    update();
    return () => {
      watchers.delete(watcher);
      setTimeout(update, lingerMs);
    };
  };
}

/** Every script of this origin can post to the channel. */
function isMessage(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null) return false;
  const { change, isGap } = message as { change?: Partial<Change>; isGap?: unknown };
  return isGap === true || typeof change?.list === 'string';
}
