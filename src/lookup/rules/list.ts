// What a list is.
import type { KeptItem } from './item.ts';

/** Everything about a list except its name, version and items. */
export type ListSettings = {
  title: string;
  description: string | null;
  /** The roles that may read it; null for the service's default. */
  readers: string[] | null;
  /** The roles that may change it, besides administrators. */
  keepers: string[] | null;
  archived: boolean;
};

/** The settings to change. */
export type GivenSettings = { [Name in keyof ListSettings]?: ListSettings[Name] | undefined };

/** The settings of a new list, besides its title. */
export const noSettings = { description: null, readers: null, keepers: null, archived: false } as const;

export type KeptList = ListSettings & { list: string; version: number; items: KeptItem[] };

/** Maximum size of a document over HTTP, about 50,000 labelled items. The text of `body-too-large` repeats it. */
export const largestDocumentBytes = 4 * 1024 * 1024;

/** Maximum number of codes and of parent lists that one item can have. */
export const mostOfItem = { codes: 20, parents: 10 } as const;

/** Each of these four lists has its own route. All other lists share one route. */
export const standardLists = {
  position: { operationId: 'listPositions', summary: 'Employee positions' },
  'overtime-eligibility': {
    operationId: 'listOvertimeEligibilities',
    summary: 'Employee overtime eligibility statuses',
  },
  'employment-type': { operationId: 'listEmploymentTypes', summary: 'Employment types' },
  'employee-level': { operationId: 'listEmployeeLevels', summary: 'Employee levels' },
};

export const isStandardList = (list: string) => Object.hasOwn(standardLists, list);
