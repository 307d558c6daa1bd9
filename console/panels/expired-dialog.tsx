import { Dialog, ErrorNote } from '../parts/parts.tsx';

interface ExpiredDialogProps {
  error: unknown;
  isBlocked: boolean;
  onSignIn: () => void;
  onSignOut: () => void;
}

export function ExpiredDialog({ error, isBlocked, onSignIn, onSignOut }: ExpiredDialogProps) {
  return (
    <Dialog title="Your session has expired" onClose={() => {}} isFirm>
      <p>It expired, or it was ended somewhere else. Sign in again to continue: what you typed is still here.</p>
      <ErrorNote error={error} />
      {isBlocked && (
        <p className="fault">Your browser blocked the window. Allow pop-ups for this page and try again.</p>
      )}
      <p className="row">
        <button type="button" className="primary" onClick={onSignIn}>
          Sign in again
        </button>
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </p>
    </Dialog>
  );
}
