// Follows the service's stream of changes, and reloads what they affect.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Frontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';
import { createStore } from '../shell/store.ts';
import { showError } from '../shell/toasts.ts';
import { listChanged } from './queries.ts';

/** The id of the last change by list. It also grows when a new day changes a list without a new version. */
export const changeIds = createStore<Readonly<Record<string, number>>>({});

/** A renewal may change the rights, and with them the lists. `rights` is undefined until they are known. */
export function useRights(rights: string | undefined): void {
  const client = useQueryClient();
  const known = useRef(rights);
  useEffect(() => {
    if (known.current !== undefined && known.current !== rights) void client.invalidateQueries();
    known.current = rights;
  }, [client, rights]);
}

/** True while the stream is connected. */
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
    // Closed in hidden tabs: a browser opens at most six connections to one host, for all of its tabs together.
    if (!isSignedIn || isHidden) return;
    const closing = new AbortController();
    // Changes may have been missed while it was closed.
    void client.invalidateQueries();
    (async () => {
      const onState = (state: StreamState) => setConnected(state.isConnected);
      for await (const { list, id } of desk.changes({ signal: closing.signal, onState })) {
        changeIds.set({ ...changeIds.get(), [list]: id });
        listChanged(client, list);
      }
    })().catch((reason: unknown) => {
      // An expired session has a dialog of its own.
      if (!(reason instanceof FrontdeskError && reason.status === 401)) showError(reason);
    });
    return () => closing.abort();
  }, [desk, client, isSignedIn, isHidden]);

  return isConnected;
}
