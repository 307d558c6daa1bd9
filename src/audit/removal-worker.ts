// Runs in a thread, for a removal each: SQLite blocks the thread that calls it, which must not be the one that answers requests.
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../base/guards.ts';
import type { DatabaseSettings } from '../config/config.ts';
import { removeAuditRows } from '../storage/audit-removal.ts';
import { type Db, openStorage } from '../storage/storage.ts';
import { rowsOfSeal } from './proof/sealing.ts';
import { lockAudit, type Removal } from './removal.ts';

export interface RemovalTask {
  database: DatabaseSettings;
  removal: Removal;
  /** The first row that there is. */
  oldest: number;
}

export interface RemovalOutcome {
  /** Undefined where it went well. */
  failure?: { name: string; code: unknown };
}

/** A request during a step may wait for a core. At this share, too few do to show in the slowest hundredth of all requests. */
const shareOfTime = 0.02;
const leastPauseMs = 20;
/** Also on a busy machine, where a step takes long: well within the minute after which another replica takes this one for gone. */
const mostPauseMs = 5000;

declare const self: Worker;

const stopping = new AbortController();

/** A task, and while it is under way the wish to stop. */
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
  for (let first = oldest; !stopping.signal.aborted; ) {
    const begin = performance.now();
    const next = await removeSome(db, removal, first);
    if (next === undefined || next > removal.row) return;
    first = next;
    const restMs = (performance.now() - begin) * (1 / shareOfTime - 1);
    const pauseMs = Math.min(Math.max(leastPauseMs, restMs), mostPauseMs);
    await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

/**
 * Whole seals from the oldest on, one or several small ones, so that no row is left without the others of its seal. Returns the
 * oldest row that is left; undefined where another replica removes rows, too.
 */
async function removeSome(db: Db, removal: Removal, oldest: number): Promise<number | undefined> {
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
    await removeAuditRows(tx, { from: oldest, to: seal.last, seal: seal.number });
    return seal.last + 1;
  });
}
