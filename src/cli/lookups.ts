// Commands for lists: export, plan, apply, history, undo and migration.
import { extname } from 'node:path';
import { exitCodes } from '../base/exit-error.ts';
import { Problem } from '../http/problem.ts';
import { WrongFile } from '../lookup/documents/faults.ts';
import { type FileFormat, type ReadDocument, readDocument } from '../lookup/documents/read-document.ts';
import { writeDocument } from '../lookup/documents/write-document.ts';
import type { KeptList } from '../lookup/rules/list.ts';
import { Reason } from '../lookup/stored/fields.schema.ts';
import type { Arguments } from './arguments.ts';
import { CommandError, type CommandResult, readGivenFile, writeLines } from './command.ts';
import { bold, describeChanges, describePlan, type ShownEntry, type ShownPlan } from './describe-changes.ts';
import { writeMigration } from './migration-sql.ts';
import { printable } from './printable.ts';

const differs = 2;

type LookupCommand = (args: Arguments, lists: KeptLists) => Promise<CommandResult>;

export const lookupCommands = {
  async 'lookups export'({ words, options, flags }, kept) {
    const lists = await kept.read(words.length > 0 ? words : undefined);
    const unknown = words.filter((name) => !lists.some(({ list }) => list === name));
    if (unknown.length > 0) throw new CommandError(`There is no list ${unknown.join(', ')}.`);
    return writeDocument(lists, options.format === 'csv' ? 'csv' : 'yaml', !flags.has('plain'));
  },

  async 'lookups plan'({ words: [path = ''], flags }, kept) {
    const plan = await withFile(path, flags, (file) => kept.plan(file));
    if (plan.changes.length === 0) return 'Nothing to change.\n';
    return { text: describePlan(plan), exitCode: differs };
  },

  async 'lookups apply'({ words: [path = ''], options, flags }, kept) {
    const reason = readReason(options.reason);
    let text = '';
    // Before the change is written, because afterwards a service needs the processor to read the changed list.
    const describe = (plan: ShownPlan) => {
      // Planning 50,000 changes leaves about 100 MB of garbage.
      Bun.gc(true);
      text = describePlan(plan);
    };
    const { changes } = await withFile(path, flags, (file) => kept.apply(file, reason, describe));
    return changes.length === 0 ? 'Nothing to change.\n' : `${text}Applied.\n`;
  },

  async 'lookups history'({ words: [list = ''], options: { limit = '50' }, flags }, kept) {
    const newest = await expectVersion(kept, list);
    const entries = kept.history(list, Number(limit));
    return writeLines(flags.has('json') ? entriesAsJson(entries) : describeHistory(list, newest, entries));
  },

  async 'lookups undo'({ words: [list = '', version = ''], options }, kept) {
    const reason = readReason(options.reason);
    const newest = await expectVersion(kept, list);
    refuseLater(list, Number(version), newest);
    const after = await kept.undo(list, newest, Number(version), reason).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
      throw new CommandError(
        `${list} has just been changed: it is at version ${error.extension.version}. Nothing was undone.\n` +
          `See frontdesk lookups history ${list}, and try again.`,
        exitCodes.tryAgain,
      );
    });
    return after === newest
      ? 'Nothing to change.\n'
      : `${list} is restored as it was at version ${version}. It is at version ${after} now.\n`;
  },

  async 'lookups migration'({ words: [name = ''], options: { since, column = 'value' } }, kept) {
    const [list] = await kept.read([name]);
    if (list === undefined) throw new CommandError(`There is no list ${name}.`);
    if (since === undefined) return writeMigration(list, undefined, column);
    const version = Number(since);
    refuseLater(list.list, version, list.version);
    const steps = await Array.fromAsync(kept.history(name, list.version - version));
    if (version < list.version && steps[0]?.version !== list.version) {
      throw new CommandError(`${name} has just been changed. Try again.`, exitCodes.tryAgain);
    }
    return writeMigration(list, { version, steps }, column);
  },
} satisfies Record<string, LookupCommand>;

export type LookupCommandName = keyof typeof lookupCommands;

export function isLookupCommand(name: string): name is LookupCommandName {
  return Object.hasOwn(lookupCommands, name);
}

function readFileAt(path: string, flags: Arguments['flags']): DocumentFile {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined)
    throw new CommandError(`${path}: must end in .yaml, .yml, .json or .csv.`, exitCodes.wrongData);
  const bytes = new Uint8Array(readGivenFile(path));
  const mirror = flags.has('mirror') || undefined;
  return { ...readDocument(bytes, format, mirror), bytes, format, mirror };
}

function readReason(words: string | undefined): string | undefined {
  const parsed = Reason.safeParse(words);
  if (!parsed.success) throw new CommandError(`--reason ${parsed.error.issues[0]?.message}`, exitCodes.wrongData);
  return parsed.data;
}

const formats: Record<string, FileFormat> = { '.yaml': 'yaml', '.yml': 'yaml', '.json': 'json', '.csv': 'csv' };

async function withFile(
  path: string,
  flags: Arguments['flags'],
  act: (file: DocumentFile) => Promise<ShownPlan>,
): Promise<ShownPlan> {
  try {
    return await act(readFileAt(path, flags));
  } catch (error) {
    if (error instanceof WrongFile) throw wrongFile(path, error);
    if (!isConflict(error)) throw error;
    const { list, version } = error.extension;
    throw new CommandError(
      `${list} is at version ${version} now. Export it again, or see frontdesk lookups history ${list}`,
    );
  }
}

function isConflict(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'version-conflict';
}

function wrongFile(path: string, { faults, hasMore }: WrongFile): CommandError {
  const lines = faults.map(
    ({ line, column, field, message }) =>
      `${path}:${line}:${column}  ${printable(field === '' ? message : `${field}: ${message}`)}`,
  );
  const more = hasMore ? ['There are more faults than these.'] : [];
  return new CommandError([...lines, ...more, 'Nothing was changed.'].join('\n'), exitCodes.wrongData);
}

async function expectVersion(kept: KeptLists, list: string): Promise<number> {
  const version = await kept.findVersion(list);
  if (version === undefined) throw new CommandError(`There is no list ${list}.`);
  return version;
}

function refuseLater(list: string, version: number, newest: number): void {
  if (version > newest) throw new CommandError(`${list} has versions 1 to ${newest}.`);
}

async function* describeHistory(
  list: string,
  newest: number,
  entries: AsyncIterable<ShownEntry>,
): AsyncGenerator<string> {
  let last = newest + 1;
  for await (const { version, at, by, reason, changes, restoredVersion } of entries) {
    const undo = restoredVersion === undefined ? '' : `, restoring version ${restoredVersion}`;
    const why = reason === null ? '' : `  ${printable(reason)}`;
    const head = `${bold(`version ${version}${undo}`)}  ${at}  ${printable(by)}${why}\n`;
    yield `${last > newest ? '' : '\n'}${head}${describeChanges(changes)}`;
    last = version;
  }
  if (last > 1) yield `\n${last - 1} older versions: lookups history ${list} --limit ${newest}\n`;
}

async function* entriesAsJson(entries: AsyncIterable<ShownEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

/** A document that was read successfully. */
export interface DocumentFile extends ReadDocument {
  bytes: Uint8Array<ArrayBuffer>;
  format: FileFormat;
  /** Whether --mirror was given; undefined if the file decides. */
  mirror: boolean | undefined;
}

/**
 * The lists, in the database or at a service. A change can fail with the problem `version-conflict`, which names the list and
 * its version. `plan` and `apply` can also fail with WrongFile.
 */
export interface KeptLists {
  /** All lists, or the existing ones among these names, sorted by name. */
  read(names: readonly string[] | undefined): Promise<KeptList[]>;
  plan(file: DocumentFile): Promise<ShownPlan>;
  /** Calls `onPlanned` with the plan before applying it. */
  apply(file: DocumentFile, reason: string | undefined, onPlanned: (plan: ShownPlan) => void): Promise<ShownPlan>;
  findVersion(list: string): Promise<number | undefined>;
  /** Newest first. */
  history(list: string, limit: number): AsyncIterable<ShownEntry>;
  /** Fails if the list is no longer at the version `seen`. Returns the new version. */
  undo(list: string, seen: number, to: number, reason: string | undefined): Promise<number>;
}
