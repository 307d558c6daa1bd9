// Ending one's own sessions elsewhere.
import { FrontdeskError, type OwnSession } from '../../../client/src/index.ts';

interface SessionApi {
  sessions(): Promise<OwnSession[]>;
  endSession(id: string): Promise<unknown>;
}

/** One that has ended meanwhile is no failure: that is what was wanted. */
export async function endSession(api: Pick<SessionApi, 'endSession'>, id: string): Promise<void> {
  try {
    await api.endSession(id);
  } catch (error) {
    if (!(error instanceof FrontdeskError && error.status === 404)) throw error;
  }
}

/** The service lists 100 at a time. */
const mostRounds = 20;

/** All but the current one; how many there were. Those that were ended before a failure stay ended. */
export async function endOtherSessions(api: SessionApi): Promise<number> {
  let ended = 0;
  for (let round = 0; round < mostRounds; round++) {
    const others = (await api.sessions()).filter(({ current }) => !current);
    if (others.length === 0) break;
    for (const { id } of others) await endSession(api, id);
    ended += others.length;
  }
  return ended;
}
