// Replicas are killed one after the other while they work.
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { type Replica, secondsToStart, startCluster, Writer } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

export async function killReplicas(engine: string, databaseUrl: string, rounds: number): Promise<FaultReport> {
  const count = isThorough ? 3 : 2;
  await using cluster = await startCluster({ count, databaseUrls: [databaseUrl] });
  const { replicas, token } = cluster;
  let victim: Replica | undefined;
  let turn = 0;
  /** Returns the next replica in turn, skipping one that is being killed. */
  const next = (): Replica => {
    const replica = replicas[++turn % replicas.length] as Replica;
    return replica === victim ? next() : replica;
  };

  await using readers = new Load(async () => {
    const at = next();
    const fault = await expectStatus(fetch(`${at.url}/employee/position`, { headers: bearer(token) }), 200).catch(
      (error: unknown) => String(error),
    );
    // Requests in progress on the killed replica are lost with it.
    return at === victim ? undefined : fault;
  });
  // Writes may even be sent to the replica that is being killed, because only acknowledged writes count.
  const any = () => replicas[++turn % replicas.length] as Replica;
  const writer = new Writer('employee-level', 'LEAD');
  await using writing = new Load(async () => void (await writer.write(any().url, token).catch(() => {})), {
    loops: 1,
    pauseMs: 2,
  });
  const sessions: string[] = [];
  await using signingIn = new Load(
    async () =>
      void (await cluster.signIn(any()).then(
        (signedIn) => sessions.push(signedIn),
        () => 'cut off',
      )),
    { loops: 1, pauseMs: 20 },
  );

  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    const [changes, people] = [writer.acknowledged.size, sessions.length];
    await until(async () => writer.acknowledged.size > changes + 3 && sessions.length > people);
    const killed = replicas[round % replicas.length] as Replica;
    victim = killed;
    await killed.kill();
    longest = Math.max(longest, await secondsToStart(killed));
    victim = undefined;
  }
  await Promise.all([readers.stop(), writing.stop(), signingIn.stop()]);

  const lostChanges = await Promise.all(replicas.map(({ url }) => writer.countLost(url, token)));
  const statuses = await Promise.all(
    sessions.map(async (session) => (await fetch(`${next().url}/auth/me`, { headers: bearer(session) })).status),
  );
  const lostSessions = statuses.filter((status) => status !== 200).length;
  return {
    fault: `kill -9 of one of ${count} replicas, ${rounds} rounds, ${engine}`,
    sent: readers.sent,
    failed: readers.failed,
    lost: Math.max(...lostChanges) + lostSessions,
    recoverySeconds: longest,
    notes: [`${writer.acknowledged.size} changes and ${sessions.length} sign-ins acknowledged`, ...readers.faults].join(
      ', ',
    ),
  };
}
