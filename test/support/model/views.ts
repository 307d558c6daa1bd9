// The questions asked after each operation, as data.
import type { DocumentFormat, ListRole } from './operations.ts';
import type { Field } from './shown.ts';

export interface ListView {
  kind: 'list';
  list: ListRole;
  /** Days from today. */
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
  | { kind: 'all'; wishes: string[] }
  | { kind: 'kept'; list: ListRole }
  | { kind: 'history'; list: ListRole }
  | { kind: 'export'; list: ListRole; format: DocumentFormat }
  | { kind: 'validate'; values: Partial<Record<ListRole, string[]>>; wishes: string[] };
