import { expect, test } from 'bun:test';
import { writeFilter } from '../../routes.ts';
import { auditParameters, readAuditFilter } from './audit-filter.ts';

const noFilter = { person: '', list: '', words: '', type: '', from: '', to: '' };

test('a filter survives being written to an address', () => {
  const filter = {
    person: 'E 1&1',
    list: 'position',
    words: 'senior clerk',
    type: 'sign-in',
    from: '2027-01-31',
    to: '2027-02-01',
  };
  expect(readAuditFilter(writeFilter(filter))).toEqual(filter);
  expect(writeFilter(noFilter)).toBe('');
  expect(readAuditFilter('')).toEqual(noFilter);
});

test('invalid days are ignored', () => {
  expect(readAuditFilter('from=tomorrow&to=2027-13-01&person=%20')).toEqual(noFilter);
});

test('the last day is included, and days are in the reader’s time zone', () => {
  expect(auditParameters({ ...noFilter, from: '2027-01-31', to: '2027-01-31' })).toEqual({
    since: new Date(2027, 0, 31).toISOString(),
    until: new Date(2027, 1, 1).toISOString(),
  });
  expect(auditParameters({ ...noFilter, person: 'Ada', type: 'logout' })).toEqual({ name: 'Ada', type: 'logout' });
  expect(auditParameters({ ...noFilter, list: 'position', words: 'clerk' })).toEqual({ list: 'position', q: 'clerk' });
});
