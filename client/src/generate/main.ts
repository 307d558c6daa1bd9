#!/usr/bin/env node
// The command of this package: npx frontdesk-client generate.
import { readFileSync, writeFileSync } from 'node:fs';
import { FrontdeskError } from '../index.ts';
import { CommandError, exitCodes, type GenerateOptions, readArguments, usage } from './arguments.ts';
import { connect } from './connection.ts';
import { readListFile, writeListFile } from './list-file.ts';
import { notFrontdesk, readLists } from './read-lists.ts';
import { findWarnings } from './source-check.ts';

const longestFile = 32 * 1024 * 1024;

async function generate(options: GenerateOptions): Promise<number> {
  const { url, out, isCheck, person } = options;
  const before = readExisting(out);
  const frontdesk = await connect(url, person, process.env);
  const lists = await readLists(frontdesk, readListFile(before));
  const text = writeListFile(lists);
  const values = lists.reduce((sum, list) => sum + list.values.length, 0);
  if (!isCheck) {
    writeFileSync(out, text);
    print(process.stdout, `${out}: ${lists.length} lists, ${values} values`);
    return 0;
  }
  const today = new Date().toISOString().slice(0, 10);
  for (const warning of await findWarnings(frontdesk, lists, { ...options, today })) print(process.stdout, warning);
  if (before === text) return 0;
  print(process.stderr, `${out} is out of date: run frontdesk-client generate --url ${url.href} --out ${out}`);
  return exitCodes.outOfDate;
}

/** The file with LF line endings, because Git may have converted them; an empty text if the file does not exist. */
function readExisting(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length <= longestFile) return text.replaceAll('\r\n', '\n');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return '';
    throw new CommandError('failure', `${file} cannot be read.`);
  }
  throw new CommandError('failure', `${file} is too large.`);
}

/** Prints a line without control characters, which could control the terminal. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${text.replaceAll(/\p{C}/gu, ' ')}\n`);
}

function causeOf(error: unknown): unknown {
  // The answer was not JSON.
  if (error instanceof SyntaxError) return notFrontdesk();
  // One of our limits aborted the request, which looks like a lost connection.
  if (!(error instanceof FrontdeskError) || error.status !== 0) return error;
  if (error.cause instanceof CommandError) return error.cause;
  const { code = 'no answer' } = (error.cause as { cause?: { code?: string } } | undefined)?.cause ?? {};
  return /CERT|SIGNATURE|TLS|SSL/.test(code)
    ? new CommandError('failure', `The certificate of Frontdesk is not accepted (${code}).`)
    : new CommandError('tryAgain', `Frontdesk cannot be reached (${code}).`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (!(error instanceof FrontdeskError)) return exitCodes.failure;
  const { status, code } = error;
  if (status === 401 || status === 403 || code === 'assertion-rejected') return exitCodes.notPermitted;
  return status === 429 || status >= 500 ? exitCodes.tryAgain : exitCodes.failure;
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options === undefined) process.stdout.write(usage);
  else process.exitCode = await generate(options);
} catch (thrown) {
  const error = causeOf(thrown);
  print(process.stderr, error instanceof Error ? error.message : String(error));
  process.exitCode = exitCodeOf(error);
}
