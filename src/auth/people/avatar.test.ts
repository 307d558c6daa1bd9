import { expect, test } from 'bun:test';
import { drawAvatar, initialsOf, initialsPattern } from './avatar.ts';

test.each([
  ['Ada Park', 'AP'],
  ['Maria del Carmen Ruiz', 'MR'],
  ['E-1004', 'E1'],
  ['ada@example.com', 'AC'],
  ['山田 太郎', '山太'],
  ['محمد علي', 'مع'],
  ['ß', 'SS'],
  ['<script>', 'S'],
  ['"&"', 'X'],
  ['', 'X'],
])('the initials of %p are %p', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
  expect(initials).toMatch(initialsPattern);
});

test('the same initials always get the same colour, and different initials a different colour', () => {
  expect(drawAvatar('AP')).toBe(drawAvatar('AP'));
  expect(drawAvatar('AP')).not.toBe(drawAvatar('MR'));
});
