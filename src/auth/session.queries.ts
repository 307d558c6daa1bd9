// Sessions: which there are, and ending them.
import type { Kysely, Transaction } from 'kysely';
import { type Caller, writeAudit } from '../audit/audit.ts';
import { bumpRevision } from '../storage/revisions.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { daySeconds, secondsBefore } from './time.ts';
import { deleteOldCodes, rememberCodeIn } from './used-code.queries.ts';

/** Which sessions: one, all of a person, or those opened in one session, or by one subject, of the provider. */
export type SessionChoice =
  | { sid: string }
  | { employeeId: string }
  | { issuer: string; providerSid: string; subject?: string }
  | { issuer: string; subject: string };

export interface SessionSummary {
  sid: string;
  employeeId: string;
  openedAt: string;
  expiresAt: string;
  cookieHash: string | null;
}

/** The sessions that have neither ended nor expired, newest first. */
export async function listSessions(db: Kysely<Tables>, now: Date, choice?: SessionChoice): Promise<SessionSummary[]> {
  let query = db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select(['sid', 'employee_id as employeeId', 'opened_at as openedAt', 'expires_at as expiresAt'])
    .select('cookie_hash as cookieHash')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('opened_at', 'desc');
  if (choice === undefined) return query.execute();
  if ('sid' in choice) query = query.where('sid', '=', choice.sid);
  if ('employeeId' in choice) query = query.where('employee_id', '=', choice.employeeId);
  if ('issuer' in choice) query = query.where('issuer', '=', choice.issuer);
  if ('providerSid' in choice) query = query.where('provider_sid', '=', choice.providerSid);
  if ('subject' in choice && choice.subject !== undefined) query = query.where('subject', '=', choice.subject);
  return query.execute();
}

/** What the audit says about each. */
export type EndingAudit = Partial<Caller> & { type: 'logout' | 'session-ended'; detail?: string };

/** Ends them in one transaction, with an audit row for each, and returns which. */
export async function endSessions(
  db: Db,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[]> {
  return db.transaction().execute((tx) => endSessionsIn(tx, choice, audit, now));
}

/** The same, once for each token hash: undefined when this one was used before. */
export async function endSessionsOnce(
  db: Db,
  tokenHash: string,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[] | undefined> {
  return db
    .transaction()
    .execute(async (tx) =>
      (await rememberCodeIn(tx, tokenHash, now)) ? endSessionsIn(tx, choice, audit, now) : undefined,
    );
}

export async function endSessionsIn(
  tx: Transaction<Tables>,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[]> {
  // Where there is nothing to end, no revision is raised, and no other process has to read the sessions again.
  if ((await listSessions(tx, now, choice)).length === 0) return [];
  // Takes a lock on either engine, so the sessions are listed again after it: of two that end a session, one does.
  await bumpRevision(tx, 'sessions');
  const ending = await listSessions(tx, now, choice);
  for (const { sid, employeeId } of ending) {
    await tx.updateTable('session').set({ ended_at: now.toISOString() }).where('sid', '=', sid).execute();
    await writeAudit(tx, { ...audit, person: employeeId, session: sid }, now);
  }
  return ending;
}

/** The session with this cookie, ended or not, and its sealed ID token. */
export async function findByCookie(
  db: Db,
  cookieHash: string,
): Promise<{ sid: string; sealedIdToken: string | null } | undefined> {
  const query = db.selectFrom('session').select(['sid', 'id_token as sealedIdToken']);
  return query.where('cookie_hash', '=', cookieHash).executeTakeFirst();
}

/** Of sessions that have expired, or that ended longer ago than a browser needs to sign out at the provider. */
export async function eraseIdTokens(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('session')
      .set({ id_token: null })
      .where('id_token', 'is not', null)
      .where(({ eb, or }) =>
        or([
          eb('ended_at', '<', secondsBefore(now, signOutSeconds).toISOString()),
          eb('expires_at', '<', now.toISOString()),
        ]),
      )
      .execute();
  });
}

/** A client may end the session (POST /auth/logout) before it sends the browser to GET /auth/logout. */
const signOutSeconds = 30;

/** The ended sessions that expire after this: by signature and expiry alone, their tokens would still be valid. */
export async function listEndedSessions(db: Db, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('sid')
    .where('ended_at', 'is not', null)
    .where('expires_at', '>', since.toISOString())
    .execute();
  return rows.map(({ sid }) => sid);
}

/** What nobody needs any more: old codes, and sessions a day after their expiry. */
export async function deleteOld(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await deleteOldCodes(tx, now);
    await tx.deleteFrom('session').where('expires_at', '<', secondsBefore(now, daySeconds).toISOString()).execute();
  });
}
