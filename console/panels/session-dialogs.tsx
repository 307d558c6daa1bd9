// What is asked when a session is over, or a change needs a stronger sign-in. What was typed stays below.
import { useEffect, useRef, useState } from 'react';
import type { Challenge, CurrentUser, Frontdesk, SignedOutReason, SignInOptions } from '../../client/src/index.ts';
import { Dialog, ErrorNote } from '../parts/parts.tsx';

interface SignInAgain {
  desk: Frontdesk;
  me: CurrentUser;
  /** The console's own address. */
  base: string;
}

/** Opens the window, and shows when that or the sign-in in it failed. */
function usePopup({ desk, me, base }: SignInAgain) {
  const [isBlocked, setBlocked] = useState(false);
  const [error, setError] = useState<unknown>();
  const open = async (options: SignInOptions = {}) => {
    const hint = me.email === '' ? {} : { loginHint: me.email };
    setError(undefined);
    const result = await desk.signIn({ popup: true, returnTo: base, ...hint, ...options });
    setBlocked(result === 'blocked');
    if (result === 'failed') setError(desk.session().signInError);
  };
  const note = isBlocked ? (
    <p className="fault" role="alert">
      Your browser blocked the window. Allow pop-ups for this page and try again.
    </p>
  ) : (
    <ErrorNote error={error} />
  );
  return { open, note };
}

const texts = {
  ended: ['Your session has expired', 'Sign in again to continue. What you typed is still here.'],
  'other-tab': ['You signed out in another tab', 'Sign in again to continue. What you typed is still here.'],
  'other-person': [
    'Another person signed in',
    'Somebody else signed in with this browser. Nothing you typed here was sent in their name.',
  ],
} as const;

/** Shows nothing after a sign-out on this page. */
export function SessionDialog({ reason, ...again }: SignInAgain & { reason: SignedOutReason | undefined }) {
  const { open, note } = usePopup(again);
  if (reason !== 'ended' && reason !== 'other-tab' && reason !== 'other-person') return null;
  const [title, text] = texts[reason];
  const isOther = reason === 'other-person';
  const leave = () => location.assign(again.base);
  return (
    // After a sign-out, and for another person, the page must not be readable.
    <Dialog key={reason} title={title} onClose={() => {}} isFirm hidesPage={reason !== 'ended'}>
      <p>{text}</p>
      {note}
      <p className="row">
        <button type="button" className="primary" onClick={() => open(isOther ? { prompt: 'select_account' } : {})}>
          {isOther ? `Sign in as ${again.me.name}` : 'Sign in again'}
        </button>
        {reason === 'ended' && (
          <button type="button" onClick={() => again.desk.signOut()}>
            Sign out
          </button>
        )}
        {reason === 'other-tab' && (
          <button type="button" onClick={leave}>
            Go to the start page
          </button>
        )}
        {isOther && (
          <button type="button" onClick={() => location.reload()}>
            Discard and continue as the other person
          </button>
        )}
      </p>
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
    <Dialog title="Confirm it’s you" onClose={() => onAnswer(false)}>
      <p>This change needs a stronger sign-in. Continue in the window that opened; your change is saved afterwards.</p>
      {note}
      <p className="row">
        <button type="button" className="primary" onClick={() => open(challenge)}>
          Open the window again
        </button>
        <button type="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
