// The identity provider is unavailable when the service starts, and stays unavailable for a while.
import { bearer } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { startCluster } from '../support/replicas.ts';
import { untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

export async function takeProviderAway(databaseUrl: string, seconds: number): Promise<FaultReport> {
  await using cluster = await startCluster({ count: 1, databaseUrls: [databaseUrl] });
  const { token } = cluster;
  const [replica] = cluster.replicas;
  if (replica === undefined) throw new Error('no replica');
  const { url } = replica;
  await cluster.stopProvider();
  await replica.stop();
  await replica.start();
  const ask = (path: string) => expectStatus(fetch(url + path, { headers: bearer(token) }), 200);
  await using reading = new Load(() => ask('/employee/position'));
  await using asking = new Load(() => ask('/auth/me'), { loops: 2 });
  await using signingIn = new Load(
    async () => {
      const response = await fetch(`${url}/auth/login`, { redirect: 'manual' });
      const { type } = (await response.json()) as { type?: string };
      const isRight =
        response.status === 503 && response.headers.has('retry-after') && type?.endsWith('/idp-unavailable');
      return isRight ? undefined : `${response.status} ${type} instead of 503`;
    },
    { loops: 1, pauseMs: 100 },
  );
  await Promise.all([Bun.sleep(seconds * 1000), ...[reading, asking, signingIn].map((load) => load.more(5))]);
  await signingIn.stop();
  await cluster.startProvider();
  const recoverySeconds = await untilWorks(() => cluster.signIn().then(() => true));
  const loads = [reading, asking, signingIn];
  await Promise.all(loads.map((load) => load.stop()));
  return {
    fault: `identity provider unavailable from startup on, for ${seconds} s`,
    sent: loads.reduce((total, load) => total + load.sent, 0),
    failed: loads.reduce((total, load) => total + load.failed, 0),
    lost: 0,
    recoverySeconds,
    notes: [`${signingIn.sent} sign-ins answered 503`, ...loads.flatMap(({ faults }) => faults)].join(', '),
  };
}
