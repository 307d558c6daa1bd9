/** Of the `state` of every sign-in that began at /auth/login. client/src/sign-in.ts has the same, and a test compares them. */
export const statePrefix = 'fd1.';
