// The command line in this process: starting the executable takes twenty times as long.

import { ExitError } from '../../src/base/exit-error.ts';
import { readCommandLine } from '../../src/cli/arguments.ts';
import { type DatabaseCommandName, runCommand } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config/config.ts';

/**
 * Returns the same as `runToEnd`. Does not work for commands that write directly to standard output: those need the
 * executable.
 */
export async function runHere(words: string[], env: Record<string, string>) {
  const call = readCommandLine(words);
  if ('help' in call) throw new Error(`${words.join(' ')} is not a command`);
  try {
    const result = await runCommand(call.name as DatabaseCommandName, call.args, readConfig(env));
    const { text, exitCode } = typeof result === 'string' ? { text: result, exitCode: 0 } : result;
    return { exitCode, stdout: text, stderr: '' };
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { exitCode: error.exitCode, stdout: '', stderr: `${error.message}\n` };
  }
}
