// How a person authenticated at the provider, and whether that meets what was requested. Pure.
import { z } from 'zod';
import type { AuthenticationNeed } from '../../config/config.ts';
import { findShortfall } from '../../http/access.ts';
import { Problem } from '../../http/problem.ts';
import type { Authentication } from '../provider/claims.ts';

/** How a person authenticated, as stored with the session. */
const StoredAuthentication = z.object({
  authTime: z.number().optional(),
  acr: z.string().optional(),
  amr: z.array(z.string()),
});

export function readStoredAuthentication(json: string): Authentication {
  return StoredAuthentication.parse(JSON.parse(json));
}

/**
 * Updates the stored authentication on renewal. Values that the new ID token leaves out are kept. The earliest time counts,
 * because it is the time of the original authentication (OpenID Connect Core section 12.2).
 */
export function renewAuthentication(stored: Authentication, { authTime, acr, amr }: Authentication): Authentication {
  const times = [stored.authTime, authTime].filter((time) => time !== undefined);
  return {
    authTime: times.length > 0 ? Math.min(...times) : undefined,
    acr: acr ?? stored.acr,
    amr: amr.length > 0 ? amr : stored.amr,
  };
}

/** The claims of an access token: RFC 9068 section 2.2.1. */
export function authenticationClaims({ authTime, acr, amr }: Authentication) {
  return {
    ...(authTime !== undefined && { auth_time: authTime }),
    ...(acr !== undefined && { acr }),
    ...(amr.length > 0 && { amr }),
  };
}

/** A request can only be stricter than the configuration. */
export function askedAuthentication(
  configured: AuthenticationNeed,
  { acr_values, max_age }: { acr_values?: string | undefined; max_age?: number | undefined },
): AuthenticationNeed {
  const wanted = acr_values?.split(' ');
  const accepted = configured.acrValues;
  const inBoth = accepted?.filter((acr) => wanted?.includes(acr)) ?? [];
  const ages = [configured.maxAgeSeconds, max_age].filter((age) => age !== undefined);
  return {
    acrValues: inBoth.length > 0 ? inBoth : (accepted ?? wanted),
    maxAgeSeconds: ages.length > 0 ? Math.min(...ages) : undefined,
  };
}

/** OpenID Connect Core section 3.1.3.7, steps 12 and 13: a provider may ignore what was requested. */
export function requireAuthentication(authentication: Authentication, asked: AuthenticationNeed, now: Date): void {
  const shortfall = findShortfall(authentication, asked, now.getTime());
  if (shortfall === undefined) return;
  throw new Problem('stronger-sign-in-failed', {
    reason: `${shortfall} in the ID token is missing, or is not what was asked for`,
  });
}
