import type { Transaction } from 'kysely';
import { type Caller, writeAudit } from '../audit/audit.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { storePerson } from './person.queries.ts';
import type { Identity } from './provider/claims.ts';
import type { SessionTimes } from './session-token.ts';

/** What a session has that a browser can renew and end by its cookie. */
interface BrowserSession {
  cookieHash: string;
  sealedIdToken: string | null;
  sealedRefreshToken: string | null;
}

export interface NewSession {
  sid: string;
  issuer: string;
  identity: Identity;
  times: SessionTimes;
  flow: string;
  /** Of a bound sign-in. */
  browser?: BrowserSession | undefined;
  browserName: string | undefined;
  caller: Caller;
}

/** Stores the person as the provider describes them, and a session. False when the employee ID is another's. */
export async function openSession(db: Db, session: NewSession, now: Date): Promise<boolean> {
  const attempt = () => db.transaction().execute((tx) => openSessionIn(tx, session, now));
  return attempt().catch((error: unknown) => {
    // Another sign-in stored the same new employee ID at the same moment: the second attempt sees it.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  });
}

async function openSessionIn(tx: Transaction<Tables>, session: NewSession, now: Date): Promise<boolean> {
  const { sid, identity, times, flow, browser, browserName, caller } = session;
  const personId = await storePerson(tx, { ...session, openedAt: times.from }, now);
  if (personId === undefined) return false;
  await tx
    .insertInto('session')
    .values({
      sid,
      person_id: personId,
      roles: JSON.stringify(identity.roles),
      authentication: JSON.stringify(identity.authentication),
      address: caller.address ?? null,
      browser: browserName ?? null,
      provider_sid: identity.providerSessionId ?? null,
      opened_at: times.from.toISOString(),
      expires_at: times.expiresAt.toISOString(),
      ended_at: null,
      cookie_hash: browser?.cookieHash ?? null,
      id_token: browser?.sealedIdToken ?? null,
      last_seen_at: times.from.toISOString(),
      idle_ends_at: times.idleEndsAt?.toISOString() ?? null,
      token_expires_at: times.until.toISOString(),
      refresh_token: browser?.sealedRefreshToken ?? null,
    })
    .execute();
  const who = { person: identity.employeeId, actor: identity.employeeId, session: sid };
  writeAudit(tx, { type: 'sign-in', ...who, detail: flow, ...caller }, now);
  return true;
}
