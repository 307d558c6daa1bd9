// The console: who you are, a form to try, and the lists for those who keep them.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type CurrentUser, createFrontdesk, FrontdeskError, type StreamState } from '../client/src/index.ts';
import { FrontdeskProvider } from '../client/src/react.ts';
import { createAdmin } from './data/admin.ts';
import { listNamePattern } from './data/patterns.ts';
import { ListPage } from './pages/list.tsx';
import { ListsPage } from './pages/lists.tsx';
import { TryIt } from './pages/preview-form.tsx';
import { Picture, TimeLeft, You } from './pages/profile.tsx';
import { Dialog, ErrorNote, Waiting } from './parts/parts.tsx';

type Stage = 'starting' | 'out' | 'in';

/** Where this page is, with a slash at its end: a proxy may have put a path before it. */
const base = new URL('.', location.href).href;
/** In the sessionStorage of a window that is there for signing in alone. */
const popupMark = 'frontdesk.popup';
/** Hands a sign-in in a window beside this one over to it. */
const windows = new BroadcastChannel(`frontdesk ${base}`);
const listName = new RegExp(`^${listNamePattern}$`);

export function App() {
  const [stage, setStage] = useState<Stage>('starting');
  const [hasExpired, setExpired] = useState(false);
  const [error, setError] = useState<unknown>();
  const [me, setMe] = useState<CurrentUser>();
  const [mayKeep, setMayKeep] = useState(false);
  const [versions, setVersions] = useState<Record<string, number>>({});
  /** By list: the id of its last change. That grows also where a new day changes what forms see of a version. */
  const [news, setNews] = useState<Record<string, number>>({});
  const [hash, setHash] = useState(location.hash);
  /** Grows whenever something may have been missed. */
  const [epoch, setEpoch] = useState(0);
  const [isHidden, setHidden] = useState(document.hidden);
  const [isBlocked, setBlocked] = useState(false);
  const [isWatching, setWatching] = useState(true);
  const desk = useMemo(
    () => createFrontdesk({ baseUrl: base, storage: sessionStorage, onSignedOut: () => setExpired(true) }),
    [],
  );
  const admin = useMemo(() => createAdmin(desk), [desk]);

  const enter = useCallback(async () => {
    try {
      const person = await desk.me();
      // Whoever may not see them is refused: the one who knows is the service.
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
      setEpoch((before) => before + 1);
      setStage('in');
    } catch (reason) {
      setError(reason);
      // Whoever was in stays, with what they typed.
      setStage((before) => (before === 'in' ? 'in' : 'out'));
    }
  }, [desk, admin]);

  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const isAnswer = query.has('code') || query.has('error');
    const isForApiPage = sessionStorage.getItem('frontdesk.api-page') !== null;
    sessionStorage.removeItem('frontdesk.api-page');
    if (isForApiPage && isAnswer) {
      // The API page's sign-in comes back here, since this is the address the provider knows.
      location.replace(`docs${location.search}`);
      return;
    }
    desk
      .completeSignIn()
      .then((isDone) => {
        if (!isDone) return;
        if (sessionStorage.getItem(popupMark) !== null) {
          windows.postMessage(sessionStorage.getItem('frontdesk'));
          window.close();
        }
        // Where they were before they left for the sign-in.
        location.hash = sessionStorage.getItem('frontdesk.place') ?? '';
        sessionStorage.removeItem('frontdesk.place');
      })
      .catch(setError)
      .then(() => (desk.isSignedIn() ? enter() : setStage('out')));
    const follow = () => setHash(location.hash);
    const look = () => setHidden(document.hidden);
    addEventListener('hashchange', follow);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('hashchange', follow);
      document.removeEventListener('visibilitychange', look);
    };
  }, [desk, enter]);

  useEffect(() => {
    // Only while this one waits for it: nobody is signed in by what another window says.
    windows.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || !hasExpired) return;
      sessionStorage.setItem('frontdesk', data);
      if (!desk.resume()) return;
      setExpired(false);
      setBlocked(false);
      void enter();
    };
  }, [desk, enter, hasExpired]);

  useEffect(() => {
    // Not for a tab that nobody sees: a browser gives one address six connections, for all of its tabs together.
    if (stage !== 'in' || hasExpired || isHidden) return;
    const leaving = new AbortController();
    setEpoch((before) => before + 1);
    (async () => {
      const onState = ({ isConnected }: StreamState) => setWatching(isConnected);
      for await (const { list, version, id } of desk.changes({ signal: leaving.signal, onState })) {
        setVersions((before) => ({ ...before, [list]: version }));
        setNews((before) => ({ ...before, [list]: id }));
      }
    })().catch((reason: unknown) => {
      // A sign-in that is over is told by onSignedOut.
      if (!(reason instanceof FrontdeskError && reason.status === 401)) setError(reason);
    });
    return () => leaving.abort();
  }, [desk, stage, hasExpired, isHidden]);

  const [, section = '', name = ''] = hash.split('/');
  return (
    <FrontdeskProvider value={desk}>
      <header className="top">
        <a className="brand" href="#/">
          <img src="docs/icon.svg" alt="" width="28" height="28" /> Frontdesk
        </a>
        {stage === 'in' && me !== undefined && (
          <>
            <nav aria-label="Main">
              <NavLink to="#/" isHere={section === ''}>
                You
              </NavLink>
              <NavLink to="#/try" isHere={section === 'try'}>
                Try it
              </NavLink>
              {mayKeep && (
                <NavLink to="#/lists" isHere={section === 'lists'}>
                  Lists
                </NavLink>
              )}
            </nav>
            <div className="who">
              <Picture me={me} size={28} />
              <bdi>{me.givenName || me.name}</bdi>
              <button type="button" onClick={() => desk.signOut()}>
                Sign out
              </button>
            </div>
          </>
        )}
      </header>
      <main>
        <ErrorNote error={error} onClose={() => setError(undefined)} />
        {stage === 'starting' && <Waiting what="One moment…" />}
        {stage === 'out' && (
          <Welcome
            onSignIn={() => {
              sessionStorage.setItem('frontdesk.place', location.hash);
              desk.signIn({ returnTo: base });
            }}
          />
        )}
        {stage === 'in' && me !== undefined && (
          <>
            {section === '' && <You me={me} expiresAt={desk.expiresAt()} />}
            {section === 'try' && <TryIt news={news} />}
            {section === 'lists' && mayKeep && name === '' && (
              <ListsPage admin={admin} versions={versions} epoch={epoch} />
            )}
            {section === 'lists' && mayKeep && listName.test(name) && (
              <ListPage key={name} admin={admin} name={name} newest={versions[name] ?? 0} epoch={epoch} />
            )}
            {(!['', 'try', 'lists'].includes(section) ||
              (section === 'lists' && name !== '' && !listName.test(name))) && (
              <p>
                There is nothing here. <a href="#/">Start again</a>
              </p>
            )}
            {section === 'lists' && !mayKeep && <p>Keeping lists needs a role that you do not have.</p>}
          </>
        )}
      </main>
      <footer>
        <a href="docs">API page</a>
        {stage === 'in' && !isWatching && <span role="status">Changes by others are not shown: reconnecting…</span>}
        {stage === 'in' && <TimeLeft until={desk.expiresAt()} />}
      </footer>
      {hasExpired && stage === 'in' && (
        <Dialog title="Your sign-in has ended" onClose={() => {}} isFirm>
          <p>It expired, or it was ended somewhere else. Sign in again to go on: what you typed is still here.</p>
          <ErrorNote error={error} />
          {isBlocked && (
            <p className="fault">Your browser did not open the window: allow pop-ups for this page, and try again.</p>
          )}
          <p className="row">
            <button
              type="button"
              className="primary"
              onClick={() => {
                const address = `auth/login?redirect_uri=${encodeURIComponent(base)}`;
                // A window begins with a copy of this one's. Its name would not last: Cross-Origin-Opener-Policy takes
                // the name away, and the opener, when the window goes to the provider and back.
                sessionStorage.setItem(popupMark, 'true');
                const opened = window.open(new URL(address, base), '_blank', 'popup,width=520,height=720');
                sessionStorage.removeItem(popupMark);
                setBlocked(opened === null);
              }}
            >
              Sign in again
            </button>
            <button type="button" onClick={() => location.assign(base)}>
              Leave
            </button>
          </p>
        </Dialog>
      )}
    </FrontdeskProvider>
  );
}

function NavLink({ to, isHere, children }: { to: string; isHere: boolean; children: string }) {
  return (
    <a href={to} aria-current={isHere ? 'page' : undefined}>
      {children}
    </a>
  );
}

function Welcome({ onSignIn }: { onSignIn: () => void }) {
  return (
    <section className="card welcome">
      <h1>The front desk of your employee applications</h1>
      <p>
        Sign in with your company account to see your own details, to try the lists that employee forms are filled from,
        and, if that is your job, to keep them.
      </p>
      <p className="row">
        <button type="button" className="primary" onClick={onSignIn}>
          Sign in
        </button>
      </p>
      <p className="quiet">
        You are a developer? The <a href="docs">API page</a> has the contract and lets you try every request.
      </p>
    </section>
  );
}
