// Keeps track of who is signed in: after loading, after the session has expired, and after a sign-in in a new window.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import {
  type Challenge,
  type CurrentUser,
  createFrontdesk,
  type Frontdesk,
  FrontdeskError,
} from '../../client/src/index.ts';
import { createApi, type Permissions } from './api.ts';

/** The address of this page with a trailing slash. It may contain a path that a proxy has added. */
const base = new URL('.', location.href).href;

/** A change waiting for a stronger sign-in. */
interface StrengthQuestion {
  challenge: Challenge;
  answer: (isSignedIn: boolean) => void;
}

export function useSignIn() {
  const [error, setError] = useState<unknown>();
  /** Kept while the user has to sign in again, so that the page and its input stay. */
  const [person, setPerson] = useState<{ me: CurrentUser; permissions: Permissions }>();
  const [question, setQuestion] = useState<StrengthQuestion>();
  const { desk, api } = useMemo(() => {
    const created = createFrontdesk({ baseUrl: base, redirectUri: base });
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
      // The page is already loaded. Only the fragment has to change, because it names what is shown.
      const onReturn = (path: string) => {
        location.hash = new URL(path, base).hash;
      };
      await desk.completeSignIn({ onReturn });
    } catch (reason) {
      setError(reason);
    }
    await desk.resume().catch(setError);
  }, [desk]);

  useEffect(() => {
    if (!forwardToApiPage()) void start();
  }, [start]);

  // Loads the user and permissions again after each renewal, since the roles may have changed.
  useEffect(() => {
    if (session.renewedAt > 0) void enter();
  }, [enter, session.renewedAt]);

  const retry = () => void (session.status === 'starting' ? start() : enter());
  return { base, desk, api, session, person, error, question, signIn: () => void desk.signIn(), retry };
}

/** The API page's sign-in returns here, because this is the address registered with the provider. */
function forwardToApiPage(): boolean {
  const query = new URLSearchParams(location.search);
  const isForApiPage = sessionStorage.getItem('frontdesk.api-page') !== null;
  sessionStorage.removeItem('frontdesk.api-page');
  if (!isForApiPage || !(query.has('code') || query.has('error'))) return false;
  location.replace(`docs${location.search}`);
  return true;
}

/** Resolves to true after the user has signed in as required, to false if the user cancels. */
type AskForSignIn = (challenge: Challenge) => Promise<boolean>;

/**
 * Maximum number of sign-in windows for one request: if two sign-ins did not meet the challenge, a third would not
 * either.
 */
const maxWindows = 2;

/** A request that needs a new sign-in waits for it, and is then sent again as the same person. */
function createRequestWithSignIn(desk: Frontdesk, ask: AskForSignIn): Frontdesk['request'] {
  let asking: Promise<boolean> | undefined;
  /** Concurrent changes share one window. */
  function askOnce(challenge: Challenge): Promise<boolean> {
    asking ??= ask(challenge).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return async (path, init) => {
    for (let windows = 0; ; ) {
      try {
        return await desk.request(path, init);
      } catch (error) {
        if (!(error instanceof FrontdeskError) || error.status !== 401) throw error;
        if (error.challenge !== undefined && windows++ < maxWindows && (await askOnce(error.challenge))) continue;
        // If the user is signed out, a dialog asks them to sign in again. In any other case, the error is thrown.
        if (desk.session().status !== 'signed-out') throw error;
        await signedIn(desk);
      }
    }
  };
}

/** Resolves after the same person has signed in: the client refuses the token of a different person. */
function signedIn(desk: Frontdesk): Promise<void> {
  return new Promise((resolve) => {
    const stop = desk.subscribe(() => {
      if (desk.session().status !== 'signed-in') return;
      stop();
      resolve();
    });
  });
}
