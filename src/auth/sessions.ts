// Which sessions have ended: in memory, so that a request is checked without waiting, and in the database, for restarts
// and other processes. Each is learned once, and forgotten when its last token has expired: some hundred bytes of memory
// for each that ended in the last TOKEN_TTL_SECONDS.
import { ownClockToleranceSeconds, tokenLifeSeconds } from '../config/token-times.ts';
import { readRevision } from '../storage/revisions.ts';
import type { Db } from '../storage/storage.ts';
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
import { secondsBefore } from './time.ts';

export interface Sessions {
  hasEnded(sid: string): boolean;
  /** Ends these sessions, and returns which were ended. */
  end(choice: SessionChoice, audit: EndingAudit): Promise<EndedSession[]>;
  /** The same, once for each token: false when it was used before. */
  endOnce(tokenHash: string, choice: SessionChoice, audit: EndingAudit): Promise<boolean>;
  /** Learns which have ended since the last time. */
  reload(): Promise<void>;
  /** Forgets those whose tokens have all expired. */
  forgetExpired(): Promise<void>;
}

interface SessionsOptions {
  db: Db;
  /** For reading what other processes ended, without waiting for writers. */
  reads: Db;
  now: () => Date;
}

/** How many are looked at before others have their turn. */
const sidsAtOnce = 10_000;

export async function loadSessions({ db, reads, now }: SessionsOptions): Promise<Sessions> {
  /** By its id, when the last token of a session expires, in milliseconds since 1970. */
  const ended = new Map<string, number>();
  /** Of the topic: all that ended up to it are known. */
  let known = 0;

  function remember(marks: readonly EndedMark[]): void {
    for (const { sid, tokensEnd } of marks) ended.set(sid, Date.parse(tokensEnd));
  }
  /** Until when the tokens of one that ends now may last is not known here: not longer than this. */
  const latestEnd = ({ expiresAt }: Pick<EndedSession, 'expiresAt'>) => Date.parse(expiresAt);

  async function loadAll(): Promise<void> {
    const revision = await readRevision(reads, 'sessions');
    // Tokens past their expiry are refused anyway, except for the tolerance between clocks.
    const since = secondsBefore(now(), ownClockToleranceSeconds);
    for await (const page of readEndedSessions(reads, since)) remember(page);
    known = revision;
  }

  async function reload(): Promise<void> {
    const revision = await readRevision(reads, 'sessions');
    // The database went back to a backup: revision numbers cannot tell which of them have ended there.
    if (revision < known) return loadAll();
    for await (const page of readEndedSince(reads, known)) remember(page);
    known = revision;
  }

  await loadAll();
  return {
    hasEnded: (sid) => ended.has(sid),
    async end(choice, audit) {
      // A repeated logout writes nothing, so it cannot slow down other requests.
      if ('sid' in choice && ended.has(choice.sid)) return [];
      const sessions = await endSessions(db, choice, audit, now());
      for (const session of sessions) ended.set(session.sid, latestEnd(session));
      // Another process may have ended it first: then it is not in the result, and the next poll brings its end.
      if ('sid' in choice && !ended.has(choice.sid))
        ended.set(choice.sid, now().getTime() + tokenLifeSeconds.longest * 1000);
      return sessions;
    },
    async endOnce(tokenHash, choice, audit) {
      const sessions = await endSessionsOnce(db, tokenHash, choice, audit, now());
      for (const session of sessions ?? []) ended.set(session.sid, latestEnd(session));
      return sessions !== undefined;
    },
    reload,
    async forgetExpired() {
      const since = secondsBefore(now(), ownClockToleranceSeconds).getTime();
      let looked = 0;
      for (const [sid, tokensEnd] of ended) {
        if (tokensEnd < since) ended.delete(sid);
        if (++looked % sidsAtOnce === 0) await Bun.sleep(0);
      }
    },
  };
}
