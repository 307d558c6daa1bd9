// Follows the service's stream of changes, and reloads the data that each change affects.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Frontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';
import { createStore } from '../shell/store.ts';
import { showError } from '../shell/toasts.ts';
import { listChanged } from './queries.ts';

/**
 * The ID of the last change of each list. The ID also grows when a new day changes which values a list offers, although
 * its version stays the same.
 */
export const changeIds = createStore<Readonly<Record<string, number>>>({});

/** Reloads all data if renewing the session has changed the user's rights. `rights` is undefined until they are known. */
export function useRights(rights: string | undefined): void {
  const client = useQueryClient();
  const known = useRef(rights);
  useEffect(() => {
    if (known.current !== undefined && known.current !== rights) void client.invalidateQueries();
    known.current = rights;
  }, [client, rights]);
}

/** Follows the stream while the user is signed in. Returns true while the stream is connected. */
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
    // Hidden tabs close the stream: a browser opens at most six connections to one host, shared by all tabs.
    if (!isSignedIn || isHidden) return;
    const closing = new AbortController();
    // Changes may have been missed while the stream was closed.
    void client.invalidateQueries();
    (async () => {
      const onState = (state: StreamState) => setConnected(state.isConnected);
      for await (const { list, id } of desk.changes({ signal: closing.signal, onState })) {
        changeIds.set({ ...changeIds.get(), [list]: id });
        listChanged(client, list);
      }
    })().catch((reason: unknown) => {
      // For an expired session, the session dialog is shown instead.
      if (!(reason instanceof FrontdeskError && reason.status === 401)) showError(reason);
    });
    return () => closing.abort();
  }, [desk, client, isSignedIn, isHidden]);

  return isConnected;
}
