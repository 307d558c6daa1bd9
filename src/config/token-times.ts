// Times of tokens that several files must agree on.

/** The bounds of TOKEN_TTL_SECONDS. A token with a longer life is not one of ours, even with a valid signature. */
export const tokenLifeSeconds = { shortest: 60, default: 3600, longest: 86_400 };

/** 30 days: the maximum of SESSION_IDLE_SECONDS and SESSION_MAX_SECONDS. */
export const longestSessionSeconds = 2_592_000;

/** Tolerance between the clocks of replicas. Our own tokens are accepted this long after they expire. */
export const ownClockToleranceSeconds = 5;

/** How far ahead of our clock the time of issue in one of our own tokens may be. */
export const longestLeadSeconds = 60;

/** Tolerance between our clock and the identity provider's. */
export const providerClockToleranceSeconds = 60;

/** The longest life of a program's access token. */
export const callerTokenSeconds = 900;

/** Maximum remaining life of a program's assertion, depending on who signed it. Entra ID's are valid for 90 minutes. */
export const callerAssertionSeconds = { ownKey: 600, issuer: 86_400 };

/** How old a logout token may be. */
export const longestLogoutTokenSeconds = 600;

/**
 * How long used codes, logout tokens and assertions signed with a program's own key are remembered. All of them expire
 * sooner, so each works only once.
 */
export const usedOnceSeconds = 3600;
