// Faults of real parts under load. Each is a row of the table this prints.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeFolder } from '../support/frontdesk.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
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
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  printReports(reports);
});

// After a kill, the session that was being renewed is waited for.
const [rounds, renewalRounds] = isThorough ? [50, 20] : [3, 2];

const sqlite = () => `sqlite:${join(makeFolder(), 'frontdesk.db')}`;

const scenarios: [string, () => Promise<FaultReport>][] = [
  ['a replica is killed, again and again, on SQLite', () => killReplicas('SQLite', sqlite(), rounds)],
  [
    'a replica is killed, again and again, on PostgreSQL',
    async () => killReplicas('PostgreSQL', await postgres.createDatabase(), rounds),
  ],
  [
    'a replica is killed while sessions are renewed, on SQLite',
    () => killDuringRenewals('SQLite', sqlite(), renewalRounds),
  ],
  [
    'a replica is killed while sessions are renewed, on PostgreSQL',
    async () => killDuringRenewals('PostgreSQL', await postgres.createDatabase(), renewalRounds),
  ],
  [
    'replicas are restarted one after the other',
    async () => restartReplicas(await postgres.createDatabase(), isThorough ? 3 : 1),
  ],
  ['PostgreSQL is stopped for a while', () => stopPostgres(postgres, isThorough ? 30 : 3)],
  ['PostgreSQL is killed in the middle of transactions', () => killPostgres(postgres, isThorough ? 5 : 2)],
  ['one replica cannot reach PostgreSQL', () => cutNetwork(postgres, isThorough ? 12 : 2)],
  ['the disk is full', fillDisk],
  ['the data folder is read-only', startOnReadOnlyFolder],
  ['the identity provider is away', () => takeProviderAway(sqlite(), isThorough ? 8 : 2)],
  ['clients are slow, broken or gone', () => sendSlowAndBrokenRequests(sqlite(), isThorough ? 6 : 2)],
];

const ways: Way[] = ['several hosts', 'HAProxy', 'HAProxy and PgBouncer'];
for (const way of ways) {
  scenarios.push([`the primary is lost and its standby promoted, by ${way}`, () => failOver(way)]);
}

test.each(scenarios)('%s: no valid request fails, and nothing acknowledged is lost', async (_, run) => {
  const report = await run();
  reports.push(report);
  expect([report.failed, report.lost, report.notes]).toEqual([0, 0, report.notes]);
  expect(report.sent).toBeGreaterThan(0);
});
