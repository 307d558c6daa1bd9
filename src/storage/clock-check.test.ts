import { expect, test } from 'bun:test';
import { createJumpDetection } from './clock-check.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A machine whose clock is `lead` milliseconds ahead of the real time. */
function startMachine() {
  const machine = { passed: 0, lead: 0 };
  const hasJumped = createJumpDetection(
    () => Date.UTC(2026, 0) + machine.passed + machine.lead,
    () => machine.passed,
  );
  /** Returns the results of this many checks, one a minute. */
  const check = (times: number, lead: number) => {
    machine.lead = lead;
    return Array.from({ length: times }, () => {
      machine.passed += minute;
      return hasJumped();
    });
  };
  return check;
}

test('a clock that jumps is wrong until it comes back', () => {
  const check = startMachine();
  expect(check(2, 0)).toEqual([false, false]);
  expect(check(3, 120 * day)).toEqual([true, true, true]);
  expect(check(1, 0)).toEqual([false]);
  expect(check(2, -2 * day)).toEqual([true, true]);
  expect(check(1, 0)).toEqual([false]);
});

test('a clock that stays where it jumped to counts as right after an hour', () => {
  const check = startMachine();
  expect(check(60, day)).toEqual(Array(60).fill(true));
  expect(check(1, day)).toEqual([false]);
  expect(check(1, 0)).toEqual([true]);
});

test('a clock that jumps again has to stay there for an hour, too', () => {
  const check = startMachine();
  check(59, day);
  expect(check(60, 2 * day)).toEqual(Array(60).fill(true));
  expect(check(1, 2 * day)).toEqual([false]);
});

test('a clock that is moved by less than an hour at a time is right', () => {
  const check = startMachine();
  expect([...check(1, 50 * minute), ...check(1, 100 * minute)]).toEqual([false, false]);
});
