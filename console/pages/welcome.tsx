// Before anybody is signed in.
import { Waiting } from '../parts/parts.tsx';

/** Whether somebody is signed in is not known yet, or the request failed. */
export function Starting({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  if (!hasFailed) return <Waiting what="One moment…" />;
  return (
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  );
}

export function Welcome({ onSignIn }: { onSignIn: () => void }) {
  return (
    <section className="card welcome">
      <h1>The front desk of your employee applications</h1>
      <p>
        Sign in with your company account to see your own details, to try the lists that employee forms are filled from,
        and to manage them if you have permission.
      </p>
      <p className="row">
        <button type="button" className="primary" onClick={onSignIn}>
          Sign in
        </button>
      </p>
      <p className="quiet">
        For developers: the <a href="docs">API docs</a> have the contract and let you try every request.
      </p>
    </section>
  );
}
