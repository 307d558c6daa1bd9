// Lists a person's own sessions, and ends one of them.
import type { Caller } from '../../audit/audit.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Logout } from './logout.ts';
import { listSessions } from './session.queries.ts';
import type { OwnSession } from './session.schema.ts';

interface OwnSessionsOptions {
  reads: Db;
  logout: Pick<Logout, 'endOne'>;
  now: () => Date;
}

/** The person who asks, and their current session. */
interface Owner {
  employeeId: string;
  sessionId: string;
}

/** Maximum number of sessions in an answer. The current one is always included. */
const maxListed = 100;

export type OwnSessions = ReturnType<typeof createOwnSessions>;

export function createOwnSessions({ reads, logout, now }: OwnSessionsOptions) {
  return {
    async list({ employeeId, sessionId }: Owner): Promise<OwnSession[]> {
      const current = await listSessions(reads, now(), { sid: sessionId, employeeId });
      const newest = await listSessions(reads, now(), { employeeId }, maxListed);
      const others = newest.filter(({ sid }) => sid !== sessionId);
      return [...current, ...others].slice(0, maxListed).map((session) => ({
        id: session.sid,
        current: session.sid === sessionId,
        openedAt: session.openedAt,
        lastSeenAt: session.lastSeenAt,
        endsAt: session.expiresAt,
        ...(session.address !== null && { address: session.address }),
        ...(session.browser !== null && { browser: session.browser }),
      }));
    },

    /** Another person's session is treated like one that does not exist. */
    async end({ employeeId }: Owner, id: string, caller: Caller): Promise<void> {
      const [own] = await listSessions(reads, now(), { sid: id, employeeId });
      if (own === undefined) throw new Problem('not-found');
      await logout.endOne(own.sid, { type: 'session-ended', detail: 'by the person', ...caller });
    },
  };
}
