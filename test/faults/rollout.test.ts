// A rollout: two versions run side by side on one database.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { endDaemons } from '../support/daemon.ts';
import { makeNextVersion } from '../support/next-version.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { command } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { isThorough } from '../support/thorough.ts';
import { rollOut, type Versions } from './rollout.ts';

const makeFolder = temporaryFolders();
let postgres: TestPostgres;
/**
 * This version beside a copy of itself with one more migration. After the first release, a second pair is added here: the
 * published executable of that release beside this version.
 */
let versions: Versions;
beforeAll(async () => {
  versions = { older: command, newer: makeNextVersion(makeFolder()) };
  postgres = await startPostgres({ isSynced: false });
});
afterAll(async () => {
  await postgres?.stop();
  await endDaemons();
});

const databases: [string, () => Promise<string>][] = [
  ['PostgreSQL', () => postgres.createDatabase()],
  ['SQLite', async () => `sqlite:${join(makeFolder(), 'frontdesk.db')}`],
];

test.each(databases)(
  'on %s, replicas are replaced by those of the next version, and no request fails',
  async (engine, databaseUrl) => {
    const rollout = await rollOut(versions, await databaseUrl());
    const { sent, failed, lost, faults, proof, versions: found, lastVersion, notes, seconds } = rollout;
    if (isThorough)
      process.stdout.write(
        `to the next version on ${engine}: ${sent} requests, ${failed} failed, ${notes}, ${seconds.toFixed(0)} s\n`,
      );
    expect(faults).toEqual([]);
    expect([failed, lost]).toEqual([0, 0]);
    expect(sent).toBeGreaterThan(0);
    // The audit proves everything that either version wrote, and each change of the value is found.
    expect([proof.exitCode, proof.stderr]).toEqual([0, '']);
    expect(found).toEqual(Array.from({ length: lastVersion }, (_, index) => lastVersion - index).slice(0, 500));
  },
);
