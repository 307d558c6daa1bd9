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
 * This version, and a copy of it with one more migration. After the first release, add a second pair here: the published
 * executable of that release, and this version.
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
  'on %s, no request fails while replicas are replaced by replicas of the next version',
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
    // `audit verify` accepts the rows that both versions wrote, and the history of the value contains all of its changes.
    expect([proof.exitCode, proof.stderr]).toEqual([0, '']);
    expect(found).toEqual(Array.from({ length: lastVersion }, (_, index) => lastVersion - index).slice(0, 500));
  },
);
