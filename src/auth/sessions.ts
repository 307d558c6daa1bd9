// Which sessions have ended. Kept in memory, so that a request asks without waiting, and in the database, so that an
// ended session stays ended, here and everywhere.
import { ownClockToleranceSeconds } from '../config/token-times.ts';
import type { Db } from '../storage/storage.ts';
import {
  type EndingAudit,
  endSessions,
  endSessionsOnce,
  listEndedSessions,
  type SessionChoice,
  type SessionSummary,
} from './session.queries.ts';
import { secondsBefore } from './time.ts';

export interface Sessions {
  hasEnded(sid: string): boolean;
  /** Ends what is chosen, and tells which that were. */
  end(choice: SessionChoice, audit: EndingAudit): Promise<SessionSummary[]>;
  /** The same, once for each token: false when it was used before. */
  endOnce(tokenHash: string, choice: SessionChoice, audit: EndingAudit): Promise<boolean>;
  /** Reads them anew. */
  reload(): Promise<void>;
}

interface SessionsOptions {
  db: Db;
  /** For learning what others did, which must not wait for writers. */
  reads: Db;
  now: () => Date;
}

export async function loadSessions({ db, reads, now }: SessionsOptions): Promise<Sessions> {
  let ended = new Set<string>();
  /** Those that were ended here while the others are being read: that reading may not know them yet. */
  let meanwhile = new Set<string>();

  function remember(sid: string): void {
    ended.add(sid);
    meanwhile.add(sid);
  }

  async function reload(): Promise<void> {
    meanwhile = new Set();
    // Of sessions past their expiry the tokens have expired too, except for the tolerance between clocks.
    const since = secondsBefore(now(), ownClockToleranceSeconds);
    ended = new Set(await listEndedSessions(reads, since)).union(meanwhile);
  }

  await reload();
  return {
    hasEnded: (sid) => ended.has(sid),
    async end(choice, audit) {
      // Nothing to write: whoever repeats a logout, ever so often, costs nobody else anything.
      if ('sid' in choice && ended.has(choice.sid)) return [];
      const sessions = await endSessions(db, choice, audit, now());
      for (const { sid } of sessions) remember(sid);
      // Another process may have been faster: it has ended all the same.
      if ('sid' in choice) remember(choice.sid);
      return sessions;
    },
    async endOnce(tokenHash, choice, audit) {
      const sessions = await endSessionsOnce(db, tokenHash, choice, audit, now());
      for (const { sid } of sessions ?? []) remember(sid);
      return sessions !== undefined;
    },
    reload,
  };
}
