// The changes of the lists, as the service announces them: what is shown of them is loaded again.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Frontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';
import { listChanged } from './queries.ts';
import { createStore } from '../shell/store.ts';
import { showError } from '../shell/toasts.ts';

/** By list, the id of its last change: grows also where a new day changes a list and its version stays. */
export const changeIds = createStore<Readonly<Record<string, number>>>({});

/** A renewal may bring other rights, and with them other lists. `rights` is undefined until they are known. */
export function useRights(rights: string | undefined): void {
  const client = useQueryClient();
  const known = useRef(rights);
  useEffect(() => {
    if (known.current !== undefined && known.current !== rights) void client.invalidateQueries();
    known.current = rights;
  }, [client, rights]);
}

/** Whether changes by others arrive. */
export function useChanges(desk: Frontdesk, isSignedIn: boolean): boolean {
  const client = useQueryClient();
  const [isConnected, setConnected] = useState(true);
  const [isHidden, setHidden] = useState(document.hidden);

  useEffect(() => {
    const follow = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);

  useEffect(() => {
    // Not in a hidden tab: a browser opens six connections to one address, for all of its tabs together.
    if (!isSignedIn || isHidden) return;
    const closing = new AbortController();
    // Something may have been missed before.
    void client.invalidateQueries();
    (async () => {
      const onState = (state: StreamState) => setConnected(state.isConnected);
      for await (const { list, id } of desk.changes({ signal: closing.signal, onState })) {
        changeIds.set({ ...changeIds.get(), [list]: id });
        listChanged(client, list);
      }
    })().catch((reason: unknown) => {
      // A session that is over has a dialog of its own.
      if (!(reason instanceof FrontdeskError && reason.status === 401)) showError(reason);
    });
    return () => closing.abort();
  }, [desk, client, isSignedIn, isHidden]);

  return isConnected;
}
