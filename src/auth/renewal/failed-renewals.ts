// Records failed renewals, so that requests waiting for them can go on. While the storage is unavailable, recording is
// retried, because the provider may have issued a new refresh token that only this process has, and using the old one would
// end the session.
import { atMost } from '../../base/stop-times.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { describeError, type Log } from '../../telemetry/log.ts';
import { type Claim, type Failure, failRenewal } from './renewal.queries.ts';

interface FailedRenewalsOptions {
  db: Db;
  now: () => Date;
  log: Log;
}

/** Time between two tries. Other replicas wait longer than this before they use the old refresh token (renewal.ts). */
const pauseMs = 250;
const longestStopMs = 1000;

export type FailedRenewals = ReturnType<typeof createFailedRenewals>;

export function createFailedRenewals({ db, now, log }: FailedRenewalsOptions) {
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  /** Throws a Problem if the session has ended, or another renewal has taken over. */
  const record = (claim: Claim, failure: Failure) => failRenewal(db, claim, failure, now());

  async function recordUntilDone(claim: Claim, failure: Failure): Promise<void> {
    for (let tries = 1; !isStopped; tries++) {
      try {
        return await record(claim, failure);
      } catch (error) {
        // The session has ended or another renewal has taken over, so there is nothing to record.
        if (error instanceof Problem) return;
        if (tries === 1)
          log.warn({ sid: claim.sid, ...describeError(error) }, 'a failed renewal could not be recorded, trying again');
      }
      await Bun.sleep(pauseMs);
    }
  }

  return {
    record,
    /** Returns at once, and retries in the background until the failure is recorded. */
    recordLater(claim: Claim, failure: Failure): void {
      const work = recordUntilDone(claim, failure).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    /** Waits briefly until all failures are recorded, then gives up on the rest. */
    async stop(): Promise<void> {
      await atMost(longestStopMs, Promise.all(underWay));
      isStopped = true;
    },
  };
}
