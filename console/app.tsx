// The console: the person's profile, a preview form, and the lists for those who manage them.
import { useEffect, useState } from 'react';
import type { CurrentUser } from '../client/src/index.ts';
import { FrontdeskProvider } from '../client/src/react.ts';
import { listNamePattern } from './data/patterns.ts';
import { useChanges } from './data/use-changes.ts';
import { useSignIn } from './data/use-sign-in.ts';
import { ListPage } from './pages/list.tsx';
import { ListsPage } from './pages/lists.tsx';
import { PreviewForm } from './pages/preview-form.tsx';
import { Picture, Profile, TimeLeft } from './pages/profile.tsx';
import { Welcome } from './pages/welcome.tsx';
import { ExpiredDialog } from './panels/expired-dialog.tsx';
import { ErrorNote, Waiting } from './parts/parts.tsx';

const listName = new RegExp(`^${listNamePattern}$`);

export function App() {
  const signIn = useSignIn();
  const { desk, admin, stage, me, mayKeep, error, setError, hasExpired } = signIn;
  const { versions, changeIds, epoch, isConnected } = useChanges(desk, stage === 'in' && !hasExpired, setError);
  const [, section = '', name = ''] = useHash().split('/');

  function page(person: CurrentUser) {
    if (section === '') return <Profile me={person} expiresAt={desk.expiresAt()} />;
    if (section === 'try') return <PreviewForm changeIds={changeIds} />;
    if (section === 'lists' && !mayKeep) return <p>You don’t have permission to manage lists.</p>;
    if (section === 'lists' && name === '') return <ListsPage admin={admin} versions={versions} epoch={epoch} />;
    if (section === 'lists' && listName.test(name)) {
      return <ListPage key={name} admin={admin} name={name} newest={versions[name] ?? 0} epoch={epoch} />;
    }
    return (
      <p>
        Page not found. <a href="#/">Go home</a>
      </p>
    );
  }

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
                Profile
              </NavLink>
              <NavLink to="#/try" isHere={section === 'try'}>
                Preview form
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
        {stage === 'out' && <Welcome onSignIn={signIn.signIn} />}
        {stage === 'in' && me !== undefined && page(me)}
      </main>
      <footer>
        <a href="docs">API docs</a>
        {stage === 'in' && !isConnected && <span role="status">Changes by others are not shown: reconnecting…</span>}
        {stage === 'in' && <TimeLeft until={desk.expiresAt()} />}
      </footer>
      {hasExpired && stage === 'in' && (
        <ExpiredDialog
          error={error}
          isBlocked={signIn.isBlocked}
          onSignIn={signIn.signInAgain}
          onSignOut={signIn.reload}
        />
      )}
    </FrontdeskProvider>
  );
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return hash;
}

function NavLink({ to, isHere, children }: { to: string; isHere: boolean; children: string }) {
  return (
    <a href={to} aria-current={isHere ? 'page' : undefined}>
      {children}
    </a>
  );
}
