// The audit's filter as part of the address, so that it survives Back and reload and can be shared.
import { isDay, startOfDay } from '../../parts/catalogue.ts';

export interface AuditFilter {
  /** An employee ID, or words of a name. */
  person: string;
  list: string;
  /** Words to find in the row or, for a change to a list, in the content before or after the change. */
  words: string;
  type: string;
  /** Days in the reader's time zone, like 2027-01-31; empty for no limit. */
  from: string;
  to: string;
}

export const noFilter: AuditFilter = { person: '', list: '', words: '', type: '', from: '', to: '' };
const names = Object.keys(noFilter) as (keyof AuditFilter)[];

/** Reads `person=E-1001&from=2027-01-31`. Invalid parts are ignored. */
export function readAuditFilter(search: string): AuditFilter {
  const given = new URLSearchParams(search);
  const textOf = (name: keyof AuditFilter, longest: number) => (given.get(name) ?? '').trim().slice(0, longest);
  const dayOf = (name: 'from' | 'to') => (isDay(given.get(name) ?? '') ? (given.get(name) ?? '') : '');
  return {
    person: textOf('person', 255),
    list: textOf('list', 64),
    words: textOf('words', 100),
    type: textOf('type', 64),
    from: dayOf('from'),
    to: dayOf('to'),
  };
}

/** Returns an empty string if nothing is filtered. */
export function writeAuditFilter(filter: AuditFilter): string {
  const given = names.filter((name) => filter[name] !== '').map((name): [string, string] => [name, filter[name]]);
  return new URLSearchParams(given).toString();
}

export const isFiltered = (filter: AuditFilter) => names.some((name) => filter[name] !== '');

/** The parameters of the request. Days are converted to instants, since they are in the reader's time zone, not UTC. */
export function auditParameters({ person, list, words, type, from, to }: AuditFilter): Record<string, string> {
  return {
    ...(person !== '' && { name: person }),
    ...(list !== '' && { list }),
    ...(words !== '' && { q: words }),
    ...(type !== '' && { type }),
    ...(from !== '' && { since: startOfDay(from) }),
    ...(to !== '' && { until: startOfDay(to, 1) }),
  };
}
