// Secrets may come from files, as containers and service managers provide them: SECRET_KEY_FILE for SECRET_KEY.
import { readBoundedFile } from '../base/bounded-reads.ts';
import type { ConfigFault, Variables } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const secretNames = [
  'DATABASE_URL',
  'SECRET_KEY',
  'NEW_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies (keyof Variables)[];

/** Returns the environment with the secrets from the files. A fault names the variable of the secret, without `_FILE`. */
export function readSecretFiles(env: Environment) {
  const values: Record<string, string | undefined> = { ...env };
  const faults: ConfigFault[] = [];
  const given = secretNames.filter((name) => env[`${name}_FILE`]);
  for (const name of given) {
    const file = env[name]
      ? { fault: `must not be set together with ${name}` }
      : readBoundedFile(env[`${name}_FILE`] ?? '');
    if ('fault' in file) faults.push({ variable: name, fault: file.fault });
    else values[name] = file.text;
  }
  /** Reports a fault under the variable that was set. */
  const underGivenName = ({ variable, fault }: ConfigFault): ConfigFault => ({
    variable: given.some((name) => name === variable) ? `${variable}_FILE` : variable,
    fault,
  });
  return { values, faults, underGivenName };
}
