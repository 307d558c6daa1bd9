// Checks this machine's clock: against the database's clock on PostgreSQL, against the elapsed time on SQLite. Rows deleted
// because of a wrong clock cannot be restored.
import { sql } from 'kysely';
import type { Log } from '../telemetry/log.ts';
import { isPostgres } from './migrations/engine.ts';
import type { Db } from './storage.ts';

interface ClockCheckOptions {
  db: Db;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  log: Log;
}

const hourMs = 3_600_000;

/** Returns a function that says whether the clock is right. Logs only when the clock becomes wrong, or right again. */
export function createClockCheck({ db, clock, log }: ClockCheckOptions): () => Promise<boolean> {
  const hasJumped = isPostgres(db) ? undefined : createJumpDetection(clock, () => performance.now());
  let wasRight = true;
  return async () => {
    const isRight = hasJumped === undefined ? Math.abs(clock() - (await readClock(db))) <= hourMs : !hasJumped();
    if (wasRight && !isRight) {
      const clockSays = new Date(clock()).toISOString();
      log.error({ clockSays }, 'the clock is wrong by more than an hour, so nothing is deleted and no key is rotated');
    }
    if (!wasRight && isRight) log.info('the clock is right again');
    wasRight = isRight;
    return isRight;
  };
}

async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]?.ms ?? Number.NaN;
}

/** What the clock showed, and the machine's uptime at that moment. */
interface Reading {
  time: number;
  uptime: number;
}

/** Whether the clock has jumped by more than an hour. After an hour without another jump, the new time counts as right. */
export function createJumpDetection(clock: () => number, uptime: () => number): () => boolean {
  const read = (): Reading => ({ time: clock(), uptime: uptime() });
  const isSteady = (from: Reading, to: Reading) => Math.abs(to.time - from.time - (to.uptime - from.uptime)) <= hourMs;
  let last = read();
  let jump: Reading | undefined;
  return () => {
    const current = read();
    if (jump !== undefined && !isSteady(jump, current)) jump = undefined;
    const isAccepted = jump !== undefined && current.uptime - jump.uptime >= hourMs;
    if (isSteady(last, current) || isAccepted) {
      [last, jump] = [current, undefined];
      return false;
    }
    jump ??= current;
    return true;
  };
}
