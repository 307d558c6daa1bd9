// What the commands share: a table of columns, and an error.

import type { Config } from '../config/config.ts';
import { findSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';
import type { Arguments } from './arguments.ts';
import { printable } from './printable.ts';

/** What is asked for cannot be done; the message says why. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** What it prints, and the exit code where that is not 0. */
export type CommandResult = string | { text: string; exitCode: number };
export type Command = (args: Arguments, storage: Storage, config: Config) => Promise<CommandResult>;

/** The service's own secret, never a new one: the service could not open what is sealed under that. */
export function expectSecret(config: Config): string {
  const secretKey = findSecret(config);
  if (secretKey !== undefined) return secretKey;
  throw new CommandError('SECRET_KEY is not set: run this with the variables of the service.');
}

/** Columns as wide as their widest cell. */
export function table(head: string[], rows: (string | null)[][]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => printable(cell ?? '-')))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
