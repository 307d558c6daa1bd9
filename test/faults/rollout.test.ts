// A rollout: the previous version and this one beside each other.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { endDaemons } from '../support/daemon.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type PreviousVersion, unpackPrevious } from '../support/previous-version.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { isThorough } from '../support/thorough.ts';
import { rollOut } from './rollout.ts';

const makeFolder = temporaryFolders();
let previous: PreviousVersion;
let postgres: TestPostgres;
beforeAll(async () => {
  previous = unpackPrevious(makeFolder());
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
  'on %s, replicas of the previous version are replaced by this one, and no request fails',
  async (engine, databaseUrl) => {
    const rollout = await rollOut(previous, await databaseUrl());
    const { sent, failed, lost, faults, proof, versions, lastVersion, notes, seconds } = rollout;
    if (isThorough)
      process.stdout.write(
        `${previous.name} to this version on ${engine}: ${sent} requests, ${failed} failed, ${notes}, ${seconds.toFixed(0)} s\n`,
      );
    expect(faults).toEqual([]);
    expect([failed, lost]).toEqual([0, 0]);
    expect(sent).toBeGreaterThan(0);
    // Everything that either version wrote is proven, and each change of the value is found.
    expect([proof.exitCode, proof.stderr]).toEqual([0, '']);
    expect(versions).toEqual(Array.from({ length: lastVersion }, (_, index) => lastVersion - index).slice(0, 500));
  },
);
