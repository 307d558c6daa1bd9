// The operations, as data: what a person does, and which version they have seen.

import type { Person } from './people.ts';
import type { GivenSettings } from './settings.ts';

/** Cities have countries as parents. */
export type ListRole = 'country' | 'city';

/** Days are offsets from the day of the operation, and parents are named by their roles. */
export interface GivenDetails {
  label?: string | undefined;
  labels?: Record<string, string | null> | undefined;
  sortOrder?: number | undefined;
  validFrom?: number | null | undefined;
  validTo?: number | null | undefined;
  codes?: Record<string, string | null> | undefined;
  tags?: string[] | undefined;
  description?: string | null | undefined;
  parents?: Partial<Record<ListRole, string[] | null>> | undefined;
}

export interface GivenDocumentItem extends GivenDetails {
  value: string;
  label: string;
  retired?: boolean | undefined;
  replacedBy?: string | null | undefined;
}

export interface GivenDocumentList {
  settings?: GivenSettings | undefined;
  /** The version that the document was made from, if it names one. */
  seen?: 'current' | 'outdated' | undefined;
  items?: GivenDocumentItem[] | undefined;
}

interface OfPerson {
  by: Person;
}

interface OfList extends OfPerson {
  list: ListRole;
  seen: 'current' | 'outdated' | 'unsaid';
  reason?: string | undefined;
}

export type ListChange = OfList &
  (
    | { kind: 'add'; value: string; details: GivenDetails & { label: string } }
    | { kind: 'patch'; value: string; details: GivenDetails }
    | { kind: 'retire'; value: string; replacedBy?: string | undefined }
    | { kind: 'restore'; value: string }
    | { kind: 'order'; values: string[]; fault?: 'incomplete' | 'twice' | undefined }
    | { kind: 'undo'; stepsBack: number }
    | { kind: 'settings'; settings: GivenSettings }
  );

export type DocumentFormat = 'json' | 'yaml' | 'csv';

export type CreateOperation = OfPerson & { kind: 'create'; list: ListRole; title: string; settings: GivenSettings };

export type DocumentOperation = OfPerson & {
  kind: 'document';
  format: DocumentFormat;
  lists: Partial<Record<ListRole, GivenDocumentList>>;
  /** Whether the document mirrors its lists, and where that is requested. A CSV document cannot request it itself. */
  mirror?: 'document' | 'query' | undefined;
  reason?: string | undefined;
};

export type Operation = CreateOperation | DocumentOperation | { kind: 'next-day' } | { kind: 'restart' } | ListChange;
