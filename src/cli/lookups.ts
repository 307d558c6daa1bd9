// The lists from the command line: files in and out, history, undo.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { extname } from 'node:path';
import { Problem } from '../http/problem.ts';
import { ChangeRefused } from '../lookup/change.ts';
import { WrongFile } from '../lookup/documents/faults.ts';
import { type PlannableDocument, type PlannedDocument, plannedHere } from '../lookup/documents/plan-document.ts';
import { type FileFormat, type ReadDocument, readDocument } from '../lookup/documents/read-document.ts';
import { writeDocument } from '../lookup/documents/write-document.ts';
import { Reason } from '../lookup/fields.schema.ts';
import { createListChanges, undoTo } from '../lookup/list-changes.ts';
import { findList, readHistory, readLists, type StoredList } from '../lookup/lookup.queries.ts';
import type { Db } from '../storage/storage.ts';
import { codeOf } from '../telemetry/guards.ts';
import { type Command, CommandError } from './command.ts';
import { bold, describeChanges, describePlan, ShownPlan } from './describe-changes.ts';
import { printable } from './printable.ts';

/** sysexits.h: EX_DATAERR and EX_TEMPFAIL. */
const wrongData = 65;
const tryAgain = 75;
const differs = 2;

export const lookupCommands = {
  async 'lookups export'({ words, options, flags }, { db }) {
    const lists = await readLists(db, words.length > 0 ? [...words] : undefined);
    const unknown = words.filter((name) => !lists.some(({ list }) => list === name));
    if (unknown.length > 0) throw new CommandError(`There is no list ${unknown.join(', ')}.`);
    return writeDocument(lists, options.format === 'csv' ? 'csv' : 'yaml', !flags.has('plain'));
  },

  async 'lookups plan'({ words: [path = ''] }, storage) {
    const file = readFileAt(path);
    const plan = await withFilePositions(path, file, (document) =>
      createListChanges(storage).plan(document, new Date()),
    );
    if (plan.changes.length === 0) return 'Nothing to change.\n';
    return { text: describePlan(plan), exitCode: differs };
  },

  async 'lookups apply'({ words: [path = ''], options }, storage) {
    const file = readFileAt(path);
    const author = { by: accountName(), reason: readReason(options.reason), at: new Date() };
    const plan = await withFilePositions(path, file, (document) => createListChanges(storage).apply(document, author));
    return plan.changes.length === 0 ? 'Nothing to change.\n' : `${describePlan(plan)}Applied.\n`;
  },

  async 'lookups history'({ words: [name = ''], options: { limit = '50' } }, { db }) {
    const list = await expectList(db, name);
    const entries = await readHistory(db, list.list, { limit: Number(limit) });
    const steps = entries
      .map(({ version, at, by, reason, changes, restoredVersion }) => {
        const undo = restoredVersion === undefined ? '' : `, restoring version ${restoredVersion}`;
        const head = `${bold(`version ${version}${undo}`)}  ${at}  ${printable(by)}${reason === null ? '' : `  ${printable(reason)}`}\n`;
        return head + describeChanges(changes);
      })
      .join('\n');
    const older = (entries.at(-1)?.version ?? 1) - 1;
    return older === 0
      ? steps
      : `${steps}\n${older} older versions: lookups history ${list.list} --limit ${list.version}\n`;
  },

  async 'lookups undo'({ words: [name = '', version = ''], options }, storage) {
    const list = await expectList(storage.db, name);
    if (Number(version) > list.version) {
      throw new CommandError(`${list.list} has the versions 1 to ${list.version}.`);
    }
    const now = new Date();
    const author = { by: accountName(), reason: readReason(options.reason), at: now };
    const plan = undoTo(Number(version), now);
    const after = await createListChanges(storage)
      .change(list.list, list.version, author, plan)
      .catch((error: unknown) => {
        if (!isConflict(error)) throw error;
        const { list: name, version: current } = error.extension;
        throw new CommandError(
          `${name} has just been changed: it is at version ${current}. Nothing was undone.\n` +
            `See frontdesk lookups history ${name}, and try again.`,
          tryAgain,
        );
      });
    return after.version === list.version
      ? 'Nothing to change.\n'
      : `${list.list} is as it was at version ${version}; that is version ${after.version} now.\n`;
  },
} satisfies Record<string, Command>;

function readFileAt(path: string): ReadDocument {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) throw new CommandError(`${path}: must end in .yaml, .yml, .json or .csv.`, wrongData);
  try {
    return readDocument(readFileSync(path), format);
  } catch (error) {
    if (error instanceof WrongFile) throw wrongFile(path, error);
    throw new CommandError(`${path} cannot be read (${codeOf(error)}).`);
  }
}

/** The account of the operating system: nobody is signed in on the command line. */
function accountName(): string {
  return `command line (${userInfo().username})`;
}

function readReason(words: string | undefined): string | undefined {
  const parsed = Reason.safeParse(words);
  if (!parsed.success) throw new CommandError(`--reason ${parsed.error.issues[0]?.message}`, wrongData);
  return parsed.data;
}

const formats: Record<string, FileFormat> = { '.yaml': 'yaml', '.yml': 'yaml', '.json': 'json', '.csv': 'csv' };

/** Faults that are found by comparing the file with the lists get their place in the file, too. */
async function withFilePositions(
  path: string,
  file: ReadDocument,
  act: (document: PlannableDocument) => Promise<PlannedDocument['answer']>,
): Promise<ShownPlan> {
  try {
    return ShownPlan.parse(JSON.parse(new TextDecoder().decode(await act(plannedHere(file.document)))));
  } catch (error) {
    if (error instanceof ChangeRefused) throw wrongFile(path, file.locate(error.faults));
    if (!isConflict(error)) throw error;
    const { list, version } = error.extension;
    throw new CommandError(`${list} is at version ${version} now. Export it again, or see: lookups history ${list}`);
  }
}

function isConflict(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'version-conflict';
}

function wrongFile(path: string, { faults, hasMore }: WrongFile): CommandError {
  const lines = faults.map(
    ({ line, column, field, message }) => `${path}:${line}:${column}  ${field === '' ? '' : `${field}: `}${message}`,
  );
  const more = hasMore ? ['There are more faults than these.'] : [];
  return new CommandError([...lines, ...more, 'Nothing was changed.'].join('\n'), wrongData);
}

async function expectList(db: Db, name: string): Promise<StoredList> {
  const list = await findList(db, name);
  if (list === undefined) throw new CommandError(`There is no list ${name}.`);
  return list;
}
