// Times of tokens that several files must agree on.

/** The bounds of TOKEN_TTL_SECONDS. A token with a longer life is not one of ours, even with a valid signature. */
export const tokenLifeSeconds = { shortest: 60, default: 3600, longest: 86_400 };

/** 30 days: the most for SESSION_IDLE_SECONDS and SESSION_MAX_SECONDS. */
export const longestSessionSeconds = 2_592_000;

/** Between the clocks of this service's replicas: our own tokens are accepted this long after they expire. */
export const ownClockToleranceSeconds = 5;

/** How far ahead of our clock one of our own tokens may have been issued. */
export const longestLeadSeconds = 60;

/** Between our clock and the identity provider's. */
export const providerClockToleranceSeconds = 60;

/** The longest life of a program's access token. */
export const callerTokenSeconds = 900;

/** How far ahead the expiry of a program's assertion may be: under its own key, and of an issuer (Entra's have 90 minutes). */
export const callerAssertionSeconds = { ownKey: 600, issuer: 86_400 };

/** How old a logout token may be. */
export const longestLogoutTokenSeconds = 600;

/** How long used codes, logout tokens and assertions are remembered: longer than any is accepted, so that it works once. */
export const usedOnceSeconds = 3600;
