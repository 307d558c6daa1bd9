// What of the audit is shown, as a part of the page's address: it survives Back, a reload, and being sent to a colleague.

export interface AuditFilter {
  person: string;
  type: string;
  /** Days of the reader, like 2027-01-31; empty where there is no bound. */
  from: string;
  to: string;
}

export const noFilter: AuditFilter = { person: '', type: '', from: '', to: '' };
const names = Object.keys(noFilter) as (keyof AuditFilter)[];

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Of `person=E-1001&from=2027-01-31`. What cannot be understood counts as not given. */
export function readAuditFilter(search: string): AuditFilter {
  const given = new URLSearchParams(search);
  const textOf = (name: keyof AuditFilter, longest: number) => (given.get(name) ?? '').trim().slice(0, longest);
  const dayOf = (name: 'from' | 'to') => (isDay(given.get(name) ?? '') ? (given.get(name) ?? '') : '');
  return { person: textOf('person', 255), type: textOf('type', 64), from: dayOf('from'), to: dayOf('to') };
}

/** Empty where nothing is filtered. */
export function writeAuditFilter(filter: AuditFilter): string {
  const given = names.filter((name) => filter[name] !== '').map((name): [string, string] => [name, filter[name]]);
  return new URLSearchParams(given).toString();
}

export const isFiltered = (filter: AuditFilter) => names.some((name) => filter[name] !== '');

/** The parameters of the service: its times are instants, so that a day is the reader's own and not the one of UTC. */
export function auditParameters({ person, type, from, to }: AuditFilter): Record<string, string> {
  return {
    ...(person !== '' && { person }),
    ...(type !== '' && { type }),
    ...(from !== '' && { since: localDay(from, 0) }),
    ...(to !== '' && { until: localDay(to, 1) }),
  };
}

function localDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
