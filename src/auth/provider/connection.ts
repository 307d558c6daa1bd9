// The provider may be unavailable at startup or later. Discovery is retried in the background until it succeeds.
import type { ClientKey } from '../../config/client-key.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import { describeError, type Log } from '../../telemetry/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { callTimeoutMs, createAskProvider } from './fetch.ts';
import { discoverProvider, type IdentityProvider, type ProofKey } from './identity-provider.ts';

export interface ProviderConnection {
  /** Starts discovery without waiting for it. */
  connect(settings: ProviderSettings): void;
  /** Whether the provider was found. */
  isKnown(): boolean;
  /** Returns the provider, or throws `idp-unavailable`. Waits up to 5 s for the first discovery. */
  ready(): Promise<IdentityProvider>;
  /** Called after invalid answers, since endpoints may have changed. The known endpoints are used until discovery succeeds. */
  rediscover(): void;
  close(): void;
}

const firstPauseMs = 500;
/** With this limit, a provider that recovers is found within 30 s, even if the calls before and after the pause time out. */
const longestPauseMs = 30_000 - 2 * callTimeoutMs;
const pauseWhileWantedMs = 2000;
const rediscoveryPauseMs = 30_000;

interface ConnectionOptions {
  log: Log;
  telemetry: Telemetry | undefined;
  now: () => Date;
  /** The client key that Frontdesk has made itself. */
  ownKey?: () => ClientKey;
  /** Signs the proofs of possession, if the settings ask for them. */
  proofKey?: ProofKey | undefined;
  sleep?: (milliseconds: number) => Promise<void>;
}

/** An invalid answer from the provider (502) may mean that its endpoints or keys have changed. */
export function rediscoverAfter(error: unknown, connection: Pick<ProviderConnection, 'rediscover'>): void {
  if (error instanceof Problem && error.status === 502) connection.rediscover();
}

export function createProviderConnection(options: ConnectionOptions): ProviderConnection {
  const { log, telemetry, now, ownKey, proofKey, sleep = Bun.sleep } = options;
  const ask = createAskProvider(telemetry);
  let settings: ProviderSettings | undefined;
  let provider: IdentityProvider | undefined;
  let discoveredAt = 0;
  let isDiscovering = false;
  let closed = false;
  let hasFailed = false;
  // Created at once, because a login may wait for it before connect() is called.
  const firstDiscovery = Promise.withResolvers<void>();
  /** Resolved when a person tries to sign in. Replaced before each pause. */
  let wanted = Promise.withResolvers<void>();

  async function discoverOnce(from: ProviderSettings): Promise<boolean> {
    try {
      provider = await discoverProvider(from, ask, now, { known: provider, ownKey, proofKey });
      discoveredAt = now().getTime();
      log[hasFailed ? 'info' : 'debug']({ issuer: provider.issuer }, 'identity provider found');
      hasFailed = false;
      return true;
    } catch (error) {
      hasFailed = true;
      log.error({ issuer: from.issuer, ...describeError(error) }, 'discovery of the provider failed, trying again');
      return false;
    }
  }

  async function keepDiscovering(from: ProviderSettings): Promise<void> {
    isDiscovering = true;
    for (
      let pause = firstPauseMs;
      !closed && !(await discoverOnce(from));
      pause = Math.min(pause * 2, longestPauseMs)
    ) {
      firstDiscovery.resolve();
      wanted = Promise.withResolvers();
      // Jitter, so that replicas do not all call at the same moment.
      const asUsual = sleep(pause * (1 - Math.random() / 4));
      await Promise.race([asUsual, wanted.promise.then(() => sleep(pauseWhileWantedMs))]);
    }
    isDiscovering = false;
    firstDiscovery.resolve();
  }

  return {
    connect(from) {
      settings = from;
      void keepDiscovering(from);
    },
    isKnown: () => provider !== undefined,
    async ready() {
      if (provider === undefined) await Promise.race([firstDiscovery.promise, Bun.sleep(callTimeoutMs)]);
      if (provider !== undefined) return provider;
      wanted.resolve();
      throw new Problem('idp-unavailable', { reason: 'the provider has not been found yet' });
    },
    rediscover() {
      if (isDiscovering) wanted.resolve();
      else if (settings !== undefined && now().getTime() - discoveredAt >= rediscoveryPauseMs) {
        void keepDiscovering(settings);
      }
    },
    close() {
      closed = true;
    },
  };
}
