// Restores backups onto an empty server with the commands of docs/operations.md, and compares everything with the original.
import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSigner } from '../support/callers.ts';
import { bearer } from '../support/frontdesk.ts';
import { guideBlock, runInGuide } from '../support/guide.ts';
import { startServers } from '../support/postgres-pair.ts';
import { runToEnd } from '../support/process.ts';
import { type Cluster, type Replica, secretKey, startCluster } from '../support/replicas.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until } from '../support/waiting.ts';

const folder = temporaryFolders();

async function readJson(url: string, token: string): Promise<unknown> {
  const response = await fetch(url, { headers: bearer(token) });
  expect([url, response.status]).toEqual([url, 200]);
  return response.json();
}

async function change(url: string, method: string, token: string, version: number, body: unknown): Promise<void> {
  const headers = { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect([url, response.status < 300]).toEqual([url, true]);
}

async function runCommand(databaseUrl: string, ...args: string[]): Promise<string> {
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey };
  const { exitCode, stdout, stderr } = await runToEnd(args, env, folder());
  expect([args, exitCode, stderr]).toEqual([args, 0, '']);
  return stdout;
}

/** Creates several versions of a list, several sessions, two signing keys and a program. */
async function makeHistory({ token, replicas, signIn, signInBound }: Cluster, databaseUrl: string) {
  const [replica] = replicas;
  if (replica === undefined) throw new Error('There is no replica.');
  const list = `${replica.url}/admin/lookups/employee-level`;
  await change(`${list}/items/LEAD`, 'PATCH', token, 1, { label: 'Leader', labels: { de: 'Leitung' } });
  await change(`${list}/items`, 'POST', token, 2, { value: 'FELLOW', label: 'Fellow' });
  await change(`${list}/items/FELLOW/retire`, 'POST', token, 3, {});
  await change(`${list}/undo`, 'POST', token, 4, { version: 3 });
  const key = join(folder(), 'key.json');
  writeFileSync(key, JSON.stringify((await makeSigner('archive-1')).publicJwk));
  await runCommand(databaseUrl, 'callers', 'add', 'archive', '--key', key, '--roles', 'AUDITOR');
  await runCommand(databaseUrl, 'keys', 'rotate');
  // The service notices the new key at its next poll.
  const keysOf = async () => (await readJson(`${replica.url}/.well-known/jwks.json`, token)) as { keys: unknown[] };
  await until(async () => (await keysOf()).keys.length === 2);
  const bound = await signInBound(replica, replica);
  return { keeper: token, others: [await signIn(replica, 'E-1006'), bound.token], cookie: bound.cookie };
}

type People = Awaited<ReturnType<typeof makeHistory>>;

/** Reads everything that HTTP and the command line can show, except the audit. */
async function readEverything({ url }: Replica, databaseUrl: string, { keeper, others }: People) {
  const lists = (await readJson(`${url}/admin/lookups`, keeper)) as { list: string }[];
  expect(lists.length).toBeGreaterThan(3);
  const details: unknown[] = [];
  for (const { list } of lists) {
    for (const path of ['', '/history?limit=500', '/last-changes', '/versions/1'])
      details.push(await readJson(`${url}/admin/lookups/${list}${path}`, keeper));
    details.push(await readJson(`${url}/employee/${list}`, keeper));
  }
  const people = [];
  for (const token of [keeper, ...others])
    people.push([await readJson(`${url}/auth/me`, token), await readJson(`${url}/auth/sessions`, token)]);
  return {
    lists,
    details,
    people,
    keys: [await readJson(`${url}/.well-known/jwks.json`, keeper), await runCommand(databaseUrl, 'keys', 'list')],
    sessions: await runCommand(databaseUrl, 'sessions', 'list'),
    callers: await runCommand(databaseUrl, 'callers', 'list'),
    exported: await runCommand(databaseUrl, 'lookups', 'export'),
  };
}

const readAudit = (databaseUrl: string) => runCommand(databaseUrl, 'audit', '--json', '--limit', '1000');

/** Makes a service with a history, backs it up while it runs, loses it, restores the backup, and compares. */
async function rehearse(
  original: string,
  empty: string,
  backUp: () => Promise<unknown>,
  restore: (env: Record<string, string>) => Promise<unknown>,
) {
  await using cluster = await startCluster({ count: 1, databaseUrls: [original, empty] });
  const people = await makeHistory(cluster, original);
  const [replica] = cluster.replicas as [Replica];
  const before = await readEverything(replica, original, people);
  expect(JSON.stringify(before.details)).toContain('FELLOW');
  const seal = join(folder(), 'seals.jsonl');
  writeFileSync(seal, await runCommand(original, 'audit', 'seal'));
  const audit = await readAudit(original);
  expect(audit.split('\n').length).toBeGreaterThan(8);
  await backUp();
  // Everything after the backup is lost, together with the first server.
  await change(`${replica.url}/admin/lookups/employee-level/items/LEAD`, 'PATCH', people.keeper, 5, { label: 'Lost' });
  await replica.kill();

  await restore({
    NODE_ENV: 'production',
    SECRET_KEY: secretKey,
    DATABASE_URL: empty,
    OIDC_ISSUER: cluster.issuer,
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'the secret of this client',
    PUBLIC_URL: cluster.publicUrl,
  });
  const restored = cluster.add();
  await restored.start();
  expect(await readEverything(restored, empty, people)).toEqual(before);
  expect((await readAudit(empty)).startsWith(audit)).toBe(true);
  await runCommand(empty, 'audit', 'verify', '--last-seal', seal);
  // The restored service continues where the backup ended: an earlier session is renewed, somebody signs in, and a list is
  // changed.
  const headers = { cookie: people.cookie, origin: cluster.publicUrl };
  expect((await fetch(`${restored.url}/auth/renew`, { method: 'POST', headers })).status).toBe(200);
  const token = await cluster.signIn(restored);
  await change(`${restored.url}/admin/lookups/employee-level/items`, 'POST', token, 5, { value: 'NEW', label: 'New' });
  await runCommand(empty, 'audit', 'verify', '--last-seal', seal);
}

describe('a backup is restored as the guide says', () => {
  test('on SQLite', async () => {
    const [old, empty, backups] = [folder(), folder(), folder()] as [string, string, string];
    const data = join(empty, 'frontdesk');
    mkdirSync(data);
    const url = `sqlite:${join(old, 'frontdesk.db')}`;
    await rehearse(
      url,
      `sqlite:${join(data, 'frontdesk.db')}`,
      () =>
        runInGuide(guideBlock('frontdesk backup '), {
          replacements: { '/backups': backups },
          env: { DATABASE_URL: url },
        }),
      async (env) => {
        const [name = ''] = readdirSync(backups);
        expect(name).toMatch(/^frontdesk-\d{4}-\d\d-\d\d\.db$/);
        const replacements = { '/backups/frontdesk-YYYY-MM-DD.db': join(backups, name), '/var/lib/frontdesk': data };
        await runInGuide(guideBlock('rm -f /var/lib/frontdesk/'), { replacements, env });
      },
    );
  });

  test('on PostgreSQL', async () => {
    await using servers = await startServers(2);
    const backups = folder();
    const path = [servers.bin];
    const [old = 0, empty = 0] = servers.ports;
    const replacementsAt = (port: number) => ({
      '/backups': backups,
      'frontdesk_owner:…@db.example.com': `frontdesk_owner:secret@localhost:${port}`,
    });
    const runSql = (start: string, port: number, database: string) =>
      runInGuide(
        `psql --no-psqlrc --set=ON_ERROR_STOP=1 postgres://postgres@localhost:${port}/${database} << 'END'\n${guideBlock(start)}END`,
        { path },
      );
    const serviceAt = (port: number) => `postgres://frontdesk:secret@localhost:${port}/frontdesk`;
    for (const port of [old, empty]) await runSql('create role frontdesk_owner ', port, 'postgres');
    const address = {
      'frontdesk_owner:…@db.example.com/frontdesk?sslmode=verify-full': `frontdesk_owner:secret@localhost:${old}/frontdesk`,
    };
    await runInGuide(guideBlock('DATABASE_URL=postgres://frontdesk_owner:'), { replacements: address });
    await runSql('grant delete on ', old, 'frontdesk');
    await rehearse(
      serviceAt(old),
      serviceAt(empty),
      () => runInGuide(guideBlock('pg_dump '), { replacements: replacementsAt(old), path }),
      (env) => runInGuide(guideBlock('pg_restore '), { replacements: replacementsAt(empty), env, path }),
    );
  });
});
