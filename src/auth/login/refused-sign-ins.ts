// Records refused sign-ins in the audit. Anyone can cause any number of them, so only the first few from each address in a
// minute get their own rows. The rest are counted, and written as one row when the minute is over.
import { type AuditEntry, type Caller, writeAudit } from '../../audit/audit.ts';
import { addressKey } from '../../http/limits.ts';
import type { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { describeError, type Log } from '../../telemetry/log.ts';

/** Maximum number of refusals from one address in a minute that get their own rows. */
const maxRows = 10;
/**
 * If refusals come from more addresses than this in a minute, those from the further addresses are counted together, without
 * an address.
 */
const maxAddresses = 1000;

interface Refusals {
  address: string | undefined;
  rows: number;
  /** The number of refusals without their own row, by problem code. */
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
    const isShared = !minute.has(own) && minute.size >= maxAddresses;
    const key = isShared ? 'others' : own;
    const known = minute.get(key);
    if (known !== undefined) return known;
    const refusals = { address: isShared ? undefined : address, rows: isShared ? maxRows : 0, counts: new Map() };
    minute.set(key, refusals);
    return refusals;
  }

  return {
    /** Never throws: a refusal is answered whether or not it could be audited. */
    async record({ code, reason, about }: Problem, caller: Caller): Promise<void> {
      const refusals = refusalsOf(caller.address);
      // A refusal of a person whom the provider has identified always gets its own row.
      if (about === undefined && refusals.rows >= maxRows) return addTo(refusals, new Map([[code, 1]]));
      refusals.rows++;
      const subject = about?.subject && `subject ${about.subject}`;
      const detail = [code, reason, subject, about?.claims].filter((part) => part).join(': ');
      try {
        await write([{ type: 'sign-in-refused', person: about?.person, actor: undefined, detail, ...caller }]);
      } catch (error) {
        log.warn({ requestId: caller.requestId, ...describeError(error) }, 'a refused sign-in could not be audited');
      }
    },

    /** Called every minute and at shutdown. Counts that cannot be written are kept. */
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
  refusals.rows = maxRows;
  for (const [code, count] of counts) refusals.counts.set(code, (refusals.counts.get(code) ?? 0) + count);
}
