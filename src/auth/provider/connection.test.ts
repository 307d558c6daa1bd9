import { expect, test } from 'bun:test';
import { pino } from 'pino';
import type { ProviderSettings } from '../../config/config.ts';
import { createProviderConnection } from './connection.ts';
import { callTimeoutMs } from './fetch.ts';

/** Nothing listens at this address. */
const settings: ProviderSettings = {
  issuer: 'http://localhost:1',
  clientId: 'desk',
  clientSecret: undefined,
  clientAuth: 'none',
  allowHttp: true,
  signingAlg: undefined,
};

/** Connects to an unavailable provider. `next` waits for the next pause, and returns its length and a function that ends it. */
function connectToNobody() {
  const pauses: { milliseconds: number; end: () => void }[] = [];
  let heard = Promise.withResolvers<void>();
  const connection = createProviderConnection({
    log: pino({ level: 'silent' }),
    telemetry: undefined,
    now: () => new Date(),
    sleep(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ milliseconds, end: resolve });
      heard.resolve();
      return promise;
    },
  });
  connection.connect(settings);
  async function next() {
    while (pauses.length === 0) await heard.promise;
    heard = Promise.withResolvers();
    return pauses.shift() ?? { milliseconds: Number.NaN, end: () => {} };
  }
  return { connection, next };
}

test('a provider that is available again is found within 30 s, even if the calls before and after a pause are slow', async () => {
  const { connection, next } = connectToNobody();
  const lengths: number[] = [];
  for (let tries = 0; tries < 9; tries++) {
    const { milliseconds, end } = await next();
    lengths.push(milliseconds);
    end();
  }
  connection.close();
  expect(Math.max(...lengths) + 2 * callTimeoutMs).toBeLessThanOrEqual(30_000);
  // The pauses still grow, so that the provider is not called all the time.
  expect(lengths.at(-1)).toBeGreaterThanOrEqual(15_000);
});

test('while people try to sign in, discovery is repeated within 5 s', async () => {
  const { connection, next } = connectToNobody();
  for (let tries = 0; tries < 7; tries++) (await next()).end();
  const usual = await next();
  await connection.ready().catch(() => {});
  const sooner = await next();
  sooner.end();
  const following = await next();
  connection.close();
  following.end();
  expect(usual.milliseconds).toBeGreaterThanOrEqual(15_000);
  expect(sooner.milliseconds).toBeLessThan(5000);
});
