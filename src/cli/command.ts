// What the commands share: errors, tables, output of any length, and who runs them.

import { readFileSync } from 'node:fs';
import { ExitError } from '../base/exit-error.ts';
import { codeOf } from '../base/guards.ts';
import type { Config } from '../config/config.ts';
import { findSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';
import type { Arguments } from './arguments.ts';
import { printable } from './printable.ts';

/** The command cannot be carried out. The message says why. */
export class CommandError extends ExitError {}

/** What the command prints, and its exit code if not 0. */
export type CommandResult = string | { text: string; exitCode: number };
export type Command = (args: Arguments, storage: Storage, config: Config) => Promise<CommandResult>;

/** Returns the service's secret. Does not create a missing one: the service could not decrypt data encrypted under it. */
export function expectSecret(config: Config): string {
  const secretKey = findSecret(config);
  if (secretKey !== undefined) return secretKey;
  throw new CommandError('SECRET_KEY is not set. Run this with the environment variables of the service.');
}

/** Reads a file that was named on the command line, or standard input (0). */
export function readGivenFile(path: string | number, name = path): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${name} cannot be read (${codeOf(error) ?? 'unknown reason'}).`);
  }
}

/** Formats a table. Each column is as wide as its widest cell. */
export function table(head: string[], rows: (string | null)[][]): string {
  const cells = [head, ...rows.map(printableCells)];
  return tableLines(cells, widthsOf(cells));
}

/** Like `table`, but for output of any length. Columns are as wide as the cells of the first page. */
export async function* tableParts(head: string[], pages: AsyncIterable<(string | null)[][]>): AsyncGenerator<string> {
  let widths: number[] | undefined;
  for await (const page of pages) {
    const cells = page.map(printableCells);
    if (widths === undefined) {
      widths = widthsOf([head, ...cells]);
      yield tableLines([head], widths);
    }
    yield tableLines(cells, widths);
  }
  if (widths === undefined) yield table(head, []);
}

/** Writes one JSON object per line, for output of any length. */
export async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
}

export async function* mapPages<T, R>(pages: AsyncIterable<readonly T[]>, show: (row: T) => R): AsyncGenerator<R[]> {
  for await (const page of pages) yield page.map((row) => show(row));
}

const printableCells = (row: (string | null)[]) => row.map((cell) => printable(cell ?? '-'));

const widthsOf = (cells: readonly string[][]) =>
  cells.reduce<number[]>((widths, row) => row.map((cell, column) => Math.max(widths[column] ?? 0, cell.length)), []);

function tableLines(cells: readonly string[][], widths: readonly number[]): string {
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** Who runs the command, for the audit and the history: the name given with --as, or the operating system's account. */
export function actorOf({ options }: Pick<Arguments, 'options'>): string {
  return `command line (${options.as ?? accountName()})`;
}

/** Looks for the user ID in /etc/passwd first, because USER may be unset, or name someone else after `sudo`. */
function accountName(): string {
  const uid = process.getuid?.();
  const { USER, LOGNAME, USERNAME } = process.env;
  const named = uid === undefined ? undefined : nameInPasswd(uid);
  return named ?? (USER || LOGNAME || USERNAME || `uid ${uid}`);
}

function nameInPasswd(uid: number): string | undefined {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
    return entries.map((entry) => entry.split(':')).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    // Not every system has this file: macOS keeps accounts elsewhere.
    return undefined;
  }
}

const charactersOfWrite = 65_536;

/** Waits for the reader after each write. Fails if the reader closes the output before the end. */
export async function writeParts(parts: AsyncIterable<string>): Promise<void> {
  // The write itself reports the error. Without a listener, the event would crash the process.
  process.stdout.on('error', () => {});
  let waiting = '';
  for await (const part of parts) {
    waiting += part;
    if (waiting.length < charactersOfWrite) continue;
    await write(waiting);
    waiting = '';
  }
  await write(waiting);
}

/** Like `writeParts`, but the reader may close the output early: `frontdesk audit | head` is not an error. */
export async function writeLines(parts: AsyncIterable<string>): Promise<''> {
  try {
    await writeParts(parts);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
  return '';
}

class OutputClosed extends CommandError {
  constructor() {
    super('Standard output was closed before everything was written.');
  }
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OutputClosed());
      else resolve();
    });
  });
}
