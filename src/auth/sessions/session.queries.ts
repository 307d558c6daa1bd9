// Lists sessions, and ends them.
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Caller, writeAudit } from '../../audit/audit.ts';
import { secondsBefore } from '../../base/time.ts';
import { ownClockToleranceSeconds } from '../../config/token-times.ts';
import { pagesByKey } from '../../storage/pages.ts';
import { bumpRevision } from '../../storage/revisions.ts';
import { type Db, lockRows } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { rememberCodeIn } from './used-code.queries.ts';

/** Selects one session, all sessions of a person, or those that belong to one session or one subject at the provider. */
export type SessionChoice =
  | { sid: string; employeeId?: string }
  | { employeeId: string }
  | { issuer: string; providerSid: string; subject?: string }
  | { issuer: string; subject: string };

export interface SessionSummary {
  sid: string;
  employeeId: string;
  /** The provider it was opened at. */
  issuer: string;
  openedAt: string;
  /** When it was opened or renewed last. */
  lastSeenAt: string;
  expiresAt: string;
  cookieHash: string | null;
  /** The address and browser that opened it, if known. */
  address: string | null;
  browser: string | null;
}

/** A session is open if it has not ended, is not past its absolute end, and was not idle for too long (with this tolerance). */
export function isOpenAt(
  now: Date,
  idleTolerance = 0,
): (builder: ExpressionBuilder<Tables, 'session'>) => Expression<SqlBool> {
  const [at, idleAt] = [now.toISOString(), secondsBefore(now, idleTolerance).toISOString()];
  return ({ eb, and, or }) =>
    and([
      eb('ended_at', 'is', null),
      eb('expires_at', '>', at),
      or([eb('idle_ends_at', 'is', null), eb('idle_ends_at', '>', idleAt)]),
    ]);
}

const sessionsOfPage = 1000;

/** Reads the open sessions page by page, beginning with those that expire last. */
export async function* readSessionPages(db: Kysely<Tables>, now: Date): AsyncGenerator<SessionSummary[]> {
  for (let last: SessionSummary | undefined; ; ) {
    let query = openSessions(db, now).orderBy('expires_at', 'desc').orderBy('sid', 'desc').limit(sessionsOfPage);
    if (last !== undefined) {
      query = query.where(sql<SqlBool>`(session.expires_at, session.sid) < (${last.expiresAt}, ${last.sid})`);
    }
    const page = await query.execute();
    yield page;
    last = page.at(-1);
    if (page.length < sessionsOfPage) return;
  }
}

function openSessions(db: Kysely<Tables>, now: Date) {
  return (
    db
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'session.person_id')
      .select(['sid', 'employee_id as employeeId', 'issuer', 'opened_at as openedAt', 'expires_at as expiresAt'])
      .select(['address', 'browser', 'cookie_hash as cookieHash', 'last_seen_at as lastSeenAt'])
      // Includes sessions that a replica whose clock is behind could still renew, so that they can be ended.
      .where(isOpenAt(now, ownClockToleranceSeconds))
  );
}

/** Returns the open sessions, newest first. */
export async function listSessions(
  db: Kysely<Tables>,
  now: Date,
  choice: SessionChoice,
  limit?: number,
): Promise<SessionSummary[]> {
  let query = openSessions(db, now).orderBy('opened_at', 'desc');
  if (limit !== undefined) query = query.limit(limit);
  if ('sid' in choice) query = query.where('sid', '=', choice.sid);
  if ('employeeId' in choice && choice.employeeId !== undefined)
    query = query.where('employee_id', '=', choice.employeeId);
  if ('issuer' in choice) query = query.where('issuer', '=', choice.issuer);
  if ('providerSid' in choice) query = query.where('provider_sid', '=', choice.providerSid);
  if ('subject' in choice && choice.subject !== undefined) query = query.where('subject', '=', choice.subject);
  return query.execute();
}

/** The audit entry of each ended session. The actor and the person default to the employee ID. */
export type EndingAudit = Partial<Caller> & {
  type: 'logout' | 'session-ended';
  detail?: string;
  actor?: string;
  person?: string;
};

/** A session that was just ended, with the refresh token that was erased from it. */
export type EndedSession = SessionSummary & { sealedRefreshToken: string | null };

/** Ends sessions in one transaction, with an audit row for each, and returns them. */
export async function endSessions(
  db: Db,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<EndedSession[]> {
  return db.transaction().execute((tx) => endSessionsIn(tx, choice, audit, now));
}

/** Like `endSessions`, but works only once for each token hash. Returns undefined if the hash was used before. */
export async function endSessionsOnce(
  db: Db,
  tokenHash: string,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<EndedSession[] | undefined> {
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
): Promise<EndedSession[]> {
  // If there is nothing to end, the revision stays the same, and no other process has to reload the sessions.
  if ((await listSessions(tx, now, choice)).length === 0) return [];
  // This takes a lock, in SQLite and in PostgreSQL. The sessions are then listed again, because another call may have ended
  // some of them before this one got the lock.
  const revision = await bumpRevision(tx, 'sessions');
  const ending = await listSessions(tx, now, choice);
  const ended: EndedSession[] = [];
  for (const session of ending) {
    const { sid, employeeId } = session;
    // Locked, because a renewal may be about to store a new refresh token.
    const tokens = tx.selectFrom('session').select('refresh_token as sealedRefreshToken').where('sid', '=', sid);
    ended.push({ ...session, ...(await lockRows(tx, tokens).executeTakeFirstOrThrow()) });
    // After a sign-out, GET /auth/logout may still need the ID token. If the session ends for any other reason, its cookie may
    // have been stolen and must give no access to the ID token.
    const isSignOut = audit.type === 'logout';
    const change = {
      ended_at: now.toISOString(),
      ended_revision: revision,
      refresh_token: null,
      ...(!isSignOut && { id_token: null }),
    };
    await tx.updateTable('session').set(change).where('sid', '=', sid).execute();
    writeAudit(tx, { actor: employeeId, person: employeeId, ...audit, session: sid }, now);
  }
  return ended;
}

/** The session with this cookie, ended or not, with its sealed ID token and the provider that issued it. */
export async function findByCookie(
  db: Db,
  cookieHash: string,
): Promise<{ sid: string; issuer: string; sealedIdToken: string | null } | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select(['sid', 'issuer', 'id_token as sealedIdToken'])
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst();
}

/** An ended session, and when its last token expires. Until then, the token passes every check except the one for ended sessions. */
export interface EndedMark {
  sid: string;
  tokensEnd: string;
}

const endedOfPage = 2000;

/** The ended sessions whose last token expires after this time, page by page. */
export function readEndedSessions(db: Db, since: Date): AsyncGenerator<EndedMark[]> {
  const ended = selectEnded(db).select('token_expires_at').where('ended_at', 'is not', null);
  return pagesByKey(ended, endedOfPage, { token_expires_at: since.toISOString(), sid: '' });
}

/** The sessions that ended after this revision, page by page. */
export function readEndedSince(db: Db, revision: number): AsyncGenerator<EndedMark[]> {
  const ended = selectEnded(db).select('ended_revision').where('ended_revision', 'is not', null);
  return pagesByKey(ended, endedOfPage, { ended_revision: revision + 1, sid: '' });
}

const selectEnded = (db: Db) => db.selectFrom('session').select(['sid', 'token_expires_at as tokensEnd']);
