// Ends the user's other sessions.
import { FrontdeskError, type OwnSession } from '../../../client/src/index.ts';

interface SessionApi {
  sessions(): Promise<OwnSession[]>;
  endSession(id: string): Promise<unknown>;
}

/** A session that has already ended is not a failure. */
export async function endSession(api: Pick<SessionApi, 'endSession'>, id: string): Promise<void> {
  try {
    await api.endSession(id);
  } catch (error) {
    if (!(error instanceof FrontdeskError && error.status === 404)) throw error;
  }
}

/** Sessions are ended in rounds, because the service lists only 100 sessions at a time. */
const maxRounds = 20;

/** Ends all sessions except the current one, and returns how many were ended. */
export async function endOtherSessions(api: SessionApi): Promise<number> {
  let ended = 0;
  for (let round = 0; round < maxRounds; round++) {
    const others = (await api.sessions()).filter(({ current }) => !current);
    if (others.length === 0) break;
    for (const { id } of others) await endSession(api, id);
    ended += others.length;
  }
  return ended;
}
