// Which calls to the provider may reuse a connection, and what happens to a sign-in if that connection is dead.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { signInBound } from '../support/bound-sign-in.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { withoutStall } from '../support/waiting.ts';

/** A proxy in front of one endpoint of the provider: counts connections, and closes open ones. */
class Front {
  readonly #open = new Set<Socket>();
  #count = 0;
  #server: Server | undefined;

  /** Starts the proxy, and returns its port. */
  async start(target: number): Promise<number> {
    const server = createServer((near) => {
      this.#count++;
      this.#open.add(near);
      const far = connect(target, 'localhost');
      near.on('data', (chunk) => this.#open.has(near) && far.write(chunk));
      far.on('data', (chunk) => near.write(chunk));
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return (server.address() as { port: number }).port;
  }

  /** How many connections were made since the last call. */
  takeCount(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#open.clear();
  }

  /** Keeps open connections open, but drops what is sent on them from now on. */
  silence(): void {
    this.#open.clear();
  }

  stop(): void {
    this.close();
    this.#server?.close();
  }
}

let provider: HostileProvider;
let desk: Frontdesk;
const [token, userinfo] = [new Front(), new Front()];

beforeAll(async () => {
  provider = await startHostileProvider();
  const target = Number(new URL(provider.issuer).port);
  const [tokenPort, userinfoPort] = [await token.start(target), await userinfo.start(target)];
  provider.lie = {
    discovery: {
      token_endpoint: `http://localhost:${tokenPort}/token`,
      userinfo_endpoint: `http://localhost:${userinfoPort}/userinfo`,
    },
  };
  desk = await startFrontdesk(provider.env);
});
afterAll(async () => {
  await desk.stop();
  for (const front of [token, userinfo]) front.stop();
  provider.stop();
});
beforeEach(async () => {
  await signInBound(desk, provider);
  for (const front of [token, userinfo]) front.takeCount();
});

const signIn = async () => (await signInBound(desk, provider)).sid;

/**
 * Signs in this many times, and returns how many new connections each endpoint got. If more than a second passes between two
 * sign-ins, the second one opens new connections.
 */
async function connectionsOf(times: number): Promise<number[]> {
  for (const front of [token, userinfo]) front.takeCount();
  for (let time = 0; time < times; time++) expect(await signIn()).not.toBe('');
  return [token.takeCount(), userinfo.takeCount()];
}

test('sign-ins that follow each other use the same two connections', async () => {
  const made = await withoutStall(1000, async () => {
    await signIn();
    return connectionsOf(2);
  });
  expect(made).toEqual([0, 0]);
});

test('after more than a second a code is sent on a new connection, which cannot be dead', async () => {
  const made = await withoutStall(2500, async () => {
    await Bun.sleep(1500);
    token.silence();
    return connectionsOf(1);
  });
  expect(made).toEqual([1, 0]);
});

test('a connection that the provider closes after an answer is not used for the next code', async () => {
  token.close();
  await Bun.sleep(20);
  expect(await signIn()).not.toBe('');
  expect(token.takeCount()).toBe(1);
});

test('a code that was lost with its connection is not sent twice, and the next sign-in works', async () => {
  // The provider receives the request, and closes the connection instead of answering.
  provider.lie.token = () => {
    token.close();
    return new Response();
  };
  provider.calls.clear();
  await expectProblem(await desk.get('/auth/login/callback?code=lost'), 'idp-unavailable', 503);
  expect(provider.calls.get('/token')).toBe(1);
  delete provider.lie.token;
  expect(await signIn()).not.toBe('');
});

test('a kept connection that was closed makes no sign-in fail', async () => {
  userinfo.close();
  expect(await signIn()).not.toBe('');
  expect(userinfo.takeCount()).toBe(1);
});

test('a kept connection that was cut without notice makes no sign-in fail', async () => {
  userinfo.silence();
  expect(await signIn()).not.toBe('');
  expect(userinfo.takeCount()).toBe(1);
});
