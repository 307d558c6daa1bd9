// Commands that work on a service instead of its database.
import { Problem } from '../http/problem.ts';
import { WrongFile } from '../lookup/documents/faults.ts';
import type { Arguments } from './arguments.ts';
import { CommandError, type CommandResult } from './command.ts';
import { isLookupCommand, lookupCommands } from './lookups.ts';
import { remoteLists } from './remote-lists.ts';
import { createServiceCall, notFrontdesk } from './service-call.ts';

/** sysexits.h: EX_USAGE. */
const wrongUsage = 64;

/** Before any of the service's configuration is read: none is needed, and a wrong one must not matter. */
export function runOverHttp(
  name: string,
  args: Arguments,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  if (!isLookupCommand(name)) throw new CommandError(`${name} works on the database only.`);
  if (args.options.as !== undefined) {
    throw new CommandError('--as is for the database: a service knows who calls it.', wrongUsage);
  }
  return lookupCommands[name](args, remoteLists(createServiceCall(url, env))).catch((error: unknown) => {
    // A refusal that no request of this command can have: what it came from is not shown.
    throw error instanceof Problem || error instanceof WrongFile ? notFrontdesk(url) : error;
  });
}
