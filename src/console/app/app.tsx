// The console: who you are, a form to try, and the lists for those who keep them.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type CurrentUser, createFrontdesk } from '../../../client/src/index.ts';
import { FrontdeskProvider } from '../../../client/src/react.ts';
import { createAdmin } from './admin.ts';
import { ListPage, ListsPage } from './lists.tsx';
import { Dialog, ErrorNote, Waiting } from './parts.tsx';
import { TryIt } from './try-it.tsx';
import { Picture, TimeLeft, You } from './you.tsx';

type Stage = 'starting' | 'out' | 'in';

/** Where this page is, with a slash at its end: a proxy may have put a path before it. */
const base = new URL('.', location.href).href;
const popupName = 'frontdesk-sign-in';
/** Tells this page's other windows of a sign-in. */
const windows = new BroadcastChannel('frontdesk');

export function App() {
  const [stage, setStage] = useState<Stage>('starting');
  const [hasExpired, setExpired] = useState(false);
  const [error, setError] = useState<unknown>();
  const [me, setMe] = useState<CurrentUser>();
  const [mayKeep, setMayKeep] = useState(false);
  const [versions, setVersions] = useState<Record<string, number>>({});
  const [hash, setHash] = useState(location.hash);
  const desk = useMemo(
    () => createFrontdesk({ baseUrl: base, storage: sessionStorage, onSignedOut: () => setExpired(true) }),
    [],
  );
  const admin = useMemo(() => createAdmin(desk), [desk]);

  const enter = useCallback(async () => {
    try {
      setMe(await desk.me());
      // Whoever may not see them is refused: the one who knows is the service.
      setMayKeep(
        await admin.lists().then(
          () => true,
          () => false,
        ),
      );
      setStage('in');
    } catch (reason) {
      setError(reason);
      setStage('out');
    }
  }, [desk, admin]);

  useEffect(() => {
    if (sessionStorage.getItem('frontdesk.api-page') !== null && location.search !== '') {
      // The API page's sign-in comes back here, since this is the address the provider knows.
      sessionStorage.removeItem('frontdesk.api-page');
      location.replace(`docs${location.search}`);
      return;
    }
    desk
      .completeSignIn()
      .then((isDone) => {
        if (isDone && window.name === popupName) {
          windows.postMessage(sessionStorage.getItem('frontdesk'));
          window.close();
        }
      })
      .catch(setError)
      .then(() => (desk.isSignedIn() ? enter() : setStage('out')));
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [desk, enter]);

  useEffect(() => {
    windows.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string' || desk.isSignedIn()) return;
      sessionStorage.setItem('frontdesk', data);
      if (!desk.resume()) return;
      setExpired(false);
      void enter();
    };
  }, [desk, enter]);

  useEffect(() => {
    if (stage !== 'in' || hasExpired) return;
    const leaving = new AbortController();
    (async () => {
      for await (const { list, version } of desk.changes({ signal: leaving.signal })) {
        setVersions((before) => ({ ...before, [list]: version }));
      }
    })().catch(() => {});
    return () => leaving.abort();
  }, [desk, stage, hasExpired]);

  async function signOut() {
    await desk.logout().catch(() => {});
    // And at the provider, so that somebody else can sign in there.
    location.assign(new URL('auth/logout', base));
  }

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
              <button type="button" onClick={signOut}>
                Sign out
              </button>
            </div>
          </>
        )}
      </header>
      <main>
        <ErrorNote error={error} onClose={() => setError(undefined)} />
        {stage === 'starting' && <Waiting what="One moment…" />}
        {stage === 'out' && <Welcome onSignIn={() => desk.signIn({ returnTo: base })} />}
        {stage === 'in' && me !== undefined && (
          <>
            {section === '' && <You me={me} expiresAt={desk.expiresAt()} />}
            {section === 'try' && <TryIt versions={versions} />}
            {section === 'lists' && mayKeep && name === '' && <ListsPage admin={admin} versions={versions} />}
            {section === 'lists' && mayKeep && name !== '' && (
              <ListPage key={name} admin={admin} name={name} newest={versions[name] ?? 0} />
            )}
            {!['', 'try', 'lists'].includes(section) && (
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
        {stage === 'in' && <TimeLeft until={desk.expiresAt()} />}
      </footer>
      {hasExpired && stage === 'in' && (
        <Dialog title="Your sign-in has ended" onClose={() => {}} isFirm>
          <p>It expired, or it was ended somewhere else. Sign in again to go on: what you typed is still here.</p>
          <p className="row">
            <button
              type="button"
              className="primary"
              onClick={() => {
                const address = `auth/login?redirect_uri=${encodeURIComponent(base)}`;
                window.open(new URL(address, base), popupName, 'popup,width=520,height=720');
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
