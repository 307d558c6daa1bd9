// Signs in as browsers do: starts a sign-in, goes to the provider, and returns with the code. First starts all
// sign-ins, then finishes all of them. The provider signs its tokens between these two parts, which are measured
// separately.

import type { Prepared } from './provider.ts';
import { type Server, trustAuthority } from './servers.ts';

/** The cost of one sign-in. */
export interface Cost {
  startMs: number;
  finishMs: number;
  /** Processor time of the server process. */
  startCpuMs: number;
  finishCpuMs: number;
}

interface Begun extends Prepared {
  state: string;
  cookie: string;
}

const manyPeople = 1000;
let count = 0;

export async function signIn(server: Server, provider: string, signIns: number, atOnce: number): Promise<Cost> {
  const numbers = Array.from({ length: signIns }, () => count++ % manyPeople);
  const begun: Begun[] = [];
  const starting = await measure(
    server,
    numbers,
    atOnce,
    async (number) => void begun.push(await begin(server, number)),
  );
  const response = await fetch(`${provider}/prepare`, {
    ...trustAuthority,
    method: 'POST',
    body: JSON.stringify(begun),
  });
  const codes = (await response.json()) as string[];
  const callbacks = begun.map((each, index) => ({ ...each, code: codes[index] ?? '' }));
  const finishing = await measure(server, callbacks, atOnce, (each) => finish(server, each));
  return {
    startMs: starting.ms,
    startCpuMs: starting.cpuMs,
    finishMs: finishing.ms,
    finishCpuMs: finishing.cpuMs,
  };
}

async function measure<T>(server: Server, inputs: readonly T[], atOnce: number, work: (input: T) => Promise<void>) {
  const left = [...inputs].values();
  const [before, began] = [server.processorSeconds(), performance.now()];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const input of left) await work(input);
    }),
  );
  const [used, took] = [server.processorSeconds() - before, performance.now() - began];
  return { ms: took / inputs.length, cpuMs: (used * 1000) / inputs.length };
}

async function begin({ name, url }: Server, number: number): Promise<Begun> {
  const response = await fetch(`${url}/auth/login`, { redirect: 'manual' });
  const { searchParams } = new URL(response.headers.get('location') ?? `${url}/?${response.status}`);
  const get = (parameter: string) => {
    const value = searchParams.get(parameter);
    if (value === null) throw new Error(`${name} starts a sign-in without ${parameter}: ${response.status}`);
    return value;
  };
  return {
    nonce: get('nonce'),
    // passport-openidconnect does not support PKCE.
    challenge: searchParams.get('code_challenge') ?? '',
    state: get('state'),
    person: `P-${number}`,
    cookie: response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  };
}

async function finish({ name, url }: Server, { code, state, cookie }: Begun & { code: string }): Promise<void> {
  const query = new URLSearchParams({ code, state });
  const response = await fetch(`${url}/auth/login/callback?${query}`, { headers: { cookie } });
  const body = await response.text();
  if (!response.ok || !body.includes('accessToken')) throw new Error(`${name}: ${response.status} ${body}`);
}
