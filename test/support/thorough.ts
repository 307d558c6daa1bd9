/** In `npm run test:thorough`: more runs, more rounds and larger inputs than a change has to wait for. */
export const isThorough = process.env.TEST_THOROUGH !== undefined;
