// What a list is.
import { type KeptItem, noTexts } from './item.ts';

/** Everything about a list except its name, version and items. */
export type ListSettings = {
  /** The plain title, which counts as English. */
  title: string;
  /** Translations of the title by language tag. */
  titles: Record<string, string>;
  description: string | null;
  descriptions: Record<string, string>;
  /** The roles that may read it; null for the service's default. */
  readers: string[] | null;
  /** The roles that may change it, in addition to administrators. */
  keepers: string[] | null;
  archived: boolean;
};

/** Some of the settings, each with its complete value. */
export type SomeSettings = { [Name in keyof ListSettings]?: ListSettings[Name] | undefined };

/** The settings to change. Translations that are left out do not change; null removes one. */
export type GivenSettings = Omit<SomeSettings, TranslatedSetting> & {
  [Name in TranslatedSetting]?: Record<string, string | null> | undefined;
};
type TranslatedSetting = 'titles' | 'descriptions';

/** The default settings of a new list. There is no default title. */
export const noSettings = {
  titles: noTexts,
  description: null,
  descriptions: noTexts,
  readers: null,
  keepers: null,
  archived: false,
} as const;

export type KeptList = ListSettings & { list: string; version: number; items: KeptItem[] };

/** Maximum size of a document sent over HTTP: about 50,000 items with labels. The text of `body-too-large` repeats it. */
export const largestDocumentBytes = 4 * 1024 * 1024;

/** Maximum number of codes and of parent lists that one item can have. */
export const mostOfItem = { codes: 20, parents: 10 } as const;

/** Maximum number of languages in which a list can have labels, a title or a description. */
export const mostLanguages = 100;

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
