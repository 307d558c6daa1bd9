// The changes of the lists, as the service announces them.
import { useEffect, useState } from 'react';
import { type Frontdesk, FrontdeskError, type StreamState } from '../../client/src/index.ts';

export function useChanges(desk: Frontdesk, isSignedIn: boolean, onError: (error: unknown) => void) {
  const [versions, setVersions] = useState<Record<string, number>>({});
  /** By list, the id of its last change: grows also where a new day changes a list and its version stays. */
  const [changeIds, setChangeIds] = useState<Record<string, number>>({});
  /** Grows whenever an announcement may have been missed. */
  const [epoch, setEpoch] = useState(0);
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
    setEpoch((before) => before + 1);
    (async () => {
      const onState = (state: StreamState) => setConnected(state.isConnected);
      for await (const { list, version, id } of desk.changes({ signal: closing.signal, onState })) {
        setVersions((before) => ({ ...before, [list]: version }));
        setChangeIds((before) => ({ ...before, [list]: id }));
      }
    })().catch((reason: unknown) => {
      // A session that is over has a dialog of its own.
      if (!(reason instanceof FrontdeskError && reason.status === 401)) onError(reason);
    });
    return () => closing.abort();
  }, [desk, isSignedIn, isHidden, onError]);

  return { versions, changeIds, epoch, isConnected };
}
