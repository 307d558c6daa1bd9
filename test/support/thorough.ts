/** True in `npm run test:thorough`, which does more runs and rounds, with larger inputs, than `npm test`. */
export const isThorough = process.env.TEST_THOROUGH !== undefined;
