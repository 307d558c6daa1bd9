/** The service takes no larger body. */
export const largestBodyBytes = 256 * 1024;
