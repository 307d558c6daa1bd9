// The audit's filter as part of the address.
import { type Period, periodParameters, readPeriod } from '../../routes.ts';

export type AuditFilter = Period & {
  /** An employee ID, or words of a name. */
  person: string;
  list: string;
  /** Words to find in the row or, for a change to a list, in the content before or after the change. */
  words: string;
  type: string;
};

/** Reads `person=E-1001&from=2027-01-31`. Invalid parts are ignored. */
export function readAuditFilter(search: string): AuditFilter {
  const given = new URLSearchParams(search);
  const textOf = (name: keyof AuditFilter, longest: number) => (given.get(name) ?? '').trim().slice(0, longest);
  return {
    person: textOf('person', 255),
    list: textOf('list', 64),
    words: textOf('words', 100),
    type: textOf('type', 64),
    ...readPeriod(given),
  };
}

/** The parameters of the request. */
export function auditParameters({ person, list, words, type, ...period }: AuditFilter): Record<string, string> {
  return {
    ...(person !== '' && { name: person }),
    ...(list !== '' && { list }),
    ...(words !== '' && { q: words }),
    ...(type !== '' && { type }),
    ...periodParameters(period),
  };
}
