// Dialogs for an expired session and for changes that need a stronger sign-in. The page behind the dialog keeps its
// input.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Challenge, CurrentUser, Frontdesk, SignedOutReason, SignInOptions } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { catalogue } from '../parts/catalogue.ts';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { shared } from '../parts/texts.ts';
import { ErrorNote } from './error-note.tsx';
import { shellTexts } from './texts.ts';

const sessionTexts = catalogue(
  {
    blocked: 'Your browser blocked the window. Allow pop-ups for this page and try again.',
    expired: 'Your session has expired',
    otherTab: 'You signed out in another tab',
    continueText: 'Sign in again to continue. What you typed is still here.',
    otherPerson: 'Another person signed in',
    otherPersonText: 'Someone else signed in with this browser. Nothing you typed here was sent in their name.',
    signInAs: (name: string) => `Sign in as ${name}`,
    signInAgain: 'Sign in again',
    startPage: 'Go to the home page',
    continueAsOther: 'Discard and continue as the other person',
    confirm: 'Confirm it’s you',
    confirmText:
      'This change needs a stronger sign-in. Continue in the window that opened. Your change will then be saved.',
    openAgain: 'Open the window again',
  },
  {
    blocked: 'Ihr Browser hat das Fenster blockiert. Erlauben Sie Pop-ups für diese Seite und versuchen Sie es erneut.',
    expired: 'Ihre Sitzung ist abgelaufen',
    otherTab: 'Sie haben sich in einem anderen Tab abgemeldet',
    continueText: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben sind noch da.',
    otherPerson: 'Eine andere Person hat sich angemeldet',
    otherPersonText:
      'Jemand anderes hat sich mit diesem Browser angemeldet. Ihre Eingaben auf dieser Seite wurden nicht im Namen dieser Person gesendet.',
    signInAs: (name: string) => `Als ${name} anmelden`,
    signInAgain: 'Erneut anmelden',
    startPage: 'Zur Startseite',
    continueAsOther: 'Verwerfen und als andere Person fortfahren',
    confirm: 'Bestätigen Sie Ihre Identität',
    confirmText:
      'Diese Änderung erfordert eine stärkere Anmeldung. Fahren Sie im geöffneten Fenster fort; danach wird Ihre Änderung gespeichert.',
    openAgain: 'Fenster erneut öffnen',
  },
);

interface SignInAgain {
  desk: Frontdesk;
  me: CurrentUser;
  /** The console's own address. */
  base: string;
}

/** Opens the sign-in window. `note` says that the window was blocked or that the sign-in failed. */
function usePopup({ desk, me }: SignInAgain) {
  const [isBlocked, setBlocked] = useState(false);
  // Read from the session rather than from signIn(), because a window that seemed closed may still be open, and its
  // sign-in may fail later.
  const { signInError } = useSyncExternalStore(desk.subscribe, desk.session);
  const [known, setKnown] = useState(signInError);
  const error = signInError === known ? undefined : signInError;
  const open = async (options: SignInOptions = {}) => {
    const hint = me.email === '' ? {} : { loginHint: me.email };
    setKnown(desk.session().signInError);
    const result = await desk.signIn({ popup: true, ...hint, ...options });
    setBlocked(result === 'blocked');
  };
  const note = isBlocked ? (
    <p className="fault" role="alert">
      {sessionTexts.blocked}
    </p>
  ) : (
    <ErrorNote error={error} />
  );
  return { open, note };
}

const reasons = {
  ended: [sessionTexts.expired, sessionTexts.continueText],
  'other-tab': [sessionTexts.otherTab, sessionTexts.continueText],
  'other-person': [sessionTexts.otherPerson, sessionTexts.otherPersonText],
} as const;

interface SessionDialogProps extends SignInAgain {
  reason: SignedOutReason | undefined;
  onSignOut: () => void;
}

/** Shows nothing if the user signed out on this page. */
export function SessionDialog({ reason, onSignOut, ...again }: SessionDialogProps) {
  const { open, note } = usePopup(again);
  if (reason !== 'ended' && reason !== 'other-tab' && reason !== 'other-person') return null;
  const [title, text] = reasons[reason];
  const isOther = reason === 'other-person';
  return (
    // The page is hidden if the user signed out in another tab, or if a different person signed in.
    <Dialog key={reason} title={title} onClose={() => {}} isFirm hidesPage={reason !== 'ended'}>
      <p>{text}</p>
      {note}
      <Actions>
        {reason === 'ended' && <Button onPress={onSignOut}>{shellTexts.signOut}</Button>}
        {reason === 'other-tab' && (
          <Button onPress={() => location.assign(again.base)}>{sessionTexts.startPage}</Button>
        )}
        {isOther && <Button onPress={() => location.reload()}>{sessionTexts.continueAsOther}</Button>}
        <Button look="primary" onPress={() => void open(isOther ? { prompt: 'select_account' } : {})}>
          {isOther ? sessionTexts.signInAs(again.me.name) : sessionTexts.signInAgain}
        </Button>
      </Actions>
    </Dialog>
  );
}

interface StrengthDialogProps extends SignInAgain {
  challenge: Challenge;
  /** Number of sign-ins so far. */
  signIns: number;
  onAnswer: (isSignedIn: boolean) => void;
}

/** Opens the window immediately: browsers allow this shortly after a click, here the click that started the change. */
export function StrengthDialog({ challenge, signIns, onAnswer, ...again }: StrengthDialogProps) {
  const { open, note } = usePopup(again);
  const [before] = useState(signIns);
  const hasOpened = useRef(false);
  useEffect(() => {
    if (hasOpened.current) return;
    hasOpened.current = true;
    void open(challenge);
  });
  useEffect(() => {
    if (signIns > before && again.desk.isSignedIn()) onAnswer(true);
  }, [signIns, before, again.desk, onAnswer]);
  return (
    <Dialog title={sessionTexts.confirm} onClose={() => onAnswer(false)}>
      <p>{sessionTexts.confirmText}</p>
      {note}
      <Actions>
        <Button onPress={() => onAnswer(false)}>{shared.cancel}</Button>
        <Button look="primary" onPress={() => void open(challenge)}>
          {sessionTexts.openAgain}
        </Button>
      </Actions>
    </Dialog>
  );
}
