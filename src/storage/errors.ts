// What an error of either engine means, by its code.
import { SQLiteError } from 'bun:sqlite';
import { DatabaseError } from 'pg';
import { codeOf } from '../telemetry/guards.ts';

interface Codes {
  sqlite?: RegExp;
  postgres: RegExp;
}

/**
 * Of PostgreSQL: connection (08), resources such as a full disk or too many connections (53), shutting down or a time
 * limit (57, 55P03), deadlock (40), a server that only reads (25006), and refused connections (28, 3D).
 */
const away: Codes = {
  sqlite: /^SQLITE_(BUSY|LOCKED|IOERR|FULL|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL|MISUSE)/,
  postgres: /^(08|53|57|40|28|55P03|25006|3D000)/,
};
const uniqueViolation: Codes = { sqlite: /^SQLITE_CONSTRAINT_UNIQUE$/, postgres: /^23505$/ };
const forbidden: Codes = { postgres: /^42501$/ };
/** Wrong user, password or certificate, or no such database. */
const refused: Codes = { postgres: /^(28|3D)/ };
const tableExists: Codes = { postgres: /^42P07$/ };

function hasCode(error: unknown, { sqlite, postgres }: Codes): boolean {
  if (error instanceof SQLiteError) return sqlite?.test(error.code ?? '') ?? false;
  return error instanceof DatabaseError && postgres.test(error.code ?? '');
}

/** Whether the storage cannot be reached or used now, as opposed to a statement that is wrong. */
export function isStorageAway(error: unknown): boolean {
  return error instanceof ConnectionLost || hasCode(error, away);
}

/** Whether another row has the value that has to be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, uniqueViolation);
}

/** Whether the database account may not do that. SQLite has no accounts. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, forbidden);
}

/** Whether a table or an index of that name exists. SQLite has one code for everything that is wrong with a statement. */
export function isTableThere(error: unknown): boolean {
  if (error instanceof SQLiteError) return error.code === 'SQLITE_ERROR' && / already exists$/.test(error.message);
  return hasCode(error, tableExists);
}

const damageMeanings: [RegExp, string][] = [
  [/^SQLITE_CORRUPT/, 'the file is damaged, restore a backup'],
  [/^SQLITE_NOTADB/, 'the file is no SQLite database'],
];

/** What is wrong with a database file itself, where waiting does not help; undefined otherwise. */
export function describeDamage(error: unknown): string | undefined {
  if (!(error instanceof SQLiteError)) return undefined;
  const [, meaning] = damageMeanings.find(([pattern]) => pattern.test(error.code ?? '')) ?? [];
  return meaning === undefined ? undefined : `${error.code}: ${meaning}`;
}

/** The connection, or the server behind it, is not there. */
export class ConnectionLost extends Error {
  readonly code: unknown;
  /** Whether waiting helps. */
  readonly mayPass: boolean;

  constructor(cause: unknown) {
    super('the connection to PostgreSQL is lost', { cause });
    this.name = 'ConnectionLost';
    const message = cause instanceof Error ? cause.message : '';
    const [, refusal] = refusals.find(([pattern]) => pattern.test(message)) ?? [];
    this.code = refusal ?? codeOf(cause);
    this.mayPass = refusal === undefined && !String(this.code).includes('CERT');
  }
}

/** What pg says when the configuration is wrong, and not the network. These errors have no code. */
const refusals: [RegExp, string][] = [
  [/password must be a (non-empty )?string/, 'a password is needed'],
  [/does not support SSL/, 'there is no TLS'],
];

/** The database is not there, may not be opened, or is no database of ours. */
export class CannotOpenDatabase extends Error {
  readonly reason: string;
  /** Whether it may be there in a while, with the same configuration. */
  readonly mayPass: boolean;

  constructor(
    name: string,
    cause: unknown,
    why = describeDamage(cause) ?? String(firstCodeOf(cause) ?? 'unknown reason'),
  ) {
    const reason = `${name} cannot be opened (${why})`;
    super(reason, { cause });
    this.name = 'CannotOpenDatabase';
    this.reason = reason;
    this.mayPass = mayPass(cause);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionLost) return error.mayPass;
  return error instanceof DatabaseError && hasCode(error, away) && !hasCode(error, refused);
}

/** A lost connection may have the reason, and its code, in its cause. */
function firstCodeOf(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = codeOf(each);
    if (code !== undefined) return code;
  }
  return undefined;
}
