// The questions asked after each operation, as data.
import type { DocumentFormat, ListRole } from './operations.ts';
import type { Person } from './people.ts';
import type { Field } from './shown.ts';

export interface ListView {
  kind: 'list';
  by: Person;
  list: ListRole;
  /** Offset in days from today. */
  asOf?: number | undefined;
  wishes: string[];
  include?: string[] | undefined;
  where?: [list: ListRole | 'nowhere', value: string][] | undefined;
  tags?: string[] | undefined;
  code?: [system: string, code: string] | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  fields?: Field[] | undefined;
}

export type View =
  | ListView
  | { kind: 'all'; by: Person; wishes: string[] }
  | { kind: 'summaries'; by: Person }
  | { kind: 'kept'; by: Person; list: ListRole }
  | { kind: 'history'; by: Person; list: ListRole }
  | { kind: 'export'; by: Person; list: ListRole; format: DocumentFormat }
  | { kind: 'validate'; by: Person; values: Partial<Record<ListRole, string[]>>; wishes: string[] };
