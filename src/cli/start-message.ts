// What a developer sees once the service has started.
import type { Config } from '../config/config.ts';
import { nameOfDatabase } from '../storage/storage.ts';

export function startMessage(config: Config, issuer: string, version: string): string {
  const { publicUrl, provider, database, devPeople } = config;
  const [first] = devPeople ?? [];
  const hint = encodeURIComponent(first?.claims.sub ?? 'E-1001');
  const rows = [
    ['Console', `${publicUrl}/`],
    ['API docs', `${publicUrl}/docs`],
    [
      'Identity provider',
      provider === undefined
        ? `${issuer} (development, with ${devPeople === undefined ? 'sample people' : 'those of DEV_PEOPLE'})`
        : issuer,
    ],
    ['Database', nameOfDatabase(database)],
  ];
  const next =
    provider === undefined
      ? `Get an access token:\n\n  curl -sL -b '' '${publicUrl}/auth/login?login_hint=${hint}'`
      : `Sign in:\n\n  ${publicUrl}/auth/login`;
  return `Frontdesk ${version} is ready.

${rows.map(([name = '', value]) => `  ${name.padEnd(19)}${value}`).join('\n')}

${next}

`;
}
