// Reading the audit is audited, too: once per session in ten minutes, across all replicas.

import { RecentMap } from '../base/recent-map.ts';
import type { Principal } from '../http/access.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import { readAudit } from './audit.queries.ts';
import { type Caller, writeAudit } from './audit.ts';

const intervalMs = 600_000;

interface RecordedReadingOptions {
  db: Db;
  now: () => Date;
}

export type RecordReading = (reader: Principal, caller: Caller) => Promise<void>;

/** Rejects if the reading cannot be recorded; nothing may be read then. */
export function createRecordedReading({ db, now }: RecordedReadingOptions): RecordReading {
  const recorded = new RecentMap<Date>(1000);

  return async ({ employeeId, sessionId }, caller) => {
    const at = now();
    const since = new Date(at.getTime() - intervalMs);
    if ((recorded.get(sessionId) ?? since) > since) return;
    await db.transaction().execute(async (tx) => {
      // If several replicas record the same session, the second sees the row of the first.
      await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).execute();
      const filter = { type: 'audit-read', person: employeeId, since, limit: 1000 };
      if ((await readAudit(tx, filter)).some(({ session }) => session === sessionId)) return;
      const who = { person: employeeId, actor: employeeId, session: sessionId };
      writeAudit(tx, { type: 'audit-read', ...who, ...caller }, at);
    });
    recorded.set(sessionId, at);
  };
}
