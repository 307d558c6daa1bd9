// The one-time addresses of trial sign-ins. Each contains a ticket. The database holds only the ticket's hash.
import { randomText } from '../../storage/secret.ts';
import type { Db } from '../../storage/storage.ts';

const lifeSeconds = 600;

/** Returns the address to open. */
export async function makeTrialAddress(db: Db, publicUrl: string, now: Date): Promise<string> {
  const ticket = randomText();
  await storeTrial(db, hashOf(ticket), new Date(now.getTime() + lifeSeconds * 1000), now);
  return `${publicUrl}/auth/trial?ticket=${ticket}`;
}

export const hashOf = (ticket: string) => Bun.SHA256.hash(ticket, 'hex');

/** Overwrites an expired row, if there is one, so that rows do not pile up and no permission to delete is needed. */
async function storeTrial(db: Db, ticketHash: string, expiresAt: Date, now: Date): Promise<void> {
  const row = { ticket_hash: ticketHash, expires_at: expiresAt.toISOString(), opened_at: null };
  await db.transaction().execute(async (tx) => {
    const expired = tx.selectFrom('sign_in_trial').select('ticket_hash').where('expires_at', '<', now.toISOString());
    const { numUpdatedRows } = await tx
      .updateTable('sign_in_trial')
      .set(row)
      .where('ticket_hash', '=', expired.limit(1))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) await tx.insertInto('sign_in_trial').values(row).execute();
  });
}

export async function isTrialUnopened(db: Db, ticketHash: string, now: Date): Promise<boolean> {
  const rows = db.selectFrom('sign_in_trial').select('ticket_hash').where('ticket_hash', '=', ticketHash);
  const unopened = rows.where('opened_at', 'is', null).where('expires_at', '>', now.toISOString());
  return (await unopened.executeTakeFirst()) !== undefined;
}

/** Returns false if the trial was opened before or has expired. If several callers try at once, only one gets true. */
export async function openTrial(db: Db, ticketHash: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('sign_in_trial')
      .set({ opened_at: now.toISOString() })
      .where('ticket_hash', '=', ticketHash)
      .where('opened_at', 'is', null)
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}
