// Refused sign-ins in the audit. Everybody can be refused, as often as they like: beyond a number of one address in a
// minute they are only counted, and become one row when the minute is over.
import { type AuditEntry, type Caller, writeAudit } from '../../audit/audit.ts';
import { addressKey } from '../../http/limits.ts';
import type { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { describeError, type Log } from '../../telemetry/log.ts';

/** Of one address in a minute, each with a row of its own. */
const mostRows = 10;
/** The others in a minute are counted together, without their addresses. */
const mostAddresses = 1000;

interface Refusals {
  address: string | undefined;
  rows: number;
  /** Those without a row: how many of each code. */
  counts: Map<string, number>;
}

export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

interface RefusedSignInsOptions {
  db: Db;
  now: () => Date;
  log: Log;
}

export function createRefusedSignIns({ db, now, log }: RefusedSignInsOptions) {
  let minute = new Map<string, Refusals>();

  function refusalsOf(address: string | undefined): Refusals {
    const own = address === undefined ? '' : addressKey(address);
    const isShared = !minute.has(own) && minute.size >= mostAddresses;
    const key = isShared ? 'others' : own;
    const known = minute.get(key);
    if (known !== undefined) return known;
    const refusals = { address: isShared ? undefined : address, rows: isShared ? mostRows : 0, counts: new Map() };
    minute.set(key, refusals);
    return refusals;
  }

  return {
    /** A refusal is answered whether or not it could be audited. */
    async record({ code, reason, about }: Problem, caller: Caller): Promise<void> {
      const refusals = refusalsOf(caller.address);
      // Whoever the provider has identified is no stranger.
      if (about === undefined && refusals.rows >= mostRows) return addTo(refusals, new Map([[code, 1]]));
      refusals.rows++;
      const subject = about?.subject && `subject ${about.subject}`;
      const detail = [code, reason, subject, about?.claims].filter((part) => part).join(': ');
      try {
        await write([{ type: 'sign-in-refused', person: about?.person, actor: undefined, detail, ...caller }]);
      } catch (error) {
        log.warn({ requestId: caller.requestId, ...describeError(error) }, 'refusal not audited');
      }
    },

    /** Every minute, and at the end. What cannot be written is counted on. */
    async endMinute(): Promise<void> {
      const counted = [...minute.values()].filter(({ counts }) => counts.size > 0);
      minute = new Map();
      try {
        if (counted.length > 0) await write(counted.map(summaryOf));
      } catch (error) {
        for (const { address, counts } of counted) addTo(refusalsOf(address), counts);
        throw error;
      }
    },
  };

  async function write(entries: AuditEntry[]): Promise<void> {
    await db.transaction().execute(async (tx) => {
      for (const entry of entries) writeAudit(tx, entry, now());
    });
  }
}

function summaryOf({ address, counts }: Refusals): AuditEntry {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const codes = [...counts].map(([code, count]) => `${code} ${count}`).join(', ');
  const detail = `${total} more within a minute: ${codes}`;
  return { type: 'sign-in-refused', actor: undefined, address, detail };
}

function addTo(refusals: Refusals, counts: ReadonlyMap<string, number>): void {
  refusals.rows = mostRows;
  for (const [code, count] of counts) refusals.counts.set(code, (refusals.counts.get(code) ?? 0) + count);
}
