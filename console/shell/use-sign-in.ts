// Who is signed in: on load, after a session has expired, and after a sign-in in a second window.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Challenge, type CurrentUser, createFrontdesk } from '../../client/src/index.ts';

import { createApi, type Permissions } from './api.ts';
import { createRequestWithSignIn } from './request-with-sign-in.ts';

/** The address of this page, with a trailing slash: a proxy may have added a path before it. */
const base = new URL('.', location.href).href;
/** In sessionStorage: the page that was shown before the sign-in. */
const placeKey = 'frontdesk.place';

/** A change that waits for a stronger sign-in. */
interface StrengthQuestion {
  challenge: Challenge;
  answer: (isSignedIn: boolean) => void;
}

export function useSignIn() {
  const [error, setError] = useState<unknown>();
  /** Stays while the person has to sign in again: so do the page and what they typed. */
  const [person, setPerson] = useState<{ me: CurrentUser; permissions: Permissions }>();
  const [question, setQuestion] = useState<StrengthQuestion>();
  const { desk, api } = useMemo(() => {
    const created = createFrontdesk({ baseUrl: base });
    const request = createRequestWithSignIn(created, (challenge) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setQuestion({ challenge, answer: resolve });
      return promise.finally(() => setQuestion(undefined));
    });
    return { desk: created, api: createApi(request) };
  }, []);
  const session = useSyncExternalStore(desk.subscribe, desk.session);

  const enter = useCallback(async () => {
    try {
      const [me, permissions] = await Promise.all([desk.me(), api.permissions()]);
      setPerson({ me, permissions });
      setError(undefined);
    } catch (reason) {
      setError(reason);
    }
  }, [desk, api]);

  const start = useCallback(async () => {
    try {
      if (await desk.completeSignIn()) {
        location.hash = sessionStorage.getItem(placeKey) ?? '';
        sessionStorage.removeItem(placeKey);
      }
    } catch (reason) {
      setError(reason);
    }
    await desk.resume().catch(setError);
  }, [desk]);

  useEffect(() => {
    if (!forwardToApiPage()) void start();
  }, [start]);

  // Again after each renewal, which may bring other roles.
  useEffect(() => {
    if (session.renewedAt > 0) void enter();
  }, [enter, session.renewedAt]);

  function signIn(): void {
    sessionStorage.setItem(placeKey, location.hash);
    void desk.signIn({ returnTo: base });
  }

  const retry = () => void (session.status === 'starting' ? start() : enter());
  return { base, desk, api, session, person, error, setError, question, signIn, retry };
}

/** A sign-in of the API page returns to this page, since this is the address registered at the provider. */
function forwardToApiPage(): boolean {
  const query = new URLSearchParams(location.search);
  const isForApiPage = sessionStorage.getItem('frontdesk.api-page') !== null;
  sessionStorage.removeItem('frontdesk.api-page');
  if (!isForApiPage || !(query.has('code') || query.has('error'))) return false;
  location.replace(`docs${location.search}`);
  return true;
}
