// Remembers which sessions have ended: in memory, so that requests are checked without waiting, and in the database, for
// restarts and other processes. An ended session is loaded once, takes about a hundred bytes of memory, and is forgotten
// when its last token has expired.
import { secondsBefore } from '../../base/time.ts';
import { ownClockToleranceSeconds, tokenLifeSeconds } from '../../config/token-times.ts';
import { readRevision } from '../../storage/revisions.ts';
import type { Db } from '../../storage/storage.ts';
import {
  type EndedMark,
  type EndedSession,
  type EndingAudit,
  endSessions,
  endSessionsOnce,
  readEndedSessions,
  readEndedSince,
  type SessionChoice,
} from './session.queries.ts';

interface SessionsOptions {
  db: Db;
  /** Reads the sessions that other processes ended, without waiting for writers. */
  reads: Db;
  now: () => Date;
}

/** Number of sessions to check before other work may run. */
const sidsAtOnce = 10_000;

export type Sessions = Awaited<ReturnType<typeof loadSessions>>;

export async function loadSessions({ db, reads, now }: SessionsOptions) {
  /** When the last token of each ended session expires, by session ID, in milliseconds since 1970. */
  const ended = new Map<string, number>();
  /** The revision up to which all ended sessions are known. */
  let known = 0;

  function remember(marks: readonly EndedMark[]): void {
    for (const { sid, tokensEnd } of marks) ended.set(sid, Date.parse(tokensEnd));
  }
  /**
   * The absolute end of the session: an upper bound, used because the expiry of the session's last token is not known here.
   */
  const latestEnd = ({ expiresAt }: Pick<EndedSession, 'expiresAt'>) => Date.parse(expiresAt);

  async function loadAll(): Promise<void> {
    const revision = await readRevision(reads, 'sessions');
    // Other ended sessions are not needed: their tokens have expired, even with the tolerance between clocks.
    const since = secondsBefore(now(), ownClockToleranceSeconds);
    for await (const page of readEndedSessions(reads, since)) remember(page);
    known = revision;
  }

  /** Loads the sessions that have ended since the last call. */
  async function reload(): Promise<void> {
    const revision = await readRevision(reads, 'sessions');
    // The database was restored from a backup, so revision numbers cannot tell which sessions have ended.
    if (revision < known) return loadAll();
    for await (const page of readEndedSince(reads, known)) remember(page);
    known = revision;
  }

  await loadAll();
  return {
    hasEnded: (sid: string) => ended.has(sid),
    /** Ends these sessions, and returns those that were still open. */
    async end(choice: SessionChoice, audit: EndingAudit): Promise<EndedSession[]> {
      // A repeated logout writes nothing, so it cannot slow down other requests.
      if ('sid' in choice && ended.has(choice.sid)) return [];
      const sessions = await endSessions(db, choice, audit, now());
      for (const session of sessions) ended.set(session.sid, latestEnd(session));
      // If another process ended this session first, it is not in the result. The mark then lasts for the longest possible
      // life of a token, until the next poll replaces it with the exact time.
      if ('sid' in choice && !ended.has(choice.sid))
        ended.set(choice.sid, now().getTime() + tokenLifeSeconds.longest * 1000);
      return sessions;
    },
    /** Like `end`, but works only once for each token. Returns false if the token was used before. */
    async endOnce(tokenHash: string, choice: SessionChoice, audit: EndingAudit): Promise<boolean> {
      const sessions = await endSessionsOnce(db, tokenHash, choice, audit, now());
      for (const session of sessions ?? []) ended.set(session.sid, latestEnd(session));
      return sessions !== undefined;
    },
    reload,
    /** Forgets the sessions whose tokens have all expired. */
    async forgetExpired(): Promise<void> {
      const since = secondsBefore(now(), ownClockToleranceSeconds).getTime();
      let looked = 0;
      for (const [sid, tokensEnd] of ended) {
        if (tokensEnd < since) ended.delete(sid);
        if (++looked % sidsAtOnce === 0) await Bun.sleep(0);
      }
    },
  };
}
