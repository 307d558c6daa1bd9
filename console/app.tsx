// The console: who is signed in, the navigation, and the page that the address names.
import { FrontdeskProvider } from '../client/src/react.ts';
import { ConsoleProvider } from './shell/console-context.ts';
import { mayLeave } from './shell/unsaved.ts';
import { useChanges, useRights } from './lists/use-changes.ts';
import { usePlace } from './shell/use-place.ts';
import { useSignIn } from './shell/use-sign-in.ts';
import { Starting, Welcome } from './pages/welcome/welcome-page.tsx';
import { ConflictDialog } from './lists/saving/conflict-dialog.tsx';
import { DiscardDialog } from './shell/discard-dialog.tsx';
import { SessionDialog, StrengthDialog } from './shell/session-dialogs.tsx';
import { CurrentPage } from './shell/current-page.tsx';
import { Shell } from './shell/shell.tsx';
import { Toasts } from './shell/toast-region.tsx';
import { shared } from './parts/texts.ts';

export function App() {
  const signIn = useSignIn();
  const { base, desk, api, session, person, error, question } = signIn;
  const isOver = session.status === 'signed-out';
  const isConnected = useChanges(desk, person !== undefined && !isOver);
  useRights(person && JSON.stringify([person.permissions, person.me.roles]));
  const place = usePlace();

  if (person === undefined) {
    if (isOver) return <Welcome error={error} onSignIn={signIn.signIn} />;
    return <Starting error={error} onRetry={signIn.retry} />;
  }
  const { me, permissions } = person;
  /** What does not work at the moment, and is tried again. */
  const status = session.status === 'reconnecting' ? shared.renewing : isConnected || isOver ? '' : shared.reconnecting;
  const signOut = async () => {
    if (await mayLeave()) await desk.signOut();
  };
  return (
    <FrontdeskProvider value={desk}>
      <ConsoleProvider value={{ desk, api, me, permissions }}>
        <Shell place={place} status={status} error={error} onSignOut={() => void signOut()}>
          <CurrentPage place={place} />
        </Shell>
        <ConflictDialog />
        <DiscardDialog />
        <Toasts />
      </ConsoleProvider>
      {question !== undefined && (
        <StrengthDialog
          desk={desk}
          me={me}
          base={base}
          challenge={question.challenge}
          signIns={session.signIns}
          onAnswer={question.answer}
        />
      )}
      {isOver && <SessionDialog desk={desk} me={me} base={base} reason={session.reason} />}
    </FrontdeskProvider>
  );
}
