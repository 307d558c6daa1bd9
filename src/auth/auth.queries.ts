// Every statement of the sign-in area.
import type { Db } from '../storage/storage.ts';
import type { PersonTable } from '../storage/tables.ts';
import type { Identity } from './claims.ts';

/** False when the code was seen before. */
export async function rememberCode(db: Db, codeHash: string, now: Date): Promise<boolean> {
  const anHourAgo = new Date(now.getTime() - 3_600_000).toISOString();
  return db.transaction().execute(async (tx) => {
    await tx.deleteFrom('used_code').where('used_at', '<', anHourAgo).execute();
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('used_code')
      .values({ code_hash: codeHash, used_at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  });
}

export async function forgetCode(db: Db, codeHash: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('used_code').where('code_hash', '=', codeHash).execute();
  });
}

export interface NewSession {
  sid: string;
  issuer: string;
  identity: Identity;
  openedAt: Date;
  expiresAt: Date;
}

/** The person as the provider tells them now, and a session for them. False when the employee ID is another's. */
export async function openSession(
  db: Db,
  { sid, issuer, identity, openedAt, expiresAt }: NewSession,
): Promise<boolean> {
  const { subject, employeeId, profile } = identity;
  const aDayAgo = new Date(openedAt.getTime() - 86_400_000).toISOString();
  return db.transaction().execute(async (tx) => {
    const holder = await tx
      .selectFrom('person')
      .select(['issuer', 'subject'])
      .where('employee_id', '=', employeeId)
      .executeTakeFirst();
    if (holder !== undefined && (holder.issuer !== issuer || holder.subject !== subject)) return false;

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

    await tx.deleteFrom('session').where('expires_at', '<', aDayAgo).execute();
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
      })
      .execute();
    return true;
  });
}

export async function findPerson(db: Db, sid: string): Promise<PersonTable | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .selectAll('person')
    .where('session.sid', '=', sid)
    .executeTakeFirst();
}

export async function endSession(db: Db, sid: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('session')
      .set({ ended_at: now.toISOString() })
      .where('sid', '=', sid)
      .where('ended_at', 'is', null)
      .execute();
  });
}

/** The ended sessions whose tokens would still pass otherwise. */
export async function listEndedSessions(db: Db, now: Date): Promise<{ sid: string; expiresAt: Date }[]> {
  const rows = await db
    .selectFrom('session')
    .select(['sid', 'expires_at'])
    .where('ended_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .execute();
  return rows.map((row) => ({ sid: row.sid, expiresAt: new Date(row.expires_at) }));
}
