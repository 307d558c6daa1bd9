// Replicas are killed one after the other while sessions are renewed and ended on all of them. The provider's refresh
// tokens work only once, so using one twice would be noticed.
import { payloadOf } from '../support/bound-sign-in.ts';
import { bearer } from '../support/frontdesk.ts';
import { Load } from '../support/load.ts';
import { type Cluster, type Replica, secondsToStart, startCluster } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { until, untilWorks } from '../support/waiting.ts';
import type { FaultReport } from './report.ts';

interface Session {
  cookie: string;
  tokens: string[];
  /** Whether a client was told that the session has ended. */
  hasEnded: boolean;
}

export async function killDuringRenewals(engine: string, databaseUrl: string, rounds: number): Promise<FaultReport> {
  await using cluster = await startCluster({
    count: isThorough ? 3 : 2,
    databaseUrls: [databaseUrl],
    overrides: { rotateRefreshToken: true },
  });
  const { replicas } = cluster;
  let turn = 0;
  const any = () => replicas[++turn % replicas.length] as Replica;
  const sessions: Session[] = [];
  let renewed = 0;
  const underWay = new Map(replicas.map((replica) => [replica, 0]));
  const renewAt = async (replica: Replica, session: Session) => {
    underWay.set(replica, (underWay.get(replica) ?? 0) + 1);
    const fault = await renew(cluster, replica, session);
    underWay.set(replica, (underWay.get(replica) ?? 0) - 1);
    return fault;
  };

  await using load = new Load(
    async () => {
      const opened = await cluster.signInBound(any(), any()).catch(() => undefined);
      // A replica was killed during the sign-in.
      if (opened === undefined) return undefined;
      const session: Session = { cookie: opened.cookie, tokens: [opened.token], hasEnded: false };
      sessions.push(session);
      const renewals = replicas.map((replica) => renewAt(replica, session));
      // Every third session is signed out while it is being renewed.
      if (sessions.length % 3 === 0) await end(any(), session, opened.token);
      const faults = await Promise.all(renewals);
      renewed += session.tokens.length - 1;
      return faults.find((fault) => fault !== undefined);
    },
    { loops: isThorough ? 6 : 3, pauseMs: 5 },
  );

  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    const before = renewed;
    const killed = replicas[round % replicas.length] as Replica;
    await until(async () => renewed > before + 3 && (underWay.get(killed) ?? 0) > 0);
    await killed.kill();
    longest = Math.max(longest, await secondsToStart(killed));
  }
  await load.stop();

  let [stillOpen, ended, usable] = [0, 0, 0];
  const judge = async (session: Session) => {
    const isOver = session.hasEnded || (await askForRenewal(cluster, any(), session))?.status === 401;
    if (isOver) ended++;
    else stillOpen++;
    if (isOver && (await isUsable(cluster, session))) usable++;
  };
  const left = [...sessions];
  const judging = Array.from({ length: 8 }, async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await judge(next);
  });
  await Promise.all(judging);
  const rows = new Set(sessions.map(({ tokens: [first = ''] }) => payloadOf<{ sid: string }>(first).sid)).size;
  return {
    fault: `kill -9 while sessions are renewed, ${rounds} rounds, ${engine}`,
    sent: load.sent,
    failed: load.failed,
    lost: usable + (sessions.length - rows),
    recoverySeconds: longest,
    notes: [`${renewed} renewals, ${stillOpen} sessions open and ${ended} ended afterwards`, ...load.faults].join(', '),
  };
}

/** Returns what was wrong with the answer. A missing answer is not wrong, because the replica may have been killed. */
async function renew(cluster: Cluster, replica: Replica, session: Session): Promise<string | undefined> {
  const wasOver = session.hasEnded;
  const response = await askForRenewal(cluster, replica, session);
  if (response === undefined) return undefined;
  const { accessToken = '' } = (await response.json()) as { accessToken?: string };
  if (response.status === 401) session.hasEnded = true;
  else if (response.status !== 200) return `renewal: ${response.status}`;
  else session.tokens.push(accessToken);
  if (response.status !== 200) return undefined;
  if (wasOver) return 'renewed after it had ended';
  const [first = ''] = session.tokens;
  return payloadOf<{ sid: string }>(accessToken).sid === payloadOf<{ sid: string }>(first).sid ? undefined : 'doubled';
}

async function end({ url }: Replica, session: Session, token: string): Promise<void> {
  const logout = fetch(`${url}/auth/logout`, { method: 'POST', headers: bearer(token) });
  const response = await logout.catch(() => undefined);
  if (response?.status === 204) session.hasEnded = true;
}

/** Requests a renewal. A replica that waits too long for a killed replica answers 503; the request is then repeated. */
async function askForRenewal({ publicUrl }: Cluster, { url }: Replica, { cookie }: Session) {
  const init = { method: 'POST', headers: { cookie, origin: publicUrl } };
  let response: Response | undefined;
  await until(async () => {
    response = await fetch(`${url}/auth/renew`, init).catch(() => undefined);
    return response?.status !== 503;
  });
  return response;
}

/** Whether the cookie or one of the tokens of an ended session still works anywhere. */
async function isUsable(cluster: Cluster, session: Session): Promise<boolean> {
  for (const replica of cluster.replicas) {
    if ((await askForRenewal(cluster, replica, session))?.status !== 401) return true;
    for (const token of session.tokens) {
      const isRefused = async () => (await fetch(`${replica.url}/auth/me`, { headers: bearer(token) })).status === 401;
      // Replicas learn of the end of a session within two seconds.
      if (
        !(await untilWorks(isRefused).then(
          () => true,
          () => false,
        ))
      )
        return true;
    }
  }
  return false;
}
