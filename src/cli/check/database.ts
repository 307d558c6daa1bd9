// Checks whether the database can be opened, what its account may do, and whether SECRET_KEY decrypts the signing keys.
import { loadClientKeys } from '../../auth/keys/keys-in-use.ts';
import { type KeyTable, openActiveKey, WrongSecretKey } from '../../auth/keys/stored-keys.ts';
import { causesOf, codeOf } from '../../base/guards.ts';
import { usesOwnKey } from '../../config/client-assertion.ts';
import type { ClientKey } from '../../config/client-key.ts';
import type { Config, DatabaseSettings } from '../../config/config.ts';
import { findReadOnly, freeBytes, inspectServer, inspectStorage } from '../../storage/inspect.ts';
import { findSecret } from '../../storage/secret.ts';
import { type Db, nameOfDatabase } from '../../storage/storage.ts';
import { describeFailure, type Finding } from './finding.ts';

const part = 'database';

/** Returns the client key that Frontdesk made itself, if it is used and exists. */
export async function* checkDatabase(config: Config): AsyncGenerator<Finding, ClientKey | undefined> {
  const { database } = config;
  const name = nameOfDatabase(database);
  const readOnly = database.engine === 'sqlite' ? findReadOnly(database.file) : undefined;
  if (readOnly !== undefined) {
    yield { level: 'FAILS', part, text: `${readOnly} cannot be written: make it writable for the service's account` };
  }
  let storage: Awaited<ReturnType<typeof inspectStorage>>;
  try {
    storage = await inspectStorage(database);
  } catch (error) {
    // If a file or folder cannot be written, that is the likely reason, and it was reported above.
    if (readOnly === undefined) yield { level: 'FAILS', part, text: describeFailure(error) + adviceOn(error) };
    yield { level: 'skips', part: 'signing keys', text: 'not tried without the database' };
    return undefined;
  }
  if (storage === undefined) {
    yield { level: 'ok', part, text: `${name} will be created when the service first starts` };
    yield* checkSpace(database);
    return undefined;
  }
  try {
    if (database.engine === 'postgres') yield* checkServer(name, storage);
    else if (readOnly === undefined) yield { level: 'ok', part, text: `${name} opens${nextStart(storage)}` };
    yield* checkSpace(database);
    return yield* checkKeys(config, storage);
  } finally {
    await storage.db.destroy();
  }
}

interface Opened {
  db: Db;
  pendingMigrations: number;
}

const nextStart = ({ pendingMigrations }: Opened) =>
  pendingMigrations > 0 ? '; its tables will be brought up to date when the service next starts' : '';

async function* checkServer(name: string, opened: Opened): AsyncGenerator<Finding> {
  const { version, isReadOnly, mayCreate, missingGrants } = await inspectServer(opened.db);
  const failures = [
    isReadOnly && 'it is read-only (a standby, or default_transaction_read_only): DATABASE_URL must name the primary',
    opened.pendingMigrations > 0 &&
      !mayCreate &&
      'its tables are out of date, and this account may not create any: run frontdesk migrate as their owner',
    missingGrants.length > 0 &&
      `this account lacks permissions: as the owner, ${missingGrants.map((each) => `${each} to it`).join('; ')}`,
  ].filter((failure) => failure !== false);
  if (failures.length === 0)
    yield { level: 'ok', part, text: `${name} opens, PostgreSQL ${version}${nextStart(opened)}` };
  for (const failure of failures) yield { level: 'FAILS', part, text: `${name}: ${failure}` };
}

const mebibyte = 1024 * 1024;
const scarceBytes = 256 * mebibyte;

async function* checkSpace(database: DatabaseSettings): AsyncGenerator<Finding> {
  const free = database.engine === 'sqlite' ? freeBytes(database.file) : scarceBytes;
  if (free >= scarceBytes) return;
  const text = `${Math.floor(free / mebibyte)} MiB are free next to ${nameOfDatabase(database)}: if the disk is full, nobody can sign in`;
  yield { level: 'warns', part, text };
}

async function* checkKeys(
  config: Config,
  { db, pendingMigrations }: Opened,
): AsyncGenerator<Finding, ClientKey | undefined> {
  const level = 'ok';
  try {
    // Tables of an earlier version may lack what is read here.
    if (pendingMigrations > 0 || !(await hasKeys(db))) {
      yield { level, part: 'signing keys', text: 'the service decrypts or creates them when it starts' };
      return undefined;
    }
    const secretKey = findSecret(config);
    if (secretKey === undefined) throw new WrongSecretKey();
    await openActiveKey(db, 'signing_key', secretKey);
    yield { level, part: 'signing keys', text: 'SECRET_KEY decrypts them' };
    const ownsKey = usesOwnKey(config.provider?.assertion) && (await hasKeys(db, 'client_key'));
    return ownsKey ? (await loadClientKeys(db, secretKey, true)).active() : undefined;
  } catch (error) {
    const advice =
      error instanceof WrongSecretKey ? ': set the one that was in use, or restore it from its backup' : '';
    yield { level: 'FAILS', part: 'signing keys', text: describeFailure(error) + advice };
    return undefined;
  }
}

async function hasKeys(db: Db, table: KeyTable = 'signing_key'): Promise<boolean> {
  return (await db.selectFrom(table).select('kid').limit(1).execute()).length > 0;
}

const advice: [RegExp, string][] = [
  [/^28/, 'check the user and password in DATABASE_URL, and pg_hba.conf on the server'],
  [/^3D000$/, 'create the database, or check its name in DATABASE_URL'],
  [/^42501$/, 'see frontdesk migrate, and the grants in docs/operations.md'],
  [/^(ECONNREFUSED|ENOTFOUND|ETIMEDOUT)$/, 'check the host and port in DATABASE_URL, and that PostgreSQL is running'],
  [/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/, 'set sslrootcert in DATABASE_URL to the CA of its certificate'],
  [/^(EACCES|EROFS)$/, "make the folder writable for the service's account"],
];

/** What to do about a database error; empty if there is no advice for its code. */
function adviceOn(error: unknown): string {
  const codes = [...causesOf(error)].map((each) => String(codeOf(each)));
  const found = advice.find(([pattern]) => codes.some((code) => pattern.test(code)));
  return found === undefined ? '' : `: ${found[1]}`;
}
