import { expect, test } from 'bun:test';
import { authorName } from './actor.ts';

test('a person is shown by name, and a program or the command line is shown as such', () => {
  const names = [
    authorName({ by: 'E-1', byName: 'Ada Park' }),
    authorName({ by: 'E-1', byName: null }),
    authorName({ by: 'caller:payroll', byName: null }),
    authorName({ by: 'command line (ada)', byName: null }),
  ];
  expect(names).toEqual(['Ada Park', 'E-1', 'Program payroll', 'ada (command line)']);
});
