import { expect, test } from 'bun:test';
import { addVersions, noVersions, partsBetween, versionOn } from './version-days.ts';

const step = (version: number, at: string, bytes = 100) => ({ version, at: `${at}T12:00:00.000Z`, bytes });

test('the version of a day is the last one of it, or of the day before', () => {
  const known = addVersions(noVersions, [step(1, '2026-01-10'), step(2, '2026-01-10'), step(3, '2026-01-12')]);
  const on = (day: string) => versionOn(known, day);
  expect(['2026-01-10', '2026-01-11', '2026-01-12', '2027-01-01'].map(on)).toEqual([2, 2, 3, 3]);
  // Before its first day, as at the end of that.
  expect(['2026-01-09', '0001-01-01'].map(on)).toEqual([2, 2]);
  const later = addVersions(known, [step(4, '2026-01-12'), step(5, '2026-01-13')]);
  expect([versionOn(later, '2026-01-12'), versionOn(later, '2026-01-13'), later.upTo]).toEqual([4, 5, 5]);
  expect(on('2026-01-12')).toBe(3);
});

test('a clock that was behind does not put a version before the one it follows', () => {
  const known = addVersions(noVersions, [step(1, '2026-01-10'), step(2, '2026-01-12'), step(3, '2026-01-11')]);
  expect(['2026-01-10', '2026-01-11', '2026-01-12'].map((day) => versionOn(known, day))).toEqual([1, 1, 3]);
});

test('parts are bounded in versions and bytes, and stay the same when versions are added', () => {
  const versions = Array.from({ length: 1000 }, (_, index) => step(index + 1, '2026-01-10', index === 500 ? 1e7 : 10));
  const whole = addVersions(noVersions, versions);
  const grown = versions.reduce((known, version) => addVersions(known, [version]), noVersions);
  expect(grown).toEqual(whole);
  const [first] = whole.parts;
  expect(first).toEqual({ first: 1, last: 200, bytes: 2000 });
  expect(whole.parts.find(({ bytes }) => bytes >= 1e7)).toEqual({ first: 501, last: 501, bytes: 1e7 });
  const covered = whole.parts.flatMap((part) =>
    Array.from({ length: part.last - part.first + 1 }, (_, n) => part.first + n),
  );
  expect(covered).toEqual(versions.map(({ version }) => version));
});

test('only the parts with versions in between are read', () => {
  const versions = Array.from({ length: 700 }, (_, index) => step(index + 1, '2026-01-10'));
  const known = addVersions(noVersions, versions);
  const between = (after: number, upTo: number) => partsBetween(known, after, upTo).map(({ first }) => first);
  expect([between(0, 700), between(200, 700), between(199, 201), between(700, 700)]).toEqual([
    [1, 201, 401, 601],
    [201, 401, 601],
    [1, 201],
    [],
  ]);
});
