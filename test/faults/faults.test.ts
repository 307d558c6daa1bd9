// Faults of real components under load. The thorough run prints them as a table with one row per fault.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { endDaemons } from '../support/daemon.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { isThorough } from '../support/thorough.ts';
import { fillDisk, startOnReadOnlyFolder } from './disk.ts';
import { failOver, type Way } from './failover.ts';
import { killDuringRenewals } from './killed-renewals.ts';
import { killReplicas } from './killed-replica.ts';
import { cutNetwork, killPostgres, stopPostgres } from './postgres-away.ts';
import { takeProviderAway } from './provider-away.ts';
import { type FaultReport, printReports } from './report.ts';
import { restartReplicas } from './rolling-restart.ts';
import { sendSlowAndBrokenRequests } from './slow-clients.ts';

const reports: FaultReport[] = [];
const makeFolder = temporaryFolders();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres({ isSynced: false });
});
// A failed scenario may have left PostgreSQL stopped.
beforeEach(() => postgres.resume());
afterAll(async () => {
  await postgres?.stop();
  await endDaemons();
  if (isThorough) printReports(reports);
});

const sqlite = () => `sqlite:${join(makeFolder(), 'frontdesk.db')}`;

type Scenario = [string, () => Promise<FaultReport>];

const scenarios: Scenario[] = [
  ['a replica is killed, again and again, on SQLite', () => killReplicas('SQLite', sqlite(), isThorough ? 50 : 2)],
  [
    'a replica is killed while sessions are renewed, on PostgreSQL',
    async () => killDuringRenewals('PostgreSQL', await postgres.createDatabase(), isThorough ? 20 : 1),
  ],
  [
    'replicas are restarted one after the other',
    async () => restartReplicas(await postgres.createDatabase(), isThorough ? 3 : 1),
  ],
  ['PostgreSQL is stopped for a while', () => stopPostgres(postgres, isThorough ? 30 : 1)],
  ['PostgreSQL is killed in the middle of transactions', () => killPostgres(postgres, isThorough ? 5 : 2)],
  ['one replica cannot reach PostgreSQL', () => cutNetwork(postgres, isThorough ? 12 : 1)],
  ['the disk is full', () => fillDisk(makeFolder())],
  ['the data folder is read-only', () => startOnReadOnlyFolder(makeFolder())],
  ['the identity provider is unavailable', () => takeProviderAway(sqlite(), isThorough ? 8 : 1)],
  ['clients are slow, broken or gone', () => sendSlowAndBrokenRequests(sqlite(), isThorough ? 6 : 1)],
  failOverScenario('several hosts'),
];

/** The same faults on the other engine, or with other components between Frontdesk and the database. */
const thoroughScenarios: Scenario[] = [
  [
    'a replica is killed, again and again, on PostgreSQL',
    async () => killReplicas('PostgreSQL', await postgres.createDatabase(), 50),
  ],
  ['a replica is killed while sessions are renewed, on SQLite', () => killDuringRenewals('SQLite', sqlite(), 20)],
  failOverScenario('HAProxy'),
  failOverScenario('HAProxy and PgBouncer'),
];

function failOverScenario(way: Way): Scenario {
  return [`the primary is lost and its standby promoted, by ${way}`, () => failOver(way)];
}

test.each([...scenarios, ...(isThorough ? thoroughScenarios : [])])(
  '%s: no valid request fails, and nothing acknowledged is lost',
  async (_, run) => {
    const report = await run();
    reports.push(report);
    expect([report.failed, report.lost, report.notes]).toEqual([0, 0, report.notes]);
    expect(report.sent).toBeGreaterThan(0);
  },
);
