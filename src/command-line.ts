// What the commands share: words, columns, and ways to fail.
import { parseArgs } from 'node:util';
import type { Config } from './config.ts';
import type { Storage } from './storage/storage.ts';

/** The words of a command were not understood. */
export class UsageError extends Error {}

/** What is asked for cannot be done; the message says why. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What it prints, and the exit code where that is not 0. */
export type CommandResult = string | { text: string; exitCode: number };
export type Command = (args: string[], storage: Storage, config: Config) => Promise<CommandResult>;

type Options = Record<string, { type: 'string' | 'boolean' }>;

export function readWords(args: string[], options: Options, mostPositionals: number) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    if (parsed.positionals.length <= mostPositionals) return parsed;
  } catch {
    // parseArgs says in English what our usage text says better
  }
  throw new UsageError();
}

/** Columns as wide as their widest cell. Texts from elsewhere lose what a terminal would obey. */
export function table(head: string[], rows: (string | null)[][]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => (cell ?? '-').replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')))];
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
