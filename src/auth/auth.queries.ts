// Every statement of the sign-in area.
import type { Kysely, Transaction } from 'kysely';
import { writeAudit } from '../audit/audit.ts';
import { usedOnceSeconds } from '../config/token-times.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { bumpRevision } from '../storage/revisions.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import type { PersonTable, Tables } from '../storage/tables.ts';
import type { BrowserSession } from './browser-session.ts';
import type { Identity } from './provider/claims.ts';
import { daySeconds, secondsBefore } from './time.ts';

/** False when the code was seen before. */
export async function rememberCode(db: Db, codeHash: string, now: Date): Promise<boolean> {
  return db.transaction().execute((tx) => rememberIn(tx, codeHash, now));
}

async function rememberIn(tx: Transaction<Tables>, codeHash: string, now: Date): Promise<boolean> {
  const used = { code_hash: codeHash, used_at: now.toISOString() };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_code')
    .values(used)
    .onConflict((conflict) =>
      conflict.column('code_hash').doUpdateSet(used).where('used_code.used_at', '<', before(now, usedOnceSeconds)),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

const before = (now: Date, seconds: number) => secondsBefore(now, seconds).toISOString();

/** What has served its time. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('used_code').where('used_at', '<', before(now, usedOnceSeconds)).execute();
    await tx.deleteFrom('session').where('expires_at', '<', before(now, daySeconds)).execute();
  });
}

export async function forgetCode(db: Db, codeHash: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('used_code').where('code_hash', '=', codeHash).execute();
  });
}

/** Where a request came from, for the audit. */
export interface Caller {
  requestId: string | undefined;
  address: string | undefined;
}

export interface NewSession {
  sid: string;
  issuer: string;
  identity: Identity;
  openedAt: Date;
  expiresAt: Date;
  way: string;
  /** Of a bound sign-in. */
  browser?: BrowserSession | undefined;
  caller: Caller;
}

/** The person as the provider tells them now, and a session for them. False when the employee ID is another's. */
export async function openSession(db: Db, session: NewSession, now: Date): Promise<boolean> {
  const attempt = () => db.transaction().execute((tx) => openIn(tx, session, now));
  return attempt().catch((error: unknown) => {
    // Somebody came with the same new employee ID at the same moment and was first: now they are seen.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  });
}

async function openIn(tx: Transaction<Tables>, session: NewSession, now: Date): Promise<boolean> {
  const { sid, issuer, identity, openedAt, expiresAt, way, browser, caller } = session;
  const { subject, employeeId, profile } = identity;
  // First of all, and locked: of several sign-ins of one person at once, each sees what the one before it did.
  const known = await lockRows(
    tx,
    tx.selectFrom('person').select('employee_id').where('issuer', '=', issuer).where('subject', '=', subject),
  ).executeTakeFirst();
  const holder = await tx
    .selectFrom('person')
    .select(['issuer', 'subject'])
    .where('employee_id', '=', employeeId)
    .executeTakeFirst();
  if (holder !== undefined && (holder.issuer !== issuer || holder.subject !== subject)) return false;

  // Under another employee ID than before: what was signed under that one ends, it may be somebody else's next.
  if (known !== undefined && known.employee_id !== employeeId) {
    await endIn(tx, { issuer, subject }, { type: 'session-ended', detail: 'employee ID changed', ...caller }, now);
  }

  const details = {
    employee_id: employeeId,
    name: profile.name,
    given_name: profile.givenName,
    middle_name: profile.middleName ?? null,
    family_name: profile.familyName,
    picture: profile.picture ?? null,
    email: profile.email,
    email_verified: profile.emailVerified ? 1 : 0,
    phone_number: profile.phoneNumber,
    last_login_at: openedAt.toISOString(),
  };
  const { id } = await tx
    .insertInto('person')
    .values({ id: crypto.randomUUID(), issuer, subject, created_at: openedAt.toISOString(), ...details })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(details))
    .returning('id')
    .executeTakeFirstOrThrow();

  await tx
    .insertInto('session')
    .values({
      sid,
      person_id: id,
      roles: JSON.stringify(identity.roles),
      provider_sid: identity.providerSessionId ?? null,
      opened_at: openedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      ended_at: null,
      cookie_hash: browser?.cookieHash ?? null,
      id_token: browser?.sealedIdToken ?? null,
    })
    .execute();
  await writeAudit(tx, { type: 'sign-in', person: employeeId, session: sid, detail: way, ...caller }, now);
  return true;
}

export async function findPeople(db: Db, sids: readonly string[]): Promise<Map<string, PersonTable>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select('session.sid')
    .selectAll('person')
    .where('session.sid', 'in', filledUp(sids))
    .execute();
  return new Map(rows.map((row) => [row.sid, row]));
}

/** To a power of two, by naming the first again: as many different statements as those, not as numbers of people. */
function filledUp(sids: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(sids.length));
  return Array.from({ length }, (_, index) => sids[index] ?? sids[0] ?? '');
}

/** Which sessions: one, all of a person, or those the provider's own session or subject stands for. */
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

/** The living sessions, newest first. */
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

/** How the audit is to tell of it. */
export type EndingAudit = Caller & { type: 'logout' | 'session-ended'; detail?: string };

/** Ends them in one transaction, with the audit of each, and tells which. */
export async function endSessions(
  db: Db,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[]> {
  return db.transaction().execute((tx) => endIn(tx, choice, audit, now));
}

/** The same, once for each of these hashes: undefined when this one was used before. */
export async function endSessionsOnce(
  db: Db,
  tokenHash: string,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[] | undefined> {
  return db
    .transaction()
    .execute(async (tx) => ((await rememberIn(tx, tokenHash, now)) ? endIn(tx, choice, audit, now) : undefined));
}

async function endIn(
  tx: Transaction<Tables>,
  choice: SessionChoice,
  audit: EndingAudit,
  now: Date,
): Promise<SessionSummary[]> {
  // Where there is nothing to end, nothing is written and nobody else has to look.
  if ((await listSessions(tx, now, choice)).length === 0) return [];
  // Before looking again, since it makes this one at a time on either engine: of two who end a session, one does.
  await bumpRevision(tx, 'sessions');
  const ending = await listSessions(tx, now, choice);
  for (const { sid, employeeId } of ending) {
    await tx.updateTable('session').set({ ended_at: now.toISOString() }).where('sid', '=', sid).execute();
    await writeAudit(tx, { ...audit, person: employeeId, session: sid }, now);
  }
  return ending;
}

/** The session with this cookie, living or not, and its sealed ID token. */
export async function findByCookie(
  db: Db,
  cookieHash: string,
): Promise<{ sid: string; sealedIdToken: string | null } | undefined> {
  const query = db.selectFrom('session').select(['sid', 'id_token as sealedIdToken']);
  return query.where('cookie_hash', '=', cookieHash).executeTakeFirst();
}

/** Sealed ID tokens of sessions that are over; of one that was ended only after the time its browser needs to leave. */
export async function eraseIdTokens(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('session')
      .set({ id_token: null })
      .where('id_token', 'is not', null)
      .where(({ eb, or }) =>
        or([eb('ended_at', '<', before(now, leavingSeconds)), eb('expires_at', '<', now.toISOString())]),
      )
      .execute();
  });
}

/** A client may end the session by itself first (POST /auth/logout) and have the browser leave then. */
const leavingSeconds = 30;

/** The ended sessions that expire after this: their tokens would pass otherwise. */
export async function listEndedSessions(db: Db, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('sid')
    .where('ended_at', 'is not', null)
    .where('expires_at', '>', since.toISOString())
    .execute();
  return rows.map(({ sid }) => sid);
}

/** Settles a changed provider: the employee ID belongs to this account from now on, and to no session of before. */
export async function movePerson(
  db: Db,
  employeeId: string,
  { issuer, subject }: { issuer: string; subject: string },
  now: Date,
): Promise<'moved' | 'unchanged' | 'unknown' | 'taken'> {
  const moving = db.transaction().execute(async (tx) => {
    const people = tx.selectFrom('person').select(['employee_id', 'issuer', 'subject']);
    // Locked: of two who move one person at once, the second sees what the first did.
    const person = await lockRows(tx, people.where('employee_id', '=', employeeId)).executeTakeFirst();
    if (person === undefined) return 'unknown';
    if (person.issuer === issuer && person.subject === subject) return 'unchanged';
    const holder = people.where('issuer', '=', issuer).where('subject', '=', subject);
    if ((await holder.executeTakeFirst()) !== undefined) return 'taken';
    await tx.updateTable('person').set({ issuer, subject }).where('employee_id', '=', employeeId).execute();
    await writeAudit(tx, { type: 'person-moved', person: employeeId, detail: `${issuer} ${subject}` }, now);
    await endIn(tx, { employeeId }, { type: 'session-ended', detail: 'moved', ...nobody }, now);
    return 'moved';
  });
  return moving.catch((error: unknown) => {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  });
}

const nobody: Caller = { requestId: undefined, address: undefined };
