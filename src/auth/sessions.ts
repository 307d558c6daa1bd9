// Which sessions have ended: in memory, so that a request is checked without waiting, and in the database, for restarts
// and other processes.
import { ownClockToleranceSeconds } from '../config/token-times.ts';
import type { Db } from '../storage/storage.ts';
import {
  type EndedSession,
  type EndingAudit,
  endSessions,
  endSessionsOnce,
  listEndedSessions,
  type SessionChoice,
} from './session.queries.ts';
import { secondsBefore } from './time.ts';

export interface Sessions {
  hasEnded(sid: string): boolean;
  /** Ends these sessions, and returns which were ended. */
  end(choice: SessionChoice, audit: EndingAudit): Promise<EndedSession[]>;
  /** The same, once for each token: false when it was used before. */
  endOnce(tokenHash: string, choice: SessionChoice, audit: EndingAudit): Promise<boolean>;
  /** Reads the ended sessions from the database again. */
  reload(): Promise<void>;
}

interface SessionsOptions {
  db: Db;
  /** For reading what other processes ended, without waiting for writers. */
  reads: Db;
  now: () => Date;
}

export async function loadSessions({ db, reads, now }: SessionsOptions): Promise<Sessions> {
  let ended = new Set<string>();
  /** Ended here during a reload, whose result may not have them yet. */
  let endedDuringReload = new Set<string>();

  function remember(sid: string): void {
    ended.add(sid);
    endedDuringReload.add(sid);
  }

  async function reload(): Promise<void> {
    endedDuringReload = new Set();
    // Tokens past their expiry are refused anyway, except for the tolerance between clocks.
    const since = secondsBefore(now(), ownClockToleranceSeconds);
    ended = new Set(await listEndedSessions(reads, since)).union(endedDuringReload);
  }

  await reload();
  return {
    hasEnded: (sid) => ended.has(sid),
    async end(choice, audit) {
      // A repeated logout writes nothing, so it cannot slow down other requests.
      if ('sid' in choice && ended.has(choice.sid)) return [];
      const sessions = await endSessions(db, choice, audit, now());
      for (const { sid } of sessions) remember(sid);
      // Another process may have ended it first: then it is not in the result.
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
