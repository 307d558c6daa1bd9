// Who is signed in: from the page's start, through an expired session, to a sign-in in a window beside it.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type CurrentUser, createFrontdesk, FrontdeskError } from '../../client/src/index.ts';
import { createAdmin } from './admin.ts';

/** Where this page is, with a slash at its end: a proxy may have put a path before it. */
const base = new URL('.', location.href).href;
/** In sessionStorage: marks a window that was opened only to sign in. */
const popupMark = 'frontdesk.popup';
/** In sessionStorage: the page that was shown before the sign-in. */
const placeKey = 'frontdesk.place';
/** In sessionStorage: where the client stores the sign-in. */
const clientKey = 'frontdesk';
/** Passes a sign-in from another window to this one. */
const windows = new BroadcastChannel(`frontdesk ${base}`);

export function useSignIn() {
  const [stage, setStage] = useState<'starting' | 'out' | 'in'>('starting');
  const [hasExpired, setExpired] = useState(false);
  const [isBlocked, setBlocked] = useState(false);
  const [error, setError] = useState<unknown>();
  const [me, setMe] = useState<CurrentUser>();
  const [mayKeep, setMayKeep] = useState(false);
  const desk = useMemo(
    () => createFrontdesk({ baseUrl: base, storage: sessionStorage, onSignedOut: () => setExpired(true) }),
    [],
  );
  const admin = useMemo(() => createAdmin(desk), [desk]);

  const enter = useCallback(async () => {
    try {
      const person = await desk.me();
      // The service decides who may manage lists: it answers 403 to others.
      const isAllowed = await admin.lists().then(
        () => true,
        (reason: unknown) => {
          if (reason instanceof FrontdeskError && reason.status === 403) return false;
          throw reason;
        },
      );
      setMe(person);
      setMayKeep(isAllowed);
      setError(undefined);
      setStage('in');
    } catch (reason) {
      setError(reason);
      // A person who was signed in keeps the page, and what they typed.
      setStage((before) => (before === 'in' ? 'in' : 'out'));
    }
  }, [desk, admin]);

  useEffect(() => {
    if (forwardToApiPage()) return;
    desk
      .completeSignIn()
      .then((isDone) => {
        if (!isDone) return;
        if (sessionStorage.getItem(popupMark) !== null) {
          windows.postMessage(sessionStorage.getItem(clientKey));
          window.close();
        }
        location.hash = sessionStorage.getItem(placeKey) ?? '';
        sessionStorage.removeItem(placeKey);
      })
      .catch(setError)
      .then(() => (desk.isSignedIn() ? enter() : setStage('out')));
  }, [desk, enter]);

  useEffect(() => {
    // Only while this window waits for it: no other window can sign anybody in here.
    windows.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || !hasExpired) return;
      sessionStorage.setItem(clientKey, data);
      if (!desk.resume()) return;
      setExpired(false);
      setBlocked(false);
      void enter();
    };
  }, [desk, enter, hasExpired]);

  function signIn(): void {
    sessionStorage.setItem(placeKey, location.hash);
    desk.signIn({ returnTo: base });
  }

  /** In a new window: what is typed in this one stays. */
  function signInAgain(): void {
    const address = `auth/login?redirect_uri=${encodeURIComponent(base)}`;
    // The new window starts with a copy of this sessionStorage. A name would not last: Cross-Origin-Opener-Policy removes
    // the name, and the opener, when the window goes to the provider and back.
    sessionStorage.setItem(popupMark, 'true');
    const opened = window.open(new URL(address, base), '_blank', 'popup,width=520,height=720');
    sessionStorage.removeItem(popupMark);
    setBlocked(opened === null);
  }

  const reload = () => location.assign(base);
  return { desk, admin, stage, me, mayKeep, error, setError, hasExpired, isBlocked, signIn, signInAgain, reload };
}

/** A sign-in of the API page comes back to this page, since this is the address the provider knows. */
function forwardToApiPage(): boolean {
  const query = new URLSearchParams(location.search);
  const isForApiPage = sessionStorage.getItem('frontdesk.api-page') !== null;
  sessionStorage.removeItem('frontdesk.api-page');
  if (!isForApiPage || !(query.has('code') || query.has('error'))) return false;
  location.replace(`docs${location.search}`);
  return true;
}
