// When a token is renewed, and how long it can be used. Pure; times in milliseconds since 1970.
import type { Token } from './session.ts';

const longestIntervalMs = 600_000;
/** A token that expires before a request arrives is of no use. */
const marginMs = 5000;

/** Every ten minutes, or at two thirds of a life that is shorter than fifteen. */
export const dueAt = ({ receivedAt, until }: Token) =>
  receivedAt + Math.min(longestIntervalMs, ((until - receivedAt) * 2) / 3);

export const canBeSent = ({ receivedAt, until }: Token, now: number) =>
  now < until - Math.min(marginMs, (until - receivedAt) / 3);
