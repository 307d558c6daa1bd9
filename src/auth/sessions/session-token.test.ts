import { describe, expect, test } from 'bun:test';
import { timesAtRenewal, timesAtSignIn } from './session-token.ts';

const now = new Date('2027-01-31T08:00:00.750Z');
const from = new Date('2027-01-31T08:00:00Z');
const after = (seconds: number) => new Date(from.getTime() + seconds * 1000);
const limits = { tokenTtlSeconds: 600, sessionIdleSeconds: 1800, sessionMaxSeconds: 3600 };

describe('a sign-in', () => {
  test('with a cookie opens a session that lasts longer than its token', () => {
    const times = { from, until: after(600), idleEndsAt: after(1800), expiresAt: after(3600) };
    expect(timesAtSignIn(now, true, limits)).toEqual(times);
  });

  test('without a cookie opens a session that lasts as long as its token, whatever the limits', () => {
    const short = { ...limits, sessionIdleSeconds: 60, sessionMaxSeconds: 60 };
    const times = { from, until: after(600), idleEndsAt: undefined, expiresAt: after(600) };
    expect(timesAtSignIn(now, false, short)).toEqual(times);
  });
});

test.each([
  ['the end of its own lifetime', limits, after(3600), after(600)],
  ['the end of the idle time of its session', { ...limits, sessionIdleSeconds: 60 }, after(3600), after(60)],
  ['the absolute end of its session', limits, after(30), after(30)],
  ['the last whole second before the end of its session', limits, new Date(after(30).getTime() + 999), after(30)],
])('a token lasts at most until %s', (_, chosen, expiresAt, until) => {
  expect(timesAtRenewal(now, expiresAt, chosen)).toMatchObject({ from, until, expiresAt });
});
