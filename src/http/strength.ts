// How strongly and how recently a person authenticated at the identity provider, against what is needed. Pure.
import type { AuthenticationNeed } from '../config/config.ts';
import { providerClockToleranceSeconds } from '../config/token-times.ts';

export interface Strength {
  /** When, in seconds since 1970 by the provider's clock; undefined where it does not say. */
  readonly authTime?: number | undefined;
  /** The class of the authentication (`acr`); undefined where the provider does not say. */
  readonly acr?: string | undefined;
}

/** What falls short, if anything does. `at` in milliseconds since 1970. */
export function findShortfall(
  { authTime, acr }: Strength,
  { acrValues, maxAgeSeconds }: AuthenticationNeed,
  at: number,
): 'acr' | 'auth_time' | undefined {
  if (acrValues !== undefined && (acr === undefined || !acrValues.includes(acr))) return 'acr';
  if (maxAgeSeconds === undefined) return undefined;
  if (authTime === undefined) return 'auth_time';
  const age = at / 1000 - authTime;
  // One that is still to come (or in milliseconds) would be recent for ever.
  const isRecent = age >= -providerClockToleranceSeconds && age <= maxAgeSeconds + providerClockToleranceSeconds;
  return isRecent ? undefined : 'auth_time';
}
