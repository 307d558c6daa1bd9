// Each removal runs in its own thread, because SQLite blocks the calling thread, and the thread that answers requests must
// not be blocked.
import { sql } from 'kysely';
import { codeOf } from '../base/guards.ts';
import { createStepper } from '../base/stepper.ts';
import type { DatabaseSettings } from '../config/config.ts';
import { withPass } from '../storage/audit-pass.ts';
import { isPostgres } from '../storage/migrations/engine.ts';
import { type Db, openStorage } from '../storage/storage.ts';
import { rowsOfSeal } from './proof/sealing.ts';
import { lockAudit, type Removal } from './removal.ts';

export interface RemovalTask {
  database: DatabaseSettings;
  removal: Removal;
  /** The number of the oldest row. */
  oldest: number;
}

export interface RemovalOutcome {
  /** Undefined if the removal succeeded. */
  failure?: { name: string; code: unknown };
}

/**
 * The share of the time that this thread spends removing rows. While it removes rows, requests may have to wait for a
 * processor core. At this share, too few requests wait to affect the 99th percentile of response times.
 */
const share = 0.02;

declare const self: Worker;

const stopping = new AbortController();

/** Receives a task and, possibly, a later request to stop. */
self.onmessage = async ({ data }: MessageEvent<RemovalTask | 'stop'>) => {
  if (data === 'stop') return stopping.abort();
  self.postMessage(await work(data));
};

async function work({ database, removal, oldest }: RemovalTask): Promise<RemovalOutcome> {
  try {
    const storage = await openStorage(database);
    try {
      await removeRows(storage.db, removal, oldest);
    } finally {
      await storage.close();
    }
    return {};
  } catch (error) {
    return { failure: { name: error instanceof Error ? error.name : typeof error, code: codeOf(error) } };
  }
}

async function removeRows(db: Db, removal: Removal, oldest: number): Promise<void> {
  const runStep = createStepper({ share, signal: stopping.signal });
  for (let first = oldest; first <= removal.row; ) {
    const next = await runStep(() => removeSome(db, removal, first));
    if (next === undefined) return;
    first = next;
  }
}

/**
 * Removes the rows of the oldest seals: one large seal, or several small ones. No seal is left with only some of its rows.
 * Returns the oldest remaining row; undefined if another replica is removing rows as well, or if this one must stop.
 */
async function removeSome(db: Db, removal: Removal, oldest: number): Promise<number | undefined> {
  if (stopping.signal.aborted) return undefined;
  return db.transaction().execute(async (tx) => {
    await lockAudit(tx);
    const isThere = await tx.selectFrom('audit').select('seq').where('seq', '=', oldest).executeTakeFirst();
    if (isThere === undefined) return undefined;
    const seal = await tx
      .selectFrom('audit_seal')
      .select(['number', 'last'])
      .where('last', '<=', Math.min(oldest + rowsOfSeal - 1, removal.row))
      .orderBy('last', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    if (isPostgres(tx)) {
      // Only a database function that belongs to the owner of the tables can remove these rows.
      await sql`select audit_remove(${oldest}, ${seal.last}, ${seal.number})`.execute(tx);
    } else {
      await withPass(tx, ['delete audit'], async () => {
        await tx.deleteFrom('audit').where('seq', '>=', oldest).where('seq', '<=', seal.last).execute();
      });
    }
    return seal.last + 1;
  });
}
