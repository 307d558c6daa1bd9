// Compares the provider's clock with ours, by the Date of its answers (RFC 9110 section 6.6.1).
import type { AskProvider } from '../../auth/provider/fetch.ts';
import { providerClockToleranceSeconds } from '../../config/token-times.ts';
import type { Finding } from './finding.ts';

const part = 'clock';
const signInOnce = 'A sign-in by frontdesk check --sign-in compares the clocks, too';
/** A Date has no fractions of a second, and an answer takes a moment to arrive. */
const unremarkableSeconds = 5;

export interface ClockReading {
  /** How far it is ahead of ours; undefined if no answer had a Date. */
  leadSeconds: number | undefined;
}

/** Prefers the token endpoint, because other documents may come from a cache. */
export function readClock(ask: AskProvider, now: () => number): { ask: AskProvider; reading: ClockReading } {
  const reading: ClockReading = { leadSeconds: undefined };
  return {
    reading,
    async ask(operation, url, init) {
      const askedAt = now();
      const response = await ask(operation, url, init);
      const date = Date.parse(response.headers.get('date') ?? '');
      const isFresh = Number(response.headers.get('age') ?? 0) === 0;
      const isWanted = operation === 'token' || reading.leadSeconds === undefined;
      // A whole second is counted as its middle.
      if (isWanted && isFresh && !Number.isNaN(date)) {
        reading.leadSeconds = (date + 500 - (askedAt + now()) / 2) / 1000;
      }
      return response;
    },
  };
}

export function judgeClock({ leadSeconds }: ClockReading): Finding {
  if (leadSeconds === undefined)
    return { level: 'warns', part, text: `could not be checked: no answer has a Date. ${signInOnce}` };
  const seconds = Math.round(Math.abs(leadSeconds));
  if (seconds < unremarkableSeconds) return { level: 'ok', part, text: "the provider's agrees with ours" };
  const found = `the provider's is ${seconds} s ${leadSeconds > 0 ? 'ahead of' : 'behind'} ours`;
  if (seconds <= providerClockToleranceSeconds) {
    const text = `${found}; ${providerClockToleranceSeconds} s are tolerated: set both by NTP`;
    return { level: 'warns', part, text };
  }
  const refused =
    leadSeconds > 0 ? 'its ID tokens are refused here' : 'our assertions and its older tokens are refused';
  return { level: 'FAILS', part, text: `${found}, so ${refused}: set both by NTP` };
}
