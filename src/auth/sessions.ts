// Which sessions have ended. Kept in memory, so that a request asks without waiting, and in the database, so that an
// ended session stays ended.
import type { Db } from '../storage/storage.ts';
import { endSession, listEndedSessions } from './auth.queries.ts';

export interface Sessions {
  hasEnded(sid: string): boolean;
  end(sid: string, expiresAt: Date): Promise<void>;
}

interface SessionsOptions {
  db: Db;
  now: () => Date;
  /** How long a token outlives its own expiry, by the tolerance for clocks. */
  toleranceSeconds: number;
}

export async function loadSessions({ db, now, toleranceSeconds }: SessionsOptions): Promise<Sessions> {
  const ended = new Map<string, number>();
  const remember = (sid: string, expiresAt: Date) => ended.set(sid, expiresAt.getTime() + toleranceSeconds * 1000);
  const since = new Date(now().getTime() - toleranceSeconds * 1000);
  for (const { sid, expiresAt } of await listEndedSessions(db, since)) remember(sid, expiresAt);

  return {
    hasEnded: (sid) => ended.has(sid),
    async end(sid, expiresAt) {
      await endSession(db, sid, now());
      // A session nobody has a living token for needs no remembering.
      for (const [other, until] of ended) if (until < now().getTime()) ended.delete(other);
      remember(sid, expiresAt);
    },
  };
}
