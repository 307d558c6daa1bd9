// Compares deploy/frontdesk.service with the code, and has systemd check it.
import { describe, expect, test } from 'bun:test';
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../src/base/exit-error.ts';
import { longestStopOfWorkersMs } from '../../src/base/stop-times.ts';
import { readConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { guideBlock, runInGuide } from '../support/guide.ts';
import { freePort } from '../support/ports.ts';
import { root, spawnFrontdesk, untilReady } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until } from '../support/waiting.ts';

const folder = temporaryFolders();
const unit = readFileSync(join(root, 'deploy/frontdesk.service'), 'utf8');
/** The values of a setting, which may be given several times. An empty one removes those before it. */
const valuesOf = (name: string, text = unit) => {
  const values = [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  return values.slice(values.lastIndexOf('') + 1);
};

/** The variables that the unit sets with these changes, with its credentials in a temporary folder. */
function environmentWith(changes: string): Record<string, string> {
  const credentials = folder();
  const secrets: Record<string, string> = { 'database-url': 'postgres://frontdesk:secret@localhost/frontdesk' };
  for (const [name = ''] of valuesOf('LoadCredential', unit + changes).map((value) => value.split(':')))
    writeFileSync(join(credentials, name), secrets[name] ?? 'only for this test, and long enough');
  const pairs = valuesOf('Environment', unit + changes).flatMap((value) =>
    value.split(' ').map((pair) => pair.split(/=(.*)/s)),
  );
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name, value.replace('%d', credentials).replace('%S', folder())]),
  );
}

const settings = { PUBLIC_URL: 'https://desk.example', OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'desk' };
const forPostgres = guideBlock('# For PostgreSQL:');
const withoutClientSecret = guideBlock('# Without a client secret (');

describe('the unit', () => {
  test('allows a stop the time that it may take', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(longestStopOfWorkersMs / 1000);
  });

  test('does not restart after wrong arguments or a wrong configuration, and tries again if the database was unavailable', () => {
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual([`${exitCodes.usage} ${exitCodes.configuration}`]);
    expect(valuesOf('StartLimitIntervalSec')).toEqual(['0']);
  });

  test('sets only variables that exist, and reads the secrets from files', () => {
    const given = environmentWith('');
    expect(Object.keys(given).filter((name) => !(name in variables))).toEqual([]);
    expect(readConfig({ ...given, ...settings })).toMatchObject({
      production: true,
      secretKey: 'only for this test, and long enough',
      provider: { clientSecret: 'only for this test, and long enough' },
      database: { engine: 'sqlite' },
      warnings: [],
    });
  });

  test('can be changed as the guide says, for PostgreSQL and for a client without a secret', () => {
    expect(readConfig({ ...environmentWith(forPostgres), ...settings }).database).toMatchObject({ engine: 'postgres' });
    const given = { ...environmentWith(withoutClientSecret), ...settings, OIDC_CLIENT_AUTH: 'private_key_jwt' };
    expect(readConfig(given)).toMatchObject({ provider: { clientSecret: undefined }, warnings: [] });
  });

  test('is accepted by systemd, which rates its sandbox', () => {
    const systemdAnalyze = programPath('systemd-analyze');
    const file = join(folder(), 'frontdesk.service');
    // Names a program that exists, because Frontdesk is not installed on this machine.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const run = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([systemdAnalyze, ...args, file]);
      return [exitCode, stdout.toString() + stderr.toString()];
    };
    expect(run('verify', '--man=no')).toEqual([0, '']);
    // systemd rates a unit from 0 (nothing is exposed) to 10. The threshold of 13 means a rating of at most 1.3. It cannot be 0,
    // because the service needs the network and compiles code.
    expect(run('security', '--offline=true', '--no-pager', '--threshold=13')).toEqual([
      0,
      expect.stringContaining('Overall exposure level for frontdesk.service'),
    ]);
  });
});

test("the guide's function runs commands with the account, variables and secrets of the unit and its changes", async () => {
  const changed = join(folder(), 'frontdesk.service');
  writeFileSync(changed, `${unit}\n# override.conf\n${forPostgres}`);
  const printed = await runInGuide(`${guideBlock('frontdesk() {')}frontdesk audit --since 'two days'`, {
    scripts: {
      systemctl: `[ "$*" = 'cat frontdesk' ] && cat '${changed}'`,
      'systemd-run': `printf '%s\\n' "$@"`,
    },
  });
  const words = printed.trim().split('\n');
  const name = words.find((word) => word.startsWith('--unit='))?.slice('--unit='.length) ?? '';
  const credentials = `/run/credentials/${name}.service`;
  for (const property of [
    'DynamicUser=yes',
    'StateDirectory=frontdesk',
    'LoadCredential=secret-key:/etc/frontdesk/secret-key',
    'LoadCredential=database-url:/etc/frontdesk/database-url',
    `Environment=SECRET_KEY_FILE=${credentials}/secret-key OIDC_CLIENT_SECRET_FILE=${credentials}/oidc-client-secret`,
    'Environment=NODE_ENV=production DATABASE_URL=sqlite:/var/lib/frontdesk/frontdesk.db',
    `Environment=DATABASE_URL= DATABASE_URL_FILE=${credentials}/database-url`,
    'EnvironmentFile=/etc/frontdesk/frontdesk.env',
  ])
    expect(words).toContain(`-p${property}`);
  expect(printed).not.toContain('%');
  expect(words.slice(-4)).toEqual(['/usr/local/bin/frontdesk', 'audit', '--since', 'two days']);
  // systemd accepts these properties.
  const properties = words.filter((word) => word.startsWith('-p') && word.includes('=')).map((word) => word.slice(2));
  const file = join(folder(), 'command.service');
  writeFileSync(file, `[Service]\n${properties.join('\n')}\nUser=frontdesk\nExecStart=${process.execPath}\n`);
  const { exitCode, stderr } = Bun.spawnSync([programPath('systemd-analyze'), 'verify', '--man=no', file]);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
});

/**
 * Starts Frontdesk with this script as systemd-notify. The log and the script's notifications go to one file. Stops Frontdesk
 * once `isDone` returns true for the text in that file.
 */
async function runUntil(script: string, isDone: (log: string) => boolean): Promise<() => string> {
  const home = folder();
  const notify = join(home, 'systemd-notify');
  writeFileSync(notify, `#!/bin/sh\n${script}\n`);
  chmodSync(notify, 0o755);
  const [port, file] = [freePort(), join(home, 'log')];
  const env = { NOTIFY_SOCKET: '/run/notify', TOLD: file, PATH: `${home}:${process.env.PATH}`, PORT: String(port) };
  writeFileSync(file, '');
  const log = openSync(file, 'a');
  const child = spawnFrontdesk([], env, home, log);
  closeSync(log);
  const read = () => readFileSync(file, 'utf8');
  await untilReady(`http://localhost:${port}`);
  await until(async () => isDone(read()));
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  return read;
}

describe('Frontdesk tells systemd', () => {
  test('when it is ready, and when it stops', async () => {
    const script = 'echo "$NOTIFY_SOCKET $*" >> "$TOLD"';
    const read = await runUntil(script, (text) => text.includes('READY=1'));
    // The script may end after Frontdesk.
    await until(async () => read().includes('STOPPING=1\n'));
    expect(read().match(/^\/run\/notify .*$/gm)).toEqual(['/run/notify READY=1', '/run/notify STOPPING=1']);
  });

  test('and serves even if it cannot tell systemd', async () => {
    const read = await runUntil('exit 3', (text) => text.includes('systemd-notify failed'));
    expect(read()).toContain('"state":"READY=1","exitCode":3,"msg":"systemd-notify failed"');
  });
});
