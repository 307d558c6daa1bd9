// Commands for keys, sessions and people, and the table of all commands that use the database. A running service notices
// what they change within two seconds.
import { existsSync } from 'node:fs';
import { logAudit } from '../audit/audit.ts';
import { auditKeyOf, provideAuditKey } from '../audit/audit-key.ts';
import { sealAudit } from '../audit/proof/sealing.ts';
import { resealAll, resetKeys } from '../auth/keys/new-secret.ts';
import { pendingSeconds, revokeKey, rotateKeys } from '../auth/keys/rotation.ts';
import { type KeyTable, keyTables } from '../auth/keys/stored-keys.ts';
import { movePerson } from '../auth/people/person.queries.ts';
import {
  endSessions,
  listSessions,
  readSessionPages,
  type SessionChoice,
  type SessionSummary,
} from '../auth/sessions/session.queries.ts';
import { makeTrialAddress } from '../auth/trial/trial.queries.ts';
import type { Config } from '../config/config.ts';
import { createListChanges, undoTo } from '../lookup/changing/list-changes.ts';
import type { Plan } from '../lookup/changing/lookup-document.schema.ts';
import { type PlannableDocument, plannedHere } from '../lookup/changing/plan-document.ts';
import { readHistory } from '../lookup/history/history.queries.ts';
import { ChangeRefused } from '../lookup/rules/change.ts';
import { findVersion, readLists } from '../lookup/stored/list.queries.ts';
import { ensureSecret } from '../storage/secret.ts';
import { type Db, openStorage, type Storage } from '../storage/storage.ts';
import { createLineWriter } from '../telemetry/log.ts';
import type { Arguments } from './arguments.ts';
import { auditCommands, ensureKeyForRows, expectAuditKey } from './audit.ts';
import { callerCommands } from './callers.ts';
import {
  actorOf,
  type Command,
  CommandError,
  type CommandResult,
  expectSecret,
  jsonLines,
  mapPages,
  table,
  tableParts,
  writeLines,
} from './command.ts';
import { type CommandName, commandTable } from './command-table.ts';
import type { ShownPlan } from './describe-changes.ts';
import {
  type DocumentFile,
  isLookupCommand,
  type KeptLists,
  type LookupCommandName,
  lookupCommands,
} from './lookups.ts';
import type { operatingCommands } from './operation.ts';
import { exportPerson } from './people/person-export.ts';
import { forgetPerson } from './people/person-forget.ts';

const keyUses = { signing_key: 'tokens', client_key: 'provider' } satisfies Record<KeyTable, string>;

/** The commands that work on the service's database. */
export type DatabaseCommandName = Exclude<
  CommandName,
  'serve' | 'check' | 'help' | 'version' | keyof typeof operatingCommands
>;

export async function runCommand(name: DatabaseCommandName, args: Arguments, config: Config): Promise<CommandResult> {
  const act = (storage: Storage) =>
    isLookupCommand(name)
      ? lookupCommands[name](args, storedLists(storage, actorOf(args)))
      : commands[name](args, storage, config);
  return withStorage(config, (storage) => (takesActor(name) ? withSeal(storage, config, act) : act(storage)));
}

/** Whether the command writes to the audit. All commands that do have the option --as. */
const takesActor = (name: CommandName) => commandTable[name].options?.as !== undefined;

/**
 * Seals at once. Otherwise these rows would be sealed only together with later rows, perhaps days later, when the
 * service runs again.
 */
async function withSeal<T>(storage: Storage, config: Config, act: (storage: Storage) => Promise<T>): Promise<T> {
  const { db } = storage;
  await ensureKeyForRows(db, config);
  const result = await act(storage);
  const seal = async () => sealAudit({ db, key: await auditKeyOf(db), now: () => new Date() });
  // The command has succeeded. If sealing fails, the next process that seals includes these rows.
  await seal().catch(() => {});
  return result;
}

/** `frontdesk check --sign-in`. */
export async function printTrialAddress(config: Config): Promise<string> {
  const address = await withStorage(config, ({ db }) => makeTrialAddress(db, config.publicUrl, new Date()));
  return `${address}\n\n${afterAddress}\n`;
}

const afterAddress =
  'It can be used once, within ten minutes. The person who opens it signs in, and sees their own claims and the resulting identity.';

async function withStorage<T>(config: Config, act: (storage: Storage) => Promise<T>): Promise<T> {
  const { database, auditLog, instance } = config;
  // A misspelt path must not look like a service with no sessions.
  if (database.engine === 'sqlite' && !existsSync(database.file)) {
    throw new CommandError(`There is no database at ${database.file}. The service creates it when it first starts.`);
  }
  const storage = await openStorage(database);
  // The audit log goes to standard error, because standard output is for the output of the command.
  if (auditLog === 'stdout') logAudit(storage.db, instance, createLineWriter(2));
  // Reads the key through `reads`, because on SQLite the transaction that needs the key holds the connection of `db`.
  provideAuditKey(storage.db, () => expectAuditKey(storage.reads, config));
  try {
    return await act(storage);
  } finally {
    await storage.close();
  }
}

const commands: Record<Exclude<DatabaseCommandName, LookupCommandName>, Command> = {
  async 'keys list'(_, { db }) {
    const rows = keyTables.map(async (from) => {
      const keys = await db.selectFrom(from).selectAll().orderBy('created_at').execute();
      return keys.map(({ kid, alg, state, changed_at }) => [kid, alg, keyUses[from], state, changed_at]);
    });
    return table(['kid', 'alg', 'for', 'state', 'since'], (await Promise.all(rows)).flat());
  },

  async 'keys rotate'(args, { db }, config) {
    const [isNow, isClientKey] = [args.flags.has('now'), args.flags.has('client')];
    const from = isClientKey ? 'client_key' : 'signing_key';
    const isThere = (await db.selectFrom(from).select('kid').where('state', '=', 'active').execute()).length > 0;
    if (!isThere)
      throw new CommandError(`There is no ${from.replace('_', ' ')} yet. The service creates it when it starts.`);
    const isDone = await rotateKeys({ ...keyOptions(args, db, config), table: from }, isNow);
    if (!isDone) throw new CommandError('A new key is already pending: see frontdesk keys list.');
    if (!isNow)
      return `A new key is published. It is used after ${pendingSeconds / 60} minutes, when every cache has it.\n`;
    return `A new key signs from now on.\n${isClientKey ? untilReadAgain : ''}`;
  },

  async 'keys revoke'(args, { db }, config) {
    const from = await revokeKey(keyOptions(args, db, config), args.words[0] ?? '');
    if (from === undefined) throw new CommandError('There is no such key in use.');
    return from === 'client_key'
      ? `The key is removed.\n${untilReadAgain}`
      : 'The key is removed. Tokens it signed stop working.\n';
  },

  /** The secret comes from the environment, because everyone on the machine can read a process's arguments. */
  async 'keys reseal'(args, { db }, config) {
    const { newSecretKey } = config;
    if (newSecretKey === undefined) throw new CommandError('Neither NEW_SECRET_KEY nor NEW_SECRET_KEY_FILE is set.');
    const count = await resealAll(keyOptions(args, db, config), newSecretKey);
    return `${count} ${count === 1 ? 'key was' : 'keys were'} re-encrypted. Now restart every replica with the new SECRET_KEY.\n`;
  },

  async 'keys reset'(args, { db }, config) {
    if (!args.flags.has('yes') && !confirm(`${whatResetDoes}\nContinue?`))
      throw new CommandError('Nothing was changed.');
    const secretKey = ensureSecret(config);
    const count = await resetKeys({ db, secretKey, actor: actorOf(args), now: () => new Date() });
    return `There are new keys, and ${count} ${count === 1 ? 'session has' : 'sessions have'} ended. Start every replica with this SECRET_KEY now.\n`;
  },

  async 'sessions list'({ options: { person }, flags }, { db }) {
    const sessions = person === undefined ? readSessionPages(db, new Date()) : ofPerson(db, person);
    const shown = mapPages(sessions, ({ sid, employeeId, openedAt, lastSeenAt, expiresAt, address, browser }) => {
      return {
        session: sid,
        person: employeeId,
        opened: openedAt,
        seen: lastSeenAt,
        ends: expiresAt,
        address,
        browser,
      };
    });
    if (flags.has('json')) return writeLines(jsonLines(shown));
    const head = ['session', 'person', 'opened', 'seen', 'ends', 'address', 'browser'];
    return writeLines(tableParts(head, mapPages(shown, Object.values<string | null>)));
  },

  async 'sessions end'(args, { db }) {
    const {
      words: [sid = ''],
      options: { person },
    } = args;
    const choice: SessionChoice = person === undefined ? { sid } : { employeeId: person };
    const reason = { type: 'session-ended', detail: 'command line', actor: actorOf(args) } as const;
    const { length } = await endSessions(db, choice, reason, new Date());
    if (length === 0) throw new CommandError('There is no such session.');
    return `${length} ${length === 1 ? 'session has' : 'sessions have'} ended.\n`;
  },

  async 'people move'(args, { db }) {
    const [employeeId = '', issuer = '', subject = ''] = args.words;
    const result = await movePerson(db, employeeId, { issuer, subject }, actorOf(args), new Date());
    if (result === 'unknown') throw new CommandError(`Nobody has the employee ID ${employeeId}.`);
    if (result === 'taken') throw new CommandError('That account has signed in under another employee ID.');
    if (result === 'unchanged') return `${employeeId} already belongs to that account. Nothing was changed.\n`;
    return `${employeeId} belongs to that account now. The sessions of the previous account have ended.\n`;
  },

  'people export': exportPerson,
  'people forget': forgetPerson,
  ...auditCommands,
  ...callerCommands,
};

const untilReadAgain = 'The provider may refuse sign-ins for about a minute, until it has read the keys again.\n';

const whatResetDoes = `This makes new keys, encrypted under the SECRET_KEY that is set now. Everyone has to sign in again.
Audit rows written until now can no longer be verified. Stop every replica before you continue.`;

function keyOptions(args: Arguments, db: Storage['db'], config: Config) {
  return { db, secretKey: expectSecret(config), actor: actorOf(args), now: () => new Date() };
}

async function* ofPerson(db: Db, employeeId: string): AsyncGenerator<SessionSummary[]> {
  yield await listSessions(db, new Date(), { employeeId });
}

/** Lists in the database of the service. */
export function storedLists(storage: Pick<Storage, 'db' | 'reads' | 'longWrites'>, by: string): KeptLists {
  const { db } = storage;
  const changes = createListChanges(storage);
  const authorWith = (reason: string | undefined) => ({ by, reason, at: new Date(), mayKeepAll: true });
  return {
    read: (names) => readLists(db, names),
    plan: (file) => withFilePositions(file, (document) => changes.plan(document, authorWith(undefined))),
    apply: (file, reason, onPlanned) =>
      withFilePositions(file, (document) => changes.apply(document, authorWith(reason), onPlanned)),
    findVersion: (list) => findVersion(db, list),
    history: (list, limit) => readHistory(db, list, limit),
    async undo(list, seen, to, reason) {
      const author = authorWith(reason);
      return (await changes.change(list, seen, author, undoTo(to, author.at))).version;
    },
  };
}

/** If comparing the file with the lists finds faults, adds their positions in the file. */
async function withFilePositions(
  file: DocumentFile,
  act: (document: PlannableDocument<Plan>) => Promise<Plan>,
): Promise<ShownPlan> {
  try {
    return await act(plannedHere(file.document));
  } catch (error) {
    throw error instanceof ChangeRefused ? file.locate(error.faults) : error;
  }
}
