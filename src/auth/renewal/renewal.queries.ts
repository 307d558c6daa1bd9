// The stored state of renewals: the session, the claim (one renewal's right to ask the provider), and the result. Every
// change requires an open session. If the session has ended or expired in the meantime, nothing is written and no token is
// issued.
import { sql, type Transaction, type UpdateObject } from 'kysely';
import { secondsBefore } from '../../base/time.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { profileColumns } from '../people/person.queries.ts';
import type { Identity } from '../provider/claims.ts';
import { isOpenAt } from '../sessions/session.queries.ts';
import type { SessionTimes } from '../sessions/session-token.ts';

/** Slightly longer than the calls to the provider may take. If a replica crashes, another renewal takes over after this time. */
const claimSeconds = 17;
/** After the provider has confirmed a session, it is not asked again for this long. */
const confirmedSeconds = 30;

export type RenewableSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** The session with this cookie, whether it is over or not. */
export async function findSession(db: Db, cookieHash: string) {
  return db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select([
      'sid',
      'roles',
      'authentication',
      'person_id as personId',
      'employee_id as employeeId',
      'issuer',
      'subject',
    ])
    .select(['ended_at as endedAt', 'expires_at as expiresAt', 'idle_ends_at as idleEndsAt'])
    .select(['refresh_token as sealedRefreshToken', 'provider_asked_at as providerAskedAt'])
    .select(['renewal_claim as claim', 'renewal_claimed_until as claimedUntil', 'renewal_failure as failure'])
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst();
}

export function isOver({ endedAt, expiresAt, idleEndsAt }: RenewableSession, now: Date): boolean {
  const at = now.toISOString();
  return endedAt !== null || expiresAt <= at || (idleEndsAt !== null && idleEndsAt <= at);
}

export function wasConfirmed({ providerAskedAt }: RenewableSession, now: Date): boolean {
  const { after, until } = confirmedTimes(now);
  return providerAskedAt !== null && providerAskedAt > after && providerAskedAt <= until;
}

export function isClaimed({ claimedUntil }: RenewableSession, now: Date): boolean {
  return claimedUntil !== null && claimedUntil > now.toISOString();
}

/** Whether the claim has expired without a result, because its replica has died or cannot reach the storage. */
export function isAbandoned(session: RenewableSession, now: Date): boolean {
  return session.claimedUntil !== null && !isClaimed(session, now);
}

/**
 * The range of times that count as a recent confirmation. A time far in the future was written by a replica with a wrong
 * clock. If it counted, the provider would not be asked until then.
 */
const confirmedTimes = (now: Date) => ({
  after: secondsBefore(now, confirmedSeconds).toISOString(),
  until: secondsBefore(now, -confirmedSeconds).toISOString(),
});

/** Held by the renewal that asks the provider. Each session has at most one at a time. */
export interface Claim {
  sid: string;
  claim: string;
}

/** Returns the sealed tokens for asking the provider, or undefined if another renewal was faster or the session has ended. */
export async function claimRenewal(db: Db, { sid, claim }: Claim, now: Date) {
  const at = now.toISOString();
  const confirmed = confirmedTimes(now);
  const change = {
    renewal_claim: claim,
    renewal_claimed_until: secondsBefore(now, -claimSeconds).toISOString(),
    renewal_failure: null,
  };
  return db.transaction().execute((tx) =>
    tx
      .updateTable('session')
      .set(change)
      .where('sid', '=', sid)
      .where(isOpenAt(now))
      .where(({ eb, or }) => or([eb('renewal_claimed_until', 'is', null), eb('renewal_claimed_until', '<=', at)]))
      .where(({ eb, or }) =>
        or([
          eb('provider_asked_at', 'is', null),
          eb('provider_asked_at', '<=', confirmed.after),
          eb('provider_asked_at', '>', confirmed.until),
        ]),
      )
      .returning(['refresh_token as sealedRefreshToken', 'id_token as sealedIdToken'])
      .executeTakeFirst(),
  );
}

/** Waits for the renewals in progress, at most as long as a claim lasts. */
export async function waitForRenewals(db: Db, now: () => Date): Promise<void> {
  const latest = secondsBefore(now(), -claimSeconds).toISOString();
  const underWay = () =>
    db
      .selectFrom('session')
      .select('sid')
      .where('renewal_claimed_until', '>', now().toISOString())
      .where('renewal_claimed_until', '<=', latest)
      .executeTakeFirst();
  while ((await underWay()) !== undefined) await Bun.sleep(200);
}

/** Stores a refresh token that replaces the last one. */
export async function keepRefreshToken(db: Db, claim: Claim, sealed: string | null, now: Date): Promise<void> {
  await db.transaction().execute((tx) => changeOpen(tx, { refresh_token: sealed }, claim, now));
}

export interface Failure {
  /** The problem code for the requests that wait for this renewal; undefined if they should try themselves. */
  code?: string | undefined;
  /** The refresh token to store, if the provider issued one before the failure. If undefined, the stored one is kept. */
  sealedRefreshToken?: string | null | undefined;
}

/** Ends the claim of a renewal that failed. */
export async function failRenewal(
  db: Db,
  claim: Claim,
  { code, sealedRefreshToken }: Failure,
  now: Date,
): Promise<void> {
  const change = {
    renewal_claimed_until: null,
    renewal_failure: code ?? null,
    ...(sealedRefreshToken !== undefined && { refresh_token: sealedRefreshToken }),
  };
  await db.transaction().execute((tx) => changeOpen(tx, change, claim, now));
}

export interface ConfirmedSession extends Claim {
  personId: string;
  identity: Identity;
  sealedRefreshToken: string | null;
  /** Undefined if the provider sent no ID token. The stored one is then kept. */
  sealedIdToken: string | null | undefined;
}

/** Stores the result of a renewal in one transaction. */
export async function finishRenewal(db: Db, session: ConfirmedSession, times: SessionTimes, now: Date): Promise<void> {
  const { sid, claim, personId, identity, sealedRefreshToken, sealedIdToken } = session;
  await db.transaction().execute(async (tx) => {
    // The person is updated before the session, because sign-ins take their locks in this order.
    const { numUpdatedRows } = await tx
      .updateTable('person')
      .set(profileColumns(identity.profile))
      .where('id', '=', personId)
      .where('employee_id', '=', identity.employeeId)
      .executeTakeFirstOrThrow();
    const change = {
      ...seen(times, now),
      roles: JSON.stringify(identity.roles),
      authentication: JSON.stringify(identity.authentication),
      refresh_token: sealedRefreshToken,
      provider_asked_at: now.toISOString(),
      renewal_claim: null,
      renewal_claimed_until: null,
      ...(sealedIdToken !== undefined && { id_token: sealedIdToken }),
    };
    if (numUpdatedRows === 0n) throw new Problem('session-ended', { reason: 'the employee ID has changed' });
    await changeOpen(tx, change, { sid, claim }, now);
    await extendTokens(tx, sid, times);
  });
}

/** Records a token that was issued without asking the provider. */
export async function recordToken(db: Db, sid: string, times: SessionTimes, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await changeOpen(tx, seen(times, now), { sid }, now);
    await extendTokens(tx, sid, times);
  });
}

/** Clocks of replicas differ by less than this, unless one of them is wrong. */
const wrongSeconds = 3600;

/** Keeps the stored times if they are far in the future, because this clock is then behind and would shorten the session. */
function seen({ idleEndsAt }: SessionTimes, now: Date) {
  const isBehind = sql`last_seen_at > ${secondsBefore(now, -wrongSeconds).toISOString()}`;
  return {
    last_seen_at: sql<string>`case when ${isBehind} then last_seen_at else ${now.toISOString()} end`,
    idle_ends_at: sql<string>`case when ${isBehind} then idle_ends_at else ${idleEndsAt?.toISOString() ?? null} end`,
  };
}

/** Throws if the session has ended in the meantime, or another renewal has taken over after this one's claim expired. */
async function changeOpen(
  tx: Transaction<Tables>,
  change: UpdateObject<Tables, 'session'>,
  { sid, claim }: { sid: string; claim?: string },
  now: Date,
): Promise<void> {
  let query = tx.updateTable('session').set(change).where('sid', '=', sid).where(isOpenAt(now));
  if (claim !== undefined) query = query.where('renewal_claim', '=', claim);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const open = tx.selectFrom('session').select('sid').where('sid', '=', sid).where(isOpenAt(now));
  const isOpen = (await open.executeTakeFirst()) !== undefined;
  throw isOpen
    ? new Problem('idp-timeout', { reason: 'another renewal has taken over' })
    : new Problem('session-ended');
}

/** Never shortens the time, because another replica may have issued a token that lasts longer. */
async function extendTokens(tx: Transaction<Tables>, sid: string, { until }: SessionTimes): Promise<void> {
  const at = until.toISOString();
  await tx
    .updateTable('session')
    .set({ token_expires_at: at })
    .where('sid', '=', sid)
    .where('token_expires_at', '<', at)
    .execute();
}
