// Who did something, as people read it: a person, a program, the command line.
import { shared } from '../parts/texts.ts';

const callerPrefix = 'caller:';

/** The name of a program, if one did it. */
export const programOf = (actor: string) =>
  actor.startsWith(callerPrefix) ? actor.slice(callerPrefix.length) : undefined;

/** Whose account it was, if it was done on the command line. */
export const commandLineAccount = (actor: string) => /^command line \((.*)\)$/.exec(actor)?.[1];

interface Author {
  by: string;
  byName: string | null;
}

/** Who made a change, by name where it is known. */
export function authorName({ by, byName }: Author): string {
  if (byName !== null) return byName;
  const program = programOf(by);
  if (program !== undefined) return shared.program(program);
  const account = commandLineAccount(by);
  return account === undefined ? by : shared.commandLine(account);
}
