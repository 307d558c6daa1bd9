// With AUDIT_LOG=stdout, each audit row is also written as a line of JSON, once the row is committed.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { ShownRow } from '../../src/audit/audit.queries.ts';
import type { AuditRow } from '../../src/audit/audit.schema.ts';
import { logAudit, writeAudit } from '../../src/audit/audit.ts';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { makeDatabase } from '../support/database.ts';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { at } from '../support/new-session.ts';
import { runToEnd } from '../support/process.ts';
import { startCluster } from '../support/replicas.ts';

const auditLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"audit":true,'))
    .map((line) => JSON.parse(line) as ShownRow & { audit: true; instance: string });

test('a service writes its rows to standard output, at any LOG_LEVEL, and a command writes them to standard error', async () => {
  const database = await makeDatabase(makeFolder());
  const env = { AUDIT_LOG: 'stdout', LOG_LEVEL: 'error', INSTANCE_NAME: 'desk-1' };
  const cluster = await startCluster({ count: 1, databaseUrls: [database.url], env });
  const [replica] = cluster.replicas;
  const auditor = await cluster.signIn(replica, 'E-1006');
  const response = await fetch(`${replica?.url}/admin/audit?after=0&limit=1000`, { headers: bearer(auditor) });
  // Lines contain no names, because a row's names are not stored with it, but looked up when it is read.
  const rows = ((await response.json()) as AuditRow[]).map(({ personName, actorName, ...row }) => row);
  const command = ['sessions', 'end', '--person', 'E-1006', '--as', 'ticket 7'];
  const secret = { SECRET_KEY: 'shared by all replicas, long enough' };
  const ended = await runToEnd(command, { ...env, ...secret, DATABASE_URL: database.url }, cluster.folder);
  await replica?.stop();
  const lines = auditLines(replica?.log() ?? '');
  await cluster.stop();
  expect(rows.length).toBeGreaterThan(3);
  expect(lines.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(
    rows.map((row) => ({ audit: true, instance: 'desk-1', ...row })),
  );
  expect([ended.exitCode, ended.stdout]).toEqual([0, '1 session has ended.\n']);
  expect(auditLines(ended.stderr)).toMatchObject([
    {
      instance: 'desk-1',
      type: 'session-ended',
      person: 'E-1006',
      actor: 'command line (ticket 7)',
      id: String(rows.length + 1),
    },
  ]);
});

test('a row that is rolled back has no line, and a line is written only after the commit', async () => {
  const folder = makeFolder();
  const { url, query } = await makeDatabase(folder);
  const storage = await openStorage(readConfig({ DATABASE_URL: url }).database);
  provideAuditKey(storage.db, async () => Buffer.alloc(32));
  const written: string[] = [];
  logAudit(storage.db, 'desk-1', (line) => void written.push(line));
  const failing = storage.db.transaction().execute(async (tx) => {
    writeAudit(tx, { type: 'logout', actor: 'nobody' }, at(0));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect([written, await query('select seq from audit')]).toEqual([[], []]);
  await storage.db.transaction().execute(async (tx) => {
    writeAudit(tx, { type: 'logout', actor: 'one' }, at(0));
    writeAudit(tx, { type: 'logout', actor: 'two' }, at(0));
    expect(written).toEqual([]);
  });
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
  expect(auditLines(written.join('')).map(({ id, actor }) => [id, actor])).toEqual([
    ['1', 'one'],
    ['2', 'two'],
  ]);
});
