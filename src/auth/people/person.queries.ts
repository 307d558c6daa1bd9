// People: each is an account at the provider (issuer, subject) with an employee ID.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { type Caller, frontdesk, writeAudit } from '../../audit/audit.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import { pagesByKey } from '../../storage/pages.ts';
import { type Db, lockRows } from '../../storage/storage.ts';
import type { PersonTable, Tables } from '../../storage/tables.ts';
import type { Identity, Profile } from '../provider/claims.ts';
import { endSessionsIn } from '../sessions/session.queries.ts';

export type KnownPerson = Pick<Identity, 'employeeId' | 'profile'>;

export async function findPeople(db: Db, sids: readonly string[]): Promise<Map<string, KnownPerson>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select('session.sid')
    .selectAll('person')
    .where('session.sid', 'in', padToPowerOfTwo(sids))
    .execute();
  return new Map(rows.map((row) => [row.sid, personOf(row)]));
}

/** Maximum number of IDs in one statement. */
const idsAtOnce = 500;

/** Returns names by employee ID. People who never signed in or were forgotten are missing. */
export async function findNames(db: Kysely<Tables>, employeeIds: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let start = 0; start < employeeIds.length; start += idsAtOnce) {
    const some = employeeIds.slice(start, start + idsAtOnce);
    const rows = await db
      .selectFrom('person')
      .select(['employee_id', 'name'])
      .where('employee_id', 'in', padToPowerOfTwo(some))
      // A person who was forgotten has an empty name.
      .where('name', '!=', '')
      .execute();
    for (const { employee_id, name } of rows) names.set(employee_id, name);
  }
  return names;
}

const peopleOfPage = 1000;

/** The employee IDs of at most `most` people whose name matches. People who were forgotten have no name. */
export async function findNamed(
  db: Kysely<Tables>,
  matches: (name: string) => boolean,
  most: number,
): Promise<string[]> {
  const found: string[] = [];
  const people = db.selectFrom('person').select(['id', 'employee_id', 'name']).where('name', '!=', '');
  for await (const page of pagesByKey(people, peopleOfPage, { id: '' })) {
    found.push(...page.filter(({ name }) => matches(name)).map(({ employee_id }) => employee_id));
    if (found.length >= most) break;
    // SQLite blocks this thread, so other requests get a turn between two pages.
    await nextTurn();
  }
  return found.slice(0, most);
}

/**
 * Maximum number of sessions whose roles are read, beginning with those that expire last. There is an index with this order.
 */
const sessionsRead = 5000;

/** The roles of people whose sessions are still stored. Sessions are deleted a day after they expire. */
export async function findRoles(db: Kysely<Tables>): Promise<string[]> {
  const recent = db
    .selectFrom('session')
    .select('roles')
    .orderBy('expires_at', 'desc')
    .limit(sessionsRead)
    .as('recent');
  const rows = await db.selectFrom(recent).select('recent.roles').distinct().execute();
  return [...new Set(rows.flatMap(({ roles }) => JSON.parse(roles) as string[]))];
}

function personOf(row: PersonTable): KnownPerson {
  return {
    employeeId: row.employee_id,
    profile: {
      name: row.name,
      givenName: row.given_name,
      middleName: row.middle_name ?? undefined,
      familyName: row.family_name,
      picture: row.picture ?? undefined,
      email: row.email,
      emailVerified: row.email_verified === 1,
      phoneNumber: row.phone_number,
    },
  };
}

/** Repeats IDs up to the next power of two, so that there are few different SQL statements instead of one for each count. */
function padToPowerOfTwo(ids: readonly string[]): string[] {
  return [...ids, ...ids].slice(0, 2 ** Math.ceil(Math.log2(ids.length)));
}

export const profileColumns = (profile: Profile) => ({
  name: profile.name,
  given_name: profile.givenName,
  middle_name: profile.middleName ?? null,
  family_name: profile.familyName,
  picture: profile.picture ?? null,
  email: profile.email,
  email_verified: profile.emailVerified ? 1 : 0,
  phone_number: profile.phoneNumber,
});

interface SignedInPerson {
  issuer: string;
  identity: Identity;
  openedAt: Date;
  caller: Caller;
}

/** Stores what the provider says about a person, and returns their ID; undefined if the employee ID belongs to another account. */
export async function storePerson(
  tx: Transaction<Tables>,
  { issuer, identity, openedAt, caller }: SignedInPerson,
  now: Date,
): Promise<string | undefined> {
  const { subject, employeeId, profile } = identity;
  // Read first and locked, so that if a person signs in several times at once, each sign-in sees what the previous one did.
  const known = await lockRows(
    tx,
    tx.selectFrom('person').select('employee_id').where('issuer', '=', issuer).where('subject', '=', subject),
  ).executeTakeFirst();
  if (await isHeldByAnother(tx, issuer, identity)) return undefined;

  // The old employee ID may be given to someone else, so the sessions under it end.
  if (known !== undefined && known.employee_id !== employeeId) {
    await endSessionsIn(
      tx,
      { issuer, subject },
      { type: 'session-ended', detail: 'employee ID changed', actor: frontdesk, ...caller },
      now,
    );
  }

  const at = openedAt.toISOString();
  const details = { employee_id: employeeId, ...profileColumns(profile), last_login_at: at };
  const { id } = await tx
    .insertInto('person')
    .values({ id: crypto.randomUUID(), issuer, subject, created_at: at, ...details })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(details))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether the employee ID belongs to another account. */
export async function isHeldByAnother(
  db: Db | Transaction<Tables>,
  issuer: string,
  { subject, employeeId }: Pick<Identity, 'subject' | 'employeeId'>,
): Promise<boolean> {
  const people = db.selectFrom('person').select(['issuer', 'subject']).where('employee_id', '=', employeeId);
  const holder = await people.executeTakeFirst();
  return holder !== undefined && (holder.issuer !== issuer || holder.subject !== subject);
}

/** Gives the employee ID to the person's new account at the provider, and ends the earlier sessions. */
export async function movePerson(
  db: Db,
  employeeId: string,
  { issuer, subject }: { issuer: string; subject: string },
  actor: string,
  now: Date,
): Promise<'moved' | 'unchanged' | 'unknown' | 'taken'> {
  const moving = db.transaction().execute(async (tx) => {
    const people = tx.selectFrom('person').select(['employee_id', 'issuer', 'subject']);
    // Locked, so that if a person is moved twice at once, the second move sees what the first did.
    const person = await lockRows(tx, people.where('employee_id', '=', employeeId)).executeTakeFirst();
    if (person === undefined) return 'unknown';
    if (person.issuer === issuer && person.subject === subject) return 'unchanged';
    const holder = people.where('issuer', '=', issuer).where('subject', '=', subject);
    if ((await holder.executeTakeFirst()) !== undefined) return 'taken';
    await tx.updateTable('person').set({ issuer, subject }).where('employee_id', '=', employeeId).execute();
    writeAudit(tx, { type: 'person-moved', person: employeeId, actor, detail: `${issuer} ${subject}` }, now);
    await endSessionsIn(tx, { employeeId }, { type: 'session-ended', detail: 'moved', actor }, now);
    return 'moved';
  });
  return moving.catch((error: unknown) => {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  });
}
