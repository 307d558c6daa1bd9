// Names for the author of a change: a person, a program, or somebody on the command line.
import { sharedListTexts } from './texts.ts';

const callerPrefix = 'caller:';

/** The program's name, if a program did it. */
export const programOf = (actor: string) =>
  actor.startsWith(callerPrefix) ? actor.slice(callerPrefix.length) : undefined;

/** The account, if it was done on the command line. */
export const commandLineAccount = (actor: string) => /^command line \((.*)\)$/.exec(actor)?.[1];

interface Author {
  by: string;
  byName: string | null;
}

/** The person's name if it is known. */
export function authorName({ by, byName }: Author): string {
  if (byName !== null) return byName;
  const program = programOf(by);
  if (program !== undefined) return sharedListTexts.program(program);
  const account = commandLineAccount(by);
  return account === undefined ? by : sharedListTexts.commandLine(account);
}
