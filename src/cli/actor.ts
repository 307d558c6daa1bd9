// Who uses the command line, as the audit and the history name them. Nobody is signed in there.
import { readFileSync } from 'node:fs';
import type { Arguments } from './arguments.ts';

/** The name given with --as, or the account of the operating system. */
export function actorOf({ options }: Pick<Arguments, 'options'>): string {
  return `command line (${options.as ?? accountName()})`;
}

/** By its number first: the runtime only looks at USER, which may be unset, or another's after `sudo`. */
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
    // Not every system has the file: macOS keeps accounts elsewhere.
    return undefined;
  }
}
