// Names the author of a change: a person, a program, or an account on the command line.
import { sharedListTexts } from './texts.ts';

const callerPrefix = 'caller:';

/** The program's name if the actor is a program. */
export const programOf = (actor: string) =>
  actor.startsWith(callerPrefix) ? actor.slice(callerPrefix.length) : undefined;

/** The operating system account if the actor used the command line. */
export const commandLineAccount = (actor: string) => /^command line \((.*)\)$/.exec(actor)?.[1];

interface Author {
  by: string;
  byName: string | null;
}

/** The name of the person, the program or the command-line account; for an unknown person, the ID. */
export function authorName({ by, byName }: Author): string {
  if (byName !== null) return byName;
  const program = programOf(by);
  if (program !== undefined) return sharedListTexts.program(program);
  const account = commandLineAccount(by);
  return account === undefined ? by : sharedListTexts.commandLine(account);
}
