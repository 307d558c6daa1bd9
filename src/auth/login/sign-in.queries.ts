import type { Transaction } from 'kysely';
import { type AuditEntry, type Caller, finishWithAudit, takeAuditNumbers, writeAudit } from '../../audit/audit.ts';
import { inBatchesByDatabase } from '../../storage/batch.ts';
import { isStorageAway, isUniqueViolation } from '../../storage/errors.ts';
import { isPostgres } from '../../storage/migrations/engine.ts';
import { placesOf, type Steps, transactShortly } from '../../storage/short-transaction.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { profileColumns, storePerson } from '../people/person.queries.ts';
import type { Identity } from '../provider/claims.ts';
import type { SessionTimes } from '../sessions/session-token.ts';

/** The values stored for a session that a browser can renew and end with its cookie. */
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
  /** Set only for a bound sign-in. */
  browser?: BrowserSession | undefined;
  browserName: string | undefined;
  caller: Caller;
}

/** Stores a session and the person as the provider describes them. Returns false if the employee ID belongs to another account. */
export async function openSession(db: Db, session: NewSession, now: Date): Promise<boolean> {
  const signIn = { session, now };
  if ((await openForKnown(db, signIn)) ?? (await openForNew(db, signIn))) return true;
  const attempt = () => db.transaction().execute((tx) => openSessionIn(tx, session, now));
  return attempt().catch((error: unknown) => {
    // Another sign-in stored the same new employee ID at the same moment. A second attempt sees that row.
    if (isUniqueViolation(error)) return attempt();
    throw error;
  });
}

async function openSessionIn(tx: Transaction<Tables>, session: NewSession, now: Date): Promise<boolean> {
  const personId = await storePerson(tx, { ...session, openedAt: session.times.from }, now);
  if (personId === undefined) return false;
  await tx
    .insertInto('session')
    .values({ ...pick(rowOf(session), sessionNames), person_id: personId })
    .execute();
  writeAudit(tx, auditOf(session), now);
  return true;
}

function auditOf({ sid, identity: { employeeId }, flow, caller }: NewSession): AuditEntry {
  return { type: 'sign-in', person: employeeId, actor: employeeId, session: sid, detail: flow, ...caller };
}

/** Returns the values to store in the tables person and session, by column. The person's ID is not included. */
function rowOf({ sid, issuer, identity, times, browser, browserName, caller }: NewSession) {
  return {
    issuer,
    subject: identity.subject,
    employee_id: identity.employeeId,
    ...profileColumns(identity.profile),
    last_login_at: times.from.toISOString(),
    sid,
    roles: JSON.stringify(identity.roles),
    authentication: JSON.stringify(identity.authentication),
    address: caller.address ?? null,
    browser: browserName ?? null,
    provider_sid: identity.providerSessionId ?? null,
    opened_at: times.from.toISOString(),
    expires_at: times.expiresAt.toISOString(),
    cookie_hash: browser?.cookieHash ?? null,
    id_token: browser?.sealedIdToken ?? null,
    last_seen_at: times.from.toISOString(),
    idle_ends_at: times.idleEndsAt?.toISOString() ?? null,
    token_expires_at: times.until.toISOString(),
    refresh_token: browser?.sealedRefreshToken ?? null,
  };
}

type Row = ReturnType<typeof rowOf>;

const accountNames = ['issuer', 'subject', 'employee_id'] as const satisfies (keyof Row)[];
const profileNames = [
  'name',
  'given_name',
  'middle_name',
  'family_name',
  'picture',
  'email',
  'email_verified',
  'phone_number',
  'last_login_at',
] as const satisfies (keyof Row)[];
const sessionNames = [
  'sid',
  'roles',
  'authentication',
  'address',
  'browser',
  'provider_sid',
  'opened_at',
  'expires_at',
  'cookie_hash',
  'id_token',
  'last_seen_at',
  'idle_ends_at',
  'token_expires_at',
  'refresh_token',
] as const satisfies (keyof Row)[];
const [account, profile, ofSession] = [accountNames, profileNames, sessionNames].map((names) => names.join(', '));

const pick = <N extends keyof Row>(row: Row, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, N>;

interface SignIn {
  session: NewSession;
  now: Date;
}

const maxTogether = 50;

/**
 * Opens the session of a person who is already known under this employee ID, which is the usual case. For anyone else,
 * returns undefined and changes nothing. No other account can have the employee ID, since it is unique. Sign-ins that arrive
 * at the same time share a transaction, because each transaction holds the audit's lock until it is on disk.
 */
const openForKnown = inBatchesByDatabase(
  (db, signIns: readonly SignIn[]) => openTogether(db, signIns, isPostgres(db) ? openOnPostgres : openOnSqlite),
  maxTogether,
);

/**
 * Stores a new person and opens their first session. For anyone else, returns undefined and changes nothing. Does nothing on
 * SQLite, where there are no round trips to save.
 */
const openForNew = inBatchesByDatabase(
  async (db, signIns: readonly SignIn[]) => (isPostgres(db) ? openTogether(db, signIns, addOnPostgres) : new Map()),
  maxTogether,
);

async function openTogether(
  db: Db,
  signIns: readonly SignIn[],
  open: (steps: Steps, signIns: readonly SignIn[]) => Promise<Opened>,
): Promise<Map<SignIn, true>> {
  try {
    return await transactShortly(db, async (steps) => {
      const { sids, last } = await open(steps, signIns);
      const opened = signIns.filter(({ session }) => sids.includes(session.sid));
      if (opened.length > 0) {
        const entries = opened.map(({ session, now }) => ({ entry: auditOf(session), now }));
        await finishWithAudit(db, steps, entries, last);
      }
      return new Map(opened.map((signIn) => [signIn, true]));
    });
  } catch (error) {
    if (isStorageAway(error)) throw error;
    // If one of the sign-ins cannot be stored, each is then stored on its own, so that the others do not fail with it.
    return new Map();
  }
}

/** The sessions that were opened, and the number of their last audit row. */
interface Opened {
  sids: readonly string[];
  last: number;
}

async function openOnPostgres(steps: Steps, signIns: readonly SignIn[]): Promise<Opened> {
  const rows = signIns.map(({ session }) => rowOf(session));
  const [one, ...others] = rows;
  if (one === undefined || others.length > 0) return openBy(steps, openSeveral, [JSON.stringify(rows), rows.length]);
  return openBy(
    steps,
    openOne,
    allNames.map((name) => one[name]),
  );
}

async function addOnPostgres(steps: Steps, signIns: readonly SignIn[]): Promise<Opened> {
  const rows = signIns.map(({ session }) => rowOf(session));
  return openBy(steps, addSeveral, [JSON.stringify(rows), rows.length]);
}

async function openBy(steps: Steps, text: string, values: readonly unknown[]): Promise<Opened> {
  const { rows } = await steps.run<Opened>(text, values);
  return { sids: rows[0]?.sids ?? [], last: Number(rows[0]?.last) };
}

/** SQLite has no statement that writes to several tables, and no round trips to save. */
async function openOnSqlite(steps: Steps, signIns: readonly SignIn[]): Promise<Opened> {
  const sids: string[] = [];
  for (const { session } of signIns) {
    const row = rowOf(session);
    const valuesOf = (names: readonly (keyof Row)[]) => names.map((name) => row[name]);
    const known = await steps.run<{ id: string }>(describeKnown, valuesOf([...profileNames, ...accountNames]));
    if (known.rows[0] === undefined) continue;
    await steps.run(addSession, [known.rows[0].id, ...valuesOf(sessionNames)]);
    sids.push(row.sid);
  }
  const { rows } = await steps.run<{ last: number }>(`${takeAuditNumbers('$1')} returning last`, [sids.length]);
  return { sids, last: Number(rows[0]?.last) };
}

/** Returns placeholders such as `$4, $5`. */
const places = (from: number, names: readonly string[]) => names.map((_, index) => `$${from + index}`).join(', ');

const describeKnown = `
  update person set (${profile}) = (${places(1, profileNames)})
  where issuer = $10 and subject = $11 and employee_id = $12
  returning id`;
const addSession = `insert into session (person_id, ${ofSession}) values ${placesOf(1, sessionNames.length + 1)}`;

const typeOf = (name: keyof Row) => (name === 'email_verified' ? 'integer' : 'text');
const allNames = [...accountNames, ...profileNames, ...sessionNames];

// The limit tells the planner how many rows there are.
const severalGiven = `given as (
    select * from json_to_recordset($1::json) as given(${allNames.map((name) => `${name} ${typeOf(name)}`).join(', ')})
    limit $2)`;

/** Takes the audit's lock last, because every writer waits for it. */
const takeNumbers = `${takeAuditNumbers('counted.many')}
  from (select count(*) as many, array_agg(sid) as sids from opened) as counted
  where counted.many > 0
  returning last, sids`;

/** Rows locked by another transaction are skipped, so that nobody waits for another person's row. */
const openSeveral = `
  with ${severalGiven},
  known as (
    select person.id, given.* from given join person using (${account})
    for no key update of person skip locked),
  described as (
    update person set ${profileNames.map((name) => `${name} = known.${name}`).join(', ')}
    from known where person.id = known.id),
  opened as (
    insert into session (person_id, ${ofSession})
    select id, ${ofSession} from known
    returning sid)
  ${takeNumbers}`;

/** Does the same as `openSeveral` for one session, without JSON, at half the cost. */
const openOne = `
  with known as (
    update person set (${profile}) = (${places(4, profileNames)})
    where id = (
      select id from person where issuer = $1 and subject = $2 and employee_id = $3
      for no key update skip locked)
    returning id),
  opened as (
    insert into session (person_id, ${ofSession})
    select id, ${places(13, sessionNames)} from known
    returning sid)
  ${takeAuditNumbers('1')} from opened returning last, array[sid] as sids`;

/** Always inserts people in the same order, so that two transactions that add the same people cannot deadlock. */
const addSeveral = `
  with ${severalGiven},
  added as (
    insert into person (id, created_at, ${account}, ${profile})
    select gen_random_uuid(), last_login_at, ${account}, ${profile} from given order by employee_id
    on conflict do nothing
    returning id, ${account}),
  opened as (
    insert into session (person_id, ${ofSession})
    select id, ${ofSession} from given join added using (${account})
    returning sid)
  ${takeNumbers}`;
