// A real Keycloak with the realm in deploy/, from an existing distribution or one that Maven downloads.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './base-images.ts';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { root } from './process.ts';

export interface Keycloak {
  issuer: string;
  version: string;
  /** Calls the admin API, with a path relative to the realm's. Throws if the call is refused. */
  admin<T>(method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

const realm = 'company';
const administrator = 'admin';
const newest = '26.7.3';

/** `frontdeskUrl` replaces the address of Frontdesk in the realm file. */
export async function startKeycloak(frontdeskUrl: string): Promise<Keycloak> {
  const java = Bun.which('java', { PATH: `${process.env.JAVA_HOME ?? ''}/bin:${process.env.PATH}` });
  if (java === null) throw new Error('java is missing: install Java 17 or 21, or set JAVA_HOME');
  const folder = makeFolder();
  const home = unpack(folder);
  const file = readFileSync(join(root, `deploy/keycloak/${realm}-realm.json`), 'utf8');
  mkdirSync(join(home, 'data/import'), { recursive: true });
  writeFileSync(join(home, `data/import/${realm}-realm.json`), file.replaceAll('http://localhost:3000', frontdeskUrl));

  const url = `http://localhost:${freePort()}`;
  const log = join(folder, 'keycloak.log');
  const words = ['start-dev', '--import-realm', `--http-port=${new URL(url).port}`, `--hostname=${url}`];
  const child = Bun.spawn(['sh', join(home, 'bin/kc.sh'), ...words], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator,
      JAVA_OPTS: '-Xms64m -Xmx700m -XX:MaxMetaspaceSize=256m',
    },
    stdio: ['ignore', Bun.file(log), Bun.file(log)],
  });
  const stop = async () => {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };

  const issuer = `${url}/realms/${realm}`;
  const isUp = () =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) {
      const printed = readFileSync(log, 'utf8');
      await stop();
      throw new Error(`Keycloak did not start:\n${printed}`);
    }
    await Bun.sleep(250);
  }

  /** Gets a token. Each admin call gets a new one, because a token is valid for only a minute. */
  async function administratorToken(): Promise<string> {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: administrator, password: administrator };
    const body = new URLSearchParams(form);
    const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  return {
    issuer,
    version: /Keycloak (\S+) on JVM/.exec(readFileSync(log, 'utf8'))?.[1] ?? 'unknown',
    async admin<T>(method: string, path: string, body?: unknown) {
      const headers = { authorization: `Bearer ${await administratorToken()}`, 'content-type': 'application/json' };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/admin/realms/${realm}${path}`, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    stop,
  };
}

/** Unpacks into a new folder, so that the distribution stays unchanged. */
function unpack(folder: string): string {
  const source = findDistribution(folder);
  const home = join(folder, 'keycloak');
  if (statSync(source).isDirectory()) {
    cpSync(source, home, { recursive: true, filter: (path) => path !== join(source, 'data') });
    return home;
  }
  run('unzip', '-q', source, '-d', home);
  // The zip file contains one folder, with the version in its name.
  return join(home, readdirSync(home)[0] ?? '');
}

function findDistribution(folder: string): string {
  const { KEYCLOAK_HOME, KEYCLOAK_VERSION = newest } = process.env;
  if (KEYCLOAK_HOME !== undefined) {
    const source = resolve(root, KEYCLOAK_HOME);
    if (source.endsWith('.zip') ? existsSync(source) : existsSync(join(source, 'bin/kc.sh'))) return source;
    throw new Error(`KEYCLOAK_HOME: ${source} is neither the folder of a Keycloak nor its zip`);
  }
  if (Bun.which('mvn') === null) {
    throw new Error('Keycloak is missing: set KEYCLOAK_HOME to its folder or zip, or install Maven, which fetches it');
  }
  const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`;
  run('mvn', '--batch-mode', '--quiet', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`);
  return join(folder, `keycloak-quarkus-dist-${KEYCLOAK_VERSION}.zip`);
}
