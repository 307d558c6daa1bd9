// Removes rows older than AUDIT_RETENTION_DAYS, once a day. An audit row announces the removal first; then a thread removes
// the rows, a few at a time. Only one replica does this at a time; if it is killed, another one takes over.

import { startThread } from '../base/executable.ts';
import { oneAtATime } from '../base/one-at-a-time.ts';
import type { DatabaseSettings } from '../config/config.ts';
import { pagesByKey } from '../storage/pages.ts';
import type { Db, Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';
import { frontdesk, writeAudit } from './audit.ts';
import { readBeforeKey } from './key-making.ts';
import type { AuditKey, Seal } from './proof/digest.ts';
import { readSealed } from './proof/sealing.ts';
import { describeRemoval, lockAudit, type Removal, readRemoval } from './removal.ts';
import type { RemovalOutcome, RemovalTask } from './removal-worker.ts';

interface RetentionOptions {
  storage: Storage;
  database: DatabaseSettings;
  key: AuditKey;
  /** 0 means that nothing is ever removed. */
  days: number;
  now: () => Date;
  log: Log;
}

const dayMs = 86_400_000;
const rowsOfPage = 500;
const pauseMs = 20;

export function createRetention({ storage: { db, reads }, database, key, days, now, log }: RetentionOptions) {
  let isStopped = false;
  let thread: Worker | undefined;
  let seenOldest: number | undefined;
  /** The seal that was reported as tampered with, so that it is logged only once. */
  let refused: number | undefined;

  const run = oneAtATime(async () => {
    if (days === 0 || isStopped) return;
    const oldest = await readOldest(reads);
    const begun = await readRemoval(reads, key);
    const isUnfinished = begun !== undefined && oldest !== undefined && oldest <= begun.row;
    // No row was removed in the last minute, so the replica that was removing them is gone.
    const isAbandoned = isUnfinished && seenOldest === oldest;
    seenOldest = oldest;
    if (oldest === undefined || (isUnfinished && !isAbandoned)) return;
    if (isAbandoned) return removeRows(begun, oldest);
    if (begun !== undefined && now().getTime() - Date.parse(begun.at) < dayMs) return;
    const removal = await findRemovable(oldest);
    if (removal !== undefined && (await announce(removal, begun?.seq))) await removeRows(removal, oldest);
  });

  /** Returns the last seal before the first row that is not old enough. */
  async function findRemovable(oldest: number): Promise<Removal | undefined> {
    const since = new Date(now().getTime() - days * dayMs).toISOString();
    let lastOld = oldest - 1;
    // Reads rows in the order of their numbers, not their times, to find the first one that is not old enough.
    const rows = reads.selectFrom('audit').select(['seq', 'at']);
    for await (const page of pagesByKey(rows, rowsOfPage, { seq: oldest - 1 })) {
      if (isStopped) return undefined;
      const young = page.findIndex(({ at }) => at >= since);
      const old = young === -1 ? page : page.slice(0, young);
      lastOld = old.at(-1)?.seq ?? lastOld;
      if (old.length < rowsOfPage) break;
      await Bun.sleep(pauseMs);
    }
    const seal = await reads
      .selectFrom('audit_seal')
      .select(['number', 'first', 'last'])
      .where('last', '<=', lastOld)
      .orderBy('last', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (seal === undefined || seal.last < oldest) return undefined;
    return (await isOld(seal, since)) ? { row: seal.last, seal: seal.number } : undefined;
  }

  /**
   * Whether the rows of this seal, and therefore all earlier rows, really are old. The database's owner may have changed the
   * times of rows to have them removed.
   */
  async function isOld({ number: seal, first }: Pick<Seal, 'number' | 'first'>, since: string): Promise<boolean> {
    const rows = await readSealed(reads, key, seal);
    if (rows !== undefined) return rows.every(({ at }) => at < since);
    // Seals made before the keys were reset cannot be recomputed. Their rows are older than the present key, so they are old
    // enough if the key is.
    const before = await readBeforeKey(reads, key);
    if (before !== undefined && first <= before.row) return before.at < since;
    if (refused !== seal)
      log.error({ seal }, 'old audit rows are not removed, because they or their seal were tampered with');
    refused = seal;
    return false;
  }

  /** Returns false if another replica has announced a removal meanwhile. */
  async function announce(removal: Removal, before: number | undefined): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      await lockAudit(tx);
      if ((await readRemoval(tx, key))?.seq !== before) return false;
      writeAudit(tx, { type: 'audit-removed', actor: frontdesk, detail: describeRemoval(removal) }, now());
      return true;
    });
  }

  async function removeRows(removal: Removal, oldest: number): Promise<void> {
    if (isStopped) return;
    log.info({ removal: { from: oldest, ...removal } }, 'removing old audit rows');
    const outcome = Promise.withResolvers<RemovalOutcome>();
    thread = startThread('audit/removal-worker');
    thread.onmessage = ({ data }: MessageEvent<RemovalOutcome>) => outcome.resolve(data);
    thread.addEventListener('error', () => outcome.resolve({ failure: { name: 'ThreadFailed', code: undefined } }));
    thread.postMessage({ database, removal, oldest } satisfies RemovalTask);
    const { failure } = await outcome.promise.finally(() => {
      thread?.terminate();
      thread = undefined;
    });
    if (failure !== undefined) log.warn(failure, 'removing audit rows failed, trying again');
    else log.info({ oldest: await readOldest(reads) }, 'old audit rows removed');
  }

  return {
    /** Called every minute. Resolves once the rows are removed, if there are any to remove. Never runs twice at once. */
    run,
    /** Resolves once the current step is done. */
    async stop(): Promise<void> {
      isStopped = true;
      thread?.postMessage('stop');
      await run.current?.catch(() => {});
    },
  };
}

async function readOldest(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('audit').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return row?.seq;
}
