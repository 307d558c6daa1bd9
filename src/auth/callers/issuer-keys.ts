// The keys of the issuers that callers are registered with. They are kept apart from the identity provider's keys, so that
// requests to POST /auth/token cannot affect sign-ins.
import type { JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { isLoopback } from '../../base/loopback.ts';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import { Problem } from '../../http/problem.ts';
import { isUsable, withoutSlash } from '../provider/endpoint.ts';
import type { AskProvider } from '../provider/fetch.ts';
import { createKeyFinders } from '../provider/keys.ts';
import type { Proof } from './caller.queries.ts';

/** Minimum time between two searches for an issuer's unknown key. */
const unknownKeyPauseMs = 10_000;
/**
 * How long an issuer is not called again after a failed call. Otherwise anyone who knows a caller's subject could make us
 * call the issuer as often as they like.
 */
const failurePauseMs = 5000;
/** The address of the keys may change, so it is looked up again after this time. */
const discoveredForMs = 3_600_000;
const maxKeys = 100;

type AtIssuer = Extract<Proof, { kind: 'issuer' }>;

interface IssuerKeysOptions {
  ask: AskProvider;
  now: () => Date;
  /** Whether HTTP is allowed even for issuers that are not on this machine. */
  allowHttp: boolean;
}

export type IssuerKeys = ReturnType<typeof createIssuerKeys>;

export function createIssuerKeys({ ask, now, allowHttp }: IssuerKeysOptions) {
  const finders = new Map<string, JWTVerifyGetKey>();

  function createFinder({ issuer, jwksUri }: AtIssuer): JWTVerifyGetKey {
    return jwksUri === undefined ? createDiscoveringFinder(issuer) : finderAt(jwksUri);
  }

  function finderAt(uri: string): JWTVerifyGetKey {
    const fetchKeys = pausingAfterFailure(async (url: string, init: RequestInit) => {
      const keySet = await readJson(await ask('issuer-keys', url, init), KeySet);
      return Response.json(keySet);
    }, now);
    return createKeyFinders(uri, fetchKeys, now).createFinder(unknownKeyPauseMs);
  }

  function createDiscoveringFinder(issuer: string): JWTVerifyGetKey {
    let known: { uri: string; find: JWTVerifyGetKey; at: number } | undefined;
    const allowsHttp = mayUseHttp(issuer, allowHttp);
    const discover = oneAtATime(
      pausingAfterFailure(async () => {
        const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
        const answer = await ask('issuer-discovery', address, { headers: { accept: 'application/json' } });
        const { issuer: named, jwks_uri: uri } = await readJson(answer, Metadata);
        if (named !== issuer) throw unusable('its discovery document names a different issuer');
        if (!isUsable(uri, allowsHttp)) throw unusable('its discovery document has no usable address for its keys');
        // Keys are kept if their address is unchanged, because the issuer may be unavailable when they are needed next.
        known = { uri, find: known?.uri === uri ? known.find : finderAt(uri), at: now().getTime() };
        return known.find;
      }, now),
    );
    return async (header, token) => {
      if (known === undefined) return (await discover())(header, token);
      // Discovery runs in the background. Until it succeeds, the known keys are used.
      if (now().getTime() - known.at >= discoveredForMs) discover().catch(() => {});
      return known.find(header, token);
    };
  }

  return {
    finderFor(proof: AtIssuer): JWTVerifyGetKey {
      const key = keyOf(proof);
      const finder = finders.get(key) ?? createFinder(proof);
      finders.set(key, finder);
      return finder;
    },
    /** Forgets the keys of all issuers except these. */
    retain(proofs: readonly Proof[]): void {
      const kept = new Set(proofs.flatMap((proof) => (proof.kind === 'issuer' ? [keyOf(proof)] : [])));
      for (const key of finders.keys()) if (!kept.has(key)) finders.delete(key);
    },
  };
}

/** Whether tokens and keys may be fetched from this address without TLS. */
export function mayUseHttp(address: string, allowHttp: boolean): boolean {
  return allowHttp || isLoopback(new URL(address).hostname);
}

const keyOf = ({ issuer, jwksUri = '' }: AtIssuer) => `${issuer} ${jwksUri}`;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });
const KeySet = z.object({ keys: z.array(z.looseObject({})).max(maxKeys) });

async function readJson<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = schema.safeParse(body);
  if (response.status !== 200 || !parsed.success)
    throw unusable(`it answered ${response.status} with an unexpected body`);
  return parsed.data;
}

const unusable = (reason: string) => new Problem('idp-bad-response', { reason });

/** Wraps a call: for a while after a failure, it throws that failure again instead of calling. */
function pausingAfterFailure<A extends unknown[], T>(
  call: (...args: A) => Promise<T>,
  now: () => Date,
): (...args: A) => Promise<T> {
  let failure: { at: number; error: unknown } | undefined;
  return async (...args) => {
    if (failure !== undefined && now().getTime() - failure.at < failurePauseMs) throw failure.error;
    try {
      const result = await call(...args);
      failure = undefined;
      return result;
    } catch (error) {
      failure = { at: now().getTime(), error };
      throw error;
    }
  };
}
