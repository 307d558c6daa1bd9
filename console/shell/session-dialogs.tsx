// What is asked when a session is over, or a change needs a stronger sign-in. What was typed stays below.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Challenge, CurrentUser, Frontdesk, SignedOutReason, SignInOptions } from '../../client/src/index.ts';
import { mayLeave } from './unsaved.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { sessionTexts } from './session.ts';
import { shared } from '../parts/texts.ts';

interface SignInAgain {
  desk: Frontdesk;
  me: CurrentUser;
  /** The console's own address. */
  base: string;
}

/** Opens the window, and shows when that or the sign-in in it failed. */
function usePopup({ desk, me, base }: SignInAgain) {
  const [isBlocked, setBlocked] = useState(false);
  // Not by the result: a window that seemed to be closed may still be used, and what fails in it then is told as well.
  const { signInError } = useSyncExternalStore(desk.subscribe, desk.session);
  const [known, setKnown] = useState(signInError);
  const error = signInError === known ? undefined : signInError;
  const open = async (options: SignInOptions = {}) => {
    const hint = me.email === '' ? {} : { loginHint: me.email };
    setKnown(desk.session().signInError);
    const result = await desk.signIn({ popup: true, returnTo: base, ...hint, ...options });
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

const texts = {
  ended: [sessionTexts.expired, sessionTexts.continueText],
  'other-tab': [sessionTexts.otherTab, sessionTexts.continueText],
  'other-person': [sessionTexts.otherPerson, sessionTexts.otherPersonText],
} as const;

/** Shows nothing after a sign-out on this page. */
export function SessionDialog({ reason, ...again }: SignInAgain & { reason: SignedOutReason | undefined }) {
  const { open, note } = usePopup(again);
  const signOut = async () => {
    if (await mayLeave()) await again.desk.signOut();
  };
  if (reason !== 'ended' && reason !== 'other-tab' && reason !== 'other-person') return null;
  const [title, text] = texts[reason];
  const isOther = reason === 'other-person';
  return (
    // After a sign-out, and for another person, the page must not be readable.
    <Dialog key={reason} title={title} onClose={() => {}} isFirm hidesPage={reason !== 'ended'}>
      <p>{text}</p>
      {note}
      <Actions>
        {reason === 'ended' && <Button onPress={() => void signOut()}>{shared.signOut}</Button>}
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
  /** How often somebody has signed in. */
  signIns: number;
  onAnswer: (isSignedIn: boolean) => void;
}

/** Opens the window at once: browsers allow that shortly after a click, which the change began with. */
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
