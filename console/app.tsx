// The console: the person's profile, a preview form, and the lists for those who manage them.
import { useEffect, useState } from 'react';
import type { CurrentUser, SessionStatus } from '../client/src/index.ts';
import { FrontdeskProvider } from '../client/src/react.ts';
import { listNamePattern } from './data/patterns.ts';
import { useChanges } from './data/use-changes.ts';
import { useSignIn } from './data/use-sign-in.ts';
import { ListPage } from './pages/list.tsx';
import { ListsPage } from './pages/lists.tsx';
import { PreviewForm } from './pages/preview-form.tsx';
import { Picture, Profile } from './pages/profile.tsx';
import { SessionsPage } from './pages/sessions.tsx';
import { Starting, Welcome } from './pages/welcome.tsx';
import { SessionDialog, StrengthDialog } from './panels/session-dialogs.tsx';
import { ErrorNote } from './parts/parts.tsx';

const listName = new RegExp(`^${listNamePattern}$`);

export function App() {
  const signIn = useSignIn();
  const { base, desk, admin, sessions, session, me, mayKeep, error, setError, question } = signIn;
  const isOver = session.status === 'signed-out';
  const isWatching = me !== undefined && !isOver;
  const { versions, changeIds, epoch, isConnected } = useChanges(desk, isWatching, setError);
  const [, section = '', name = ''] = useHash().split('/');
  const signOut = () => void desk.signOut();

  function page(person: CurrentUser) {
    if (section === '') return <Profile me={person} />;
    if (section === 'sessions') return <SessionsPage sessions={sessions} epoch={epoch} onSignOut={signOut} />;
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
        {me !== undefined && (
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
              <a href="#/sessions" title="Your sessions" aria-current={section === 'sessions' ? 'page' : undefined}>
                <Picture me={me} size={28} />
                <bdi>{me.givenName || me.name}</bdi>
              </a>
              <button type="button" onClick={signOut}>
                Sign out
              </button>
            </div>
          </>
        )}
      </header>
      <main>
        <ErrorNote error={error} onClose={() => setError(undefined)} />
        {me === undefined && isOver && <Welcome onSignIn={signIn.signIn} />}
        {me === undefined && !isOver && <Starting hasFailed={error !== undefined} onRetry={signIn.retry} />}
        {me !== undefined && page(me)}
      </main>
      <footer>
        <a href="docs">API docs</a>
        {isWatching && <span role="status">{connectionNote(session.status, isConnected)}</span>}
      </footer>
      {me !== undefined && question !== undefined && (
        <StrengthDialog
          desk={desk}
          me={me}
          base={base}
          challenge={question.challenge}
          signIns={session.signIns}
          onAnswer={question.answer}
        />
      )}
      {me !== undefined && isOver && <SessionDialog desk={desk} me={me} base={base} reason={session.reason} />}
    </FrontdeskProvider>
  );
}

/** What does not work at the moment, and is tried again. */
function connectionNote(status: SessionStatus, isConnected: boolean): string {
  if (status === 'reconnecting') return 'Your session could not be renewed yet: trying again…';
  return isConnected ? '' : 'Changes by others are not shown: reconnecting…';
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
