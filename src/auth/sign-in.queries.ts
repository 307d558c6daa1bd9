import type { Transaction } from 'kysely';
import { type AuditEntry, type Caller, finishWithAudit, takeAuditNumber, writeAudit } from '../audit/audit.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { isPostgres } from '../storage/migrations/engine.ts';
import { type Steps, transactShortly } from '../storage/short-transaction.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { profileColumns, storePerson } from './person.queries.ts';
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
  if (await openForKnown(db, session, now)) return true;
  const attempt = () => db.transaction().execute((tx) => openSessionIn(tx, session, now));
  return attempt().catch((error: unknown) => {
    // Another sign-in stored the same new employee ID at the same moment: the second attempt sees it.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  });
}

async function openSessionIn(tx: Transaction<Tables>, session: NewSession, now: Date): Promise<boolean> {
  const personId = await storePerson(tx, { ...session, openedAt: session.times.from }, now);
  if (personId === undefined) return false;
  await tx
    .insertInto('session')
    .values({ ...sessionColumns(session), person_id: personId })
    .execute();
  writeAudit(tx, auditOf(session), now);
  return true;
}

function auditOf({ sid, identity: { employeeId }, flow, caller }: NewSession): AuditEntry {
  return { type: 'sign-in', person: employeeId, actor: employeeId, session: sid, detail: flow, ...caller };
}

/** All but the person's ID. */
function sessionColumns({ sid, identity, times, browser, browserName, caller }: NewSession) {
  return {
    sid,
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
  };
}

/**
 * For the usual sign-in, of a person who is known under this employee ID: false for anybody else, of whom nothing is
 * changed. No other account can have the employee ID then, since it is unique.
 */
async function openForKnown(db: Db, session: NewSession, now: Date): Promise<boolean> {
  const { issuer, identity, times } = session;
  const person = { ...profileColumns(identity.profile), last_login_at: times.from.toISOString() };
  const account = [issuer, identity.subject, identity.employeeId];
  const columns = sessionColumns(session);
  texts ??= textsFor(Object.keys(person), Object.keys(columns));
  const statements = texts;
  const open = isPostgres(db) ? openInOneStatement : openInThree;
  return transactShortly(db, async (steps) => {
    const seq = await open(steps, statements, [...Object.values(person), ...account], Object.values(columns));
    if (seq === undefined) return false;
    await finishWithAudit(db, steps, auditOf(session), seq, now);
    return true;
  });
}

type Texts = ReturnType<typeof textsFor>;
let texts: Texts | undefined;

/** Made once: all sign-ins have the same columns. */
function textsFor(personNames: readonly string[], names: readonly string[]) {
  const places = (count: number, before: number) =>
    Array.from({ length: count }, (_, index) => `$${before + index + 1}`);
  const [issuer, subject, employeeId] = places(3, personNames.length);
  const update = `update person set ${personNames.map((name, index) => `${name} = $${index + 1}`).join(', ')}
    where issuer = ${issuer} and subject = ${subject} and employee_id = ${employeeId} returning id`;
  const into = `insert into session (person_id, ${names.join(', ')})`;
  const own = places(names.length, personNames.length + 3).join(', ');
  return {
    update,
    insert: `${into} values (${places(names.length + 1, 0).join(', ')})`,
    // Each part needs a row of the one before it, so the lock of the audit is taken last.
    all: `with known as (${update}), opened as (${into} select id, ${own} from known returning sid)
      ${takeAuditNumber} from opened returning last`,
  };
}

/** The number of the audit row, or undefined where the person is not known. */
type Open = (steps: Steps, texts: Texts, person: unknown[], session: unknown[]) => Promise<number | undefined>;

const openInOneStatement: Open = async (steps, { all }, person, session) => {
  const { rows } = await steps.run<{ last: number }>(all, [...person, ...session]);
  return rows[0]?.last;
};

/** SQLite has no statement that writes to several tables. */
const openInThree: Open = async (steps, { update, insert }, person, session) => {
  const { rows: known } = await steps.run<{ id: string }>(update, person);
  if (known[0] === undefined) return undefined;
  await steps.run(insert, [known[0].id, ...session]);
  const { rows } = await steps.run<{ last: number }>(`${takeAuditNumber} returning last`, []);
  return rows[0]?.last;
};
