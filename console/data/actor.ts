const callerPrefix = 'caller:';

/** The name of a program, if one did it. */
export const programOf = (actor: string) =>
  actor.startsWith(callerPrefix) ? actor.slice(callerPrefix.length) : undefined;

/** Whose account it was, if it was done on the command line. */
export const commandLineAccount = (actor: string) => /^command line \((.*)\)$/.exec(actor)?.[1];
