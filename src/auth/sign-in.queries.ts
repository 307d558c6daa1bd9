import type { Transaction } from 'kysely';
import { type AuditEntry, type Caller, finishWithAudit, takeAuditNumbers, writeAudit } from '../audit/audit.ts';
import { inBatchesByDatabase } from '../storage/batch.ts';
import { isStorageAway, isUniqueViolation } from '../storage/errors.ts';
import { isPostgres } from '../storage/migrations/engine.ts';
import { placesOf, type Steps, transactShortly } from '../storage/short-transaction.ts';
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
  const signIn = { session, now };
  if ((await openForKnown(db, signIn)) ?? (await openForNew(db, signIn))) return true;
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

interface SignIn {
  session: NewSession;
  now: Date;
}

const mostTogether = 50;

/** What is stored of it, by table; the account says which person. */
function columnsOf({ session }: SignIn) {
  const { issuer, identity, times } = session;
  return {
    person: { ...profileColumns(identity.profile), last_login_at: times.from.toISOString() },
    account: { issuer, subject: identity.subject, employee_id: identity.employeeId },
    session: sessionColumns(session),
  };
}

/**
 * For the usual sign-in, of a person who is known under this employee ID: undefined for anybody else, of whom nothing is
 * changed. No other account can have the employee ID then, since it is unique. Those that come at the same time share a
 * transaction: the lock of the audit admits one at a time, until it is on the disk.
 */
const openForKnown = inBatchesByDatabase(
  (db, signIns: readonly SignIn[]) => openTogether(db, signIns, isPostgres(db) ? openOnPostgres : openOnSqlite),
  mostTogether,
);

/** For the first sign-in of somebody: undefined for anybody else, of whom nothing is changed. SQLite has no round trips to save. */
const openForNew = inBatchesByDatabase(
  async (db, signIns: readonly SignIn[]) => (isPostgres(db) ? openTogether(db, signIns, addOnPostgres) : new Map()),
  mostTogether,
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
    // One of them cannot be stored. Each is opened on its own, so that the others are not refused with it.
    return new Map();
  }
}

/** Those that were opened, and the last number of their audit rows. */
interface Opened {
  sids: readonly string[];
  last: number;
}

async function openOnPostgres(steps: Steps, signIns: readonly SignIn[]): Promise<Opened> {
  const rows = signIns.map(columnsOf);
  const [first] = rows;
  // One by itself costs half as much without JSON.
  if (first === undefined || rows.length > 1) return openRows(steps, 'all', rows);
  return openBy(steps, textsFrom(first).one, Object.values(allOf(first)));
}

const addOnPostgres = (steps: Steps, signIns: readonly SignIn[]) => openRows(steps, 'add', signIns.map(columnsOf));

async function openRows(steps: Steps, name: 'all' | 'add', rows: readonly Columns[]): Promise<Opened> {
  const [first] = rows;
  if (first === undefined) return { sids: [], last: 0 };
  return openBy(steps, textsFrom(first)[name], [JSON.stringify(rows.map(allOf)), rows.length]);
}

async function openBy(steps: Steps, text: string, values: readonly unknown[]): Promise<Opened> {
  const { rows } = await steps.run<Opened>(text, values);
  return { sids: rows[0]?.sids ?? [], last: Number(rows[0]?.last) };
}

/** It has no statement that writes to several tables, and no round trips to save. */
async function openOnSqlite(steps: Steps, signIns: readonly SignIn[]): Promise<Opened> {
  const sids: string[] = [];
  for (const signIn of signIns) {
    const columns = columnsOf(signIn);
    const { update, insert } = textsFrom(columns);
    const { person, account, session } = columns;
    const known = await steps.run<{ id: string }>(update, Object.values({ ...person, ...account }));
    if (known.rows[0] === undefined) continue;
    await steps.run(insert, [known.rows[0].id, ...Object.values(session)]);
    sids.push(session.sid);
  }
  const { rows } = await steps.run<{ last: number }>(`${takeAuditNumbers('$1')} returning last`, [sids.length]);
  return { sids, last: Number(rows[0]?.last) };
}

type Columns = ReturnType<typeof columnsOf>;

const allOf = ({ person, account, session }: Columns) => ({ ...person, ...account, ...session });

let texts: ReturnType<typeof textsFor> | undefined;

/** Made once: all sign-ins have the same columns. */
function textsFrom(columns: Columns): ReturnType<typeof textsFor> {
  texts ??= textsFor(columns);
  return texts;
}

/**
 * On PostgreSQL, whoever's row somebody else is writing is left out, so nobody waits for another person's row. The lock of the
 * audit, for which everybody waits, is taken last.
 */
function textsFor(columns: Columns) {
  const all = Object.entries(allOf(columns));
  const places = new Map(all.map(([name], index) => [name, `$${index + 1}`]));
  const assign = (row: object, value: (name: string) => string | undefined, between: string) =>
    Object.keys(row)
      .map((name) => `${name} = ${value(name)}`)
      .join(between);
  const place = (name: string) => places.get(name);
  const { person, account, session } = columns;
  const [names, accountNames] = [Object.keys(session), Object.keys(account).join(', ')];
  const ofPerson = `${accountNames}, ${Object.keys(person).join(', ')}`;
  const into = `insert into session (person_id, ${names.join(', ')})`;
  const isAccount = assign(account, place, ' and ');
  const unlocked = 'for no key update of person skip locked';
  // The limit tells the planner how many they are.
  const given = `given as (select * from json_to_recordset($1::json)
      as given(${all.map(([name, value]) => `${name} ${typeof value === 'number' ? 'integer' : 'text'}`).join(', ')}) limit $2)`;
  const numbered = `${takeAuditNumbers('counted.many')}
      from (select count(*) as many, array_agg(sid) as sids from opened) as counted
      where counted.many > 0 returning last, sids`;
  return {
    update: `update person set ${assign(person, place, ', ')} where ${isAccount} returning id`,
    insert: `${into} values ${placesOf(1, names.length + 1)}`,
    one: `with known as (update person set ${assign(person, place, ', ')}
        where id = (select id from person where ${isAccount} ${unlocked}) returning id),
      opened as (${into} select id, ${names.map(place).join(', ')} from known returning sid)
      ${takeAuditNumbers('1')} from opened returning last, array[sid] as sids`,
    all: `with ${given},
      known as (select person.id, given.* from given join person using (${accountNames}) ${unlocked}),
      described as (update person set ${assign(person, (name) => `known.${name}`, ', ')} from known where person.id = known.id),
      opened as (${into} select id, ${names.join(', ')} from known returning sid)
      ${numbered}`,
    // In one order everywhere: two that add the same people cannot wait for each other.
    add: `with ${given},
      added as (insert into person (id, created_at, ${ofPerson})
        select gen_random_uuid(), last_login_at, ${ofPerson} from given order by employee_id
        on conflict do nothing returning id, ${accountNames}),
      opened as (${into} select id, ${names.join(', ')} from given join added using (${accountNames}) returning sid)
      ${numbered}`,
  };
}
