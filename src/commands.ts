// What an administrator does from the command line, on the same database as the running service, which notices within
// two seconds.
import { existsSync } from 'node:fs';
import { readAudit } from './auth/audit.ts';
import { endSessions, listSessions, movePerson, type SessionChoice } from './auth/auth.queries.ts';
import { pendingSeconds, resealKeys, revokeKey, rotateKeys } from './auth/key-rotation.ts';
import { findSecret } from './auth/secret.ts';
import { type Command, CommandError, type CommandResult, readWords, table, UsageError } from './command-line.ts';
import type { Config } from './config.ts';
import { lookupCommands } from './lookup-commands.ts';
import { openStorage, type Storage } from './storage/storage.ts';

const commands: Record<string, Command> = {
  'keys list': listKeys,
  'keys rotate': rotate,
  'keys revoke': revoke,
  'keys reseal': reseal,
  'sessions list': showSessions,
  'sessions end': endChosen,
  'people move': move,
  audit: showAudit,
  ...lookupCommands,
};

/** The function for these words, or undefined when there is no such command. */
export function findCommand(words: string[]): ((config: Config) => Promise<CommandResult>) | undefined {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => Object.hasOwn(commands, each));
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined || command === undefined) return undefined;
  return async (config) => {
    // A misspelt path must not look like a service where nobody is signed in.
    const { database } = config;
    if (database.engine === 'sqlite' && !existsSync(database.file)) {
      throw new CommandError(`There is no database at ${database.file}: the first start of the service makes it.`);
    }
    const storage = await openStorage(database);
    try {
      return await command(words.slice(name.split(' ').length), storage, config);
    } finally {
      await storage.close();
    }
  };
}

async function listKeys(args: string[], { db }: Storage): Promise<string> {
  readWords(args, {}, 0);
  const keys = await db.selectFrom('signing_key').selectAll().orderBy('created_at').execute();
  return table(
    ['kid', 'alg', 'state', 'since'],
    keys.map(({ kid, alg, state, changed_at }) => [kid, alg, state, changed_at]),
  );
}

async function rotate(args: string[], { db }: Storage, config: Config): Promise<string> {
  const { values } = readWords(args, { now: { type: 'boolean' } }, 0);
  const isDone = await rotateKeys(keyOptions(db, config), values.now === true);
  if (!isDone) throw new CommandError('A new key is waiting already: see frontdesk keys list.');
  return values.now
    ? 'A new key signs from now on.\n'
    : `A new key is published. It signs in ${pendingSeconds / 60} minutes, when everybody can know it.\n`;
}

async function revoke(args: string[], { db }: Storage, config: Config): Promise<string> {
  // One in 64 begins with a dash, and is no option.
  const isKid = args.length === 1 && /^[\w-]{43}$/.test(args[0] ?? '');
  const [kid] = readWords(isKid ? ['--', ...args] : args, {}, 1).positionals;
  if (kid === undefined) throw new UsageError();
  if (!(await revokeKey(keyOptions(db, config), kid))) throw new CommandError('There is no such key in use.');
  return 'The key is removed. Tokens it signed stop working.\n';
}

/** From the environment and not from among the words, which everybody on the machine can read. */
async function reseal(args: string[], { db }: Storage, config: Config): Promise<string> {
  readWords(args, {}, 0);
  const { newSecretKey } = config;
  if (newSecretKey === undefined) throw new CommandError('NEW_SECRET_KEY is not set.');
  const count = await resealKeys(keyOptions(db, config), newSecretKey);
  return `${count} ${count === 1 ? 'key is' : 'keys are'} sealed anew. Start every replica with that SECRET_KEY now.\n`;
}

/** The service's own secret, never one made up here: what is sealed under it, the service could not open. */
function keyOptions(db: Storage['db'], config: Config) {
  const secretKey = findSecret(config);
  if (secretKey === undefined)
    throw new CommandError('SECRET_KEY is not set: run this with the variables of the service.');
  return { db, secretKey, now: () => new Date() };
}

async function showSessions(args: string[], { db }: Storage): Promise<string> {
  const { values } = readWords(args, { person: { type: 'string' } }, 0);
  const choice = typeof values.person === 'string' ? { employeeId: values.person } : undefined;
  const sessions = await listSessions(db, new Date(), choice);
  return table(
    ['session', 'person', 'opened', 'expires'],
    sessions.map(({ sid, employeeId, openedAt, expiresAt }) => [sid, employeeId, openedAt, expiresAt]),
  );
}

async function endChosen(args: string[], { db }: Storage): Promise<string> {
  const { values, positionals } = readWords(args, { person: { type: 'string' } }, 1);
  const [sid] = positionals;
  if ((sid === undefined) === (values.person === undefined)) throw new UsageError();
  const choice: SessionChoice = sid === undefined ? { employeeId: String(values.person) } : { sid };
  const reason = { type: 'session-ended', detail: 'command line', requestId: undefined, address: undefined } as const;
  const { length } = await endSessions(db, choice, reason, new Date());
  if (length === 0) throw new CommandError('There is no such session.');
  return `${length} ${length === 1 ? 'session has' : 'sessions have'} ended.\n`;
}

async function move(args: string[], { db }: Storage): Promise<string> {
  const [employeeId, issuer, subject] = readWords(args, {}, 3).positionals;
  if (employeeId === undefined || issuer === undefined || subject === undefined) throw new UsageError();
  const result = await movePerson(db, employeeId, { issuer, subject }, new Date());
  if (result === 'unknown') throw new CommandError(`Nobody has the employee ID ${employeeId}.`);
  if (result === 'taken') throw new CommandError('That account has signed in under another employee ID.');
  return `${employeeId} belongs to that account now. Sessions of the account before it have ended.\n`;
}

async function showAudit(args: string[], { db }: Storage): Promise<string> {
  const text = { type: 'string' } as const;
  const options = { since: text, type: text, person: text, limit: text, json: { type: 'boolean' } } as const;
  const { values } = readWords(args, options, 0);
  const { since, type, person, limit = '100', json } = values;
  if (!/^\d{1,6}$/.test(String(limit)) || (since !== undefined && Number.isNaN(Date.parse(String(since))))) {
    throw new UsageError();
  }
  const rows = await readAudit(db, {
    since: since === undefined ? undefined : new Date(String(since)).toISOString(),
    type: type?.toString(),
    person: person?.toString(),
    limit: Number(limit),
  });
  if (json) return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return table(
    ['at', 'type', 'person', 'session', 'address', 'request', 'detail'],
    rows.map((row) => [row.at, row.type, row.person, row.session, row.address, row.request_id, row.detail]),
  );
}
