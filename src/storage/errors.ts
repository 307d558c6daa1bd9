// Tells what an error from either engine means, by its code or, if the driver gives no code, by its message.
import { SQLiteError } from 'bun:sqlite';
import { DatabaseError } from 'pg';
import { causesOf, codeOf } from '../base/guards.ts';

interface Codes {
  sqlite?: RegExp;
  postgres: RegExp;
}

/** Whether an error has one of these codes. */
const withCode =
  ({ sqlite, postgres }: Codes) =>
  (error: unknown): boolean => {
    if (error instanceof SQLiteError) return sqlite?.test(error.code ?? '') ?? false;
    return error instanceof DatabaseError && postgres.test(error.code ?? '');
  };

/**
 * PostgreSQL's error classes: connection (08), resources such as a full disk or too many connections (53), shutdown or a
 * time limit (57, 55P03), deadlock (40), a read-only server (25006), and refused connections (28, 3D).
 */
const isUnavailable = withCode({
  sqlite: /^SQLITE_(BUSY|LOCKED|IOERR|FULL|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL|MISUSE)/,
  postgres: /^(08|53|57|40|28|55P03|25006|3D000)/,
});
/** Wrong user, password or certificate, or no such database. */
const isRefused = withCode({ postgres: /^(28|3D)/ });
const isExistingTable = withCode({ postgres: /^42P07$/ });

/** Whether another process holds a lock for longer than a statement waits, or waits for one of ours (a deadlock). */
export const isLocked = withCode({ sqlite: /^SQLITE_(BUSY|LOCKED)/, postgres: /^(55P03|40P01)$/ });

/** Whether the disk is full or failing. Managed servers become read-only then. */
export const isUnwritable = withCode({ sqlite: /^SQLITE_(FULL|IOERR|READONLY)/, postgres: /^(53100|25006)$/ });

/** Whether a unique value is already taken by another row. */
export const isUniqueViolation = withCode({ sqlite: /^SQLITE_CONSTRAINT_UNIQUE$/, postgres: /^23505$/ });

/** Whether the database account lacks a permission. SQLite has no accounts. */
export const isForbidden = withCode({ postgres: /^42501$/ });

/** Whether the storage cannot be reached or used now, rather than the statement being wrong. */
export function isStorageAway(error: unknown): boolean {
  return error instanceof ConnectionLost || (isUnavailable(error) && !isParameterRefused(error));
}

/** Whether the server, or a pooler in front of it, refuses this connection permanently. */
export function isConnectionRefused(error: unknown): boolean {
  return isRefused(error) || isParameterRefused(error);
}

/** PgBouncer uses 08P01 both for a connection parameter it does not know and for a server it cannot reach. */
function isParameterRefused(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '08P01' && uncoded.parameter.test(error.message);
}

/** Whether a table or an index with that name already exists. */
export function isTableThere(error: unknown): boolean {
  return isExistingTable(error) || (error instanceof SQLiteError && uncoded.tableExists.test(error.message));
}

/** Whether the server did not answer a statement at all. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && uncoded.readTimeout.test(error.message);
}

/** Whether the connection timed out without an answer. The server may have accepted it. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectionLost && error.code === timedOut;
}

const timedOut = 'ETIMEDOUT';

/**
 * The only messages that decisions depend on. pg gives these errors no code, and SQLite has one code for everything that is
 * wrong with a statement.
 */
const uncoded = {
  tableExists: / already exists$/,
  readTimeout: /^Query read timeout$/,
  connectTimeout: /^(timeout expired|Connection terminated due to connection timeout)$/,
  parameter: /\bparameter\b/,
  passwordMissing: /password must be a (non-empty )?string/,
  tlsMissing: /does not support SSL/,
};

const damageMeanings: [RegExp, string][] = [
  [/^SQLITE_CORRUPT/, 'the file is damaged, restore a backup'],
  [/^SQLITE_NOTADB/, 'the file is not a SQLite database'],
];

/** What is wrong with a database file itself, if waiting does not help; undefined otherwise. */
export function describeDamage(error: unknown): string | undefined {
  if (!(error instanceof SQLiteError)) return undefined;
  const [, meaning] = damageMeanings.find(([pattern]) => pattern.test(error.code ?? '')) ?? [];
  return meaning === undefined ? undefined : `${error.code}: ${meaning}`;
}

/** The connection is lost, or the server cannot be reached. */
export class ConnectionLost extends Error {
  readonly code: unknown;
  readonly reason: string | undefined;
  /** Whether waiting may help. */
  readonly mayPass: boolean;

  constructor(cause: unknown) {
    super('the connection to PostgreSQL is lost', { cause });
    this.name = 'ConnectionLost';
    this.code = codeOf(cause) ?? (isTimeout(cause) ? timedOut : undefined);
    const misconfiguration = describeMisconfiguration(cause);
    this.reason = misconfiguration ?? (this.code === timedOut ? `${timedOut}: no answer in time` : undefined);
    this.mayPass = misconfiguration === undefined && !String(this.code).includes('CERT');
  }
}

function isTimeout(error: unknown): boolean {
  return isReadTimeout(error) || (error instanceof Error && uncoded.connectTimeout.test(error.message));
}

/** What is wrong with the configuration, if the network is not the reason. */
function describeMisconfiguration(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (uncoded.passwordMissing.test(error.message)) return 'a password is needed';
  return uncoded.tlsMissing.test(error.message) ? 'the server does not support TLS' : undefined;
}

/** The database does not exist, may not be opened, or does not belong to Frontdesk. */
export class CannotOpenDatabase extends Error {
  readonly reason: string;
  /** Whether a later attempt may succeed without a change to the configuration. */
  readonly mayPass: boolean;

  constructor(name: string, cause: unknown, why = describeDamage(cause) ?? firstReasonIn(cause)) {
    const reason = `${name} cannot be opened (${why})`;
    super(reason, { cause });
    this.name = 'CannotOpenDatabase';
    this.reason = reason;
    this.mayPass = mayPass(cause);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionLost) return error.mayPass;
  if (isLocked(error)) return true;
  return error instanceof DatabaseError && isUnavailable(error) && !isConnectionRefused(error);
}

/** DATABASE_URL may contain the refused parameter, or a library may have added it. */
const poolerRefuses = '08P01: the pooler in front of it refuses a connection parameter';

/**
 * Our own reason for the error, if there is one, or else its code. If a connection was lost, both may be only in the cause.
 */
function firstReasonIn(error: unknown): string {
  for (const each of causesOf(error)) {
    const reason = 'reason' in each ? (each.reason ?? codeOf(each)) : codeOf(each);
    if (isParameterRefused(each)) return poolerRefuses;
    if (reason !== undefined) return String(reason);
  }
  return 'unknown reason';
}
