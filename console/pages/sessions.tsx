// Where the person is signed in, and ending it there.
import { useCallback, useEffect, useRef, useState } from 'react';
import { FrontdeskError, type OwnSession } from '../../client/src/index.ts';
import type { OwnSessions } from '../data/own-sessions.ts';
import { ErrorNote, moment, Waiting } from '../parts/parts.tsx';

interface SessionsPageProps {
  sessions: OwnSessions;
  /** Grows when something may have been missed. */
  epoch: number;
  onSignOut: () => void;
}

export function SessionsPage({ sessions, epoch, onSignOut }: SessionsPageProps) {
  const [list, setList] = useState<OwnSession[]>();
  const [error, setError] = useState<unknown>();
  const [status, setStatus] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const load = useCallback(
    () =>
      sessions.list().then((found) => {
        setList(found);
        setError(undefined);
      }, setError),
    [sessions],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new epoch is a reason to look again
  useEffect(() => void load(), [load, epoch]);

  async function end(session: OwnSession) {
    setStatus('');
    try {
      await sessions.end(session.id);
    } catch (reason) {
      // If it has ended meanwhile, nothing is left to do.
      if (!(reason instanceof FrontdeskError && reason.status === 404)) return setError(reason);
    }
    setStatus(`Session ended: ${nameOf(session)}`);
    // Its button, which had the focus, is removed.
    heading.current?.focus();
    await load();
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Your sessions
      </h1>
      <p className="quiet">Everywhere you are signed in. End a session that you do not know or no longer need.</p>
      <ErrorNote error={error} onClose={() => setError(undefined)} />
      <p className="status" role="status">
        {status}
      </p>
      {list === undefined && error === undefined && <Waiting what="Loading your sessions…" />}
      <ul className="sessions card">
        {list?.map((session) => (
          <li key={session.id} className="session">
            <div>
              <p>
                <strong>{nameOf(session)}</strong>
                {session.current && <span className="badge">This session</span>}
              </p>
              <p className="quiet">
                {session.address !== undefined && `${session.address} · `}Signed in {moment(session.openedAt)}
                <br />
                Last active {moment(session.lastSeenAt)} · ends {moment(session.endsAt)} at the latest
              </p>
            </div>
            {session.current ? (
              <button type="button" onClick={onSignOut}>
                Sign out here
              </button>
            ) : (
              <button type="button" aria-label={`End session: ${describe(session)}`} onClick={() => void end(session)}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const nameOf = ({ browser }: OwnSession) => browser ?? 'Unknown browser';
/** Distinguishes two sessions of one browser for screen readers. */
const describe = (session: OwnSession) => `${nameOf(session)}, signed in ${moment(session.openedAt)}`;
