// The questions asked after each operation, as data.
import fc from 'fast-check';
import { listRole, value, wishes } from './alphabet.ts';
import type { DocumentFormat, ListRole } from './operations.ts';

export type View =
  | { kind: 'list'; list: ListRole; asOf?: number | undefined; wishes: string[]; include: string[] }
  | { kind: 'all'; wishes: string[] }
  | { kind: 'kept'; list: ListRole }
  | { kind: 'history'; list: ListRole }
  | { kind: 'export'; list: ListRole; format: DocumentFormat }
  | { kind: 'validate'; values: Partial<Record<ListRole, string[]>>; wishes: string[] };

const include = fc.oneof(
  { arbitrary: fc.constant<string[]>([]), weight: 2 },
  { arbitrary: fc.uniqueArray(value, { maxLength: 2 }), weight: 1 },
);
const asOf = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const list = fc.record({ kind: fc.constant('list' as const), list: listRole, asOf, wishes, include });
const all = fc.record({ kind: fc.constant('all' as const), wishes });
const kept = fc.record({ kind: fc.constant('kept' as const), list: listRole });
const history = fc.record({ kind: fc.constant('history' as const), list: listRole });
const exported = fc.record({
  kind: fc.constant('export' as const),
  list: listRole,
  format: fc.constantFrom<DocumentFormat[]>('yaml', 'csv'),
});
const validate = fc.record({
  kind: fc.constant('validate' as const),
  values: fc.record({ country: fc.uniqueArray(value), city: fc.uniqueArray(value) }, { requiredKeys: [] }),
  wishes,
});

export const view: fc.Arbitrary<View> = fc.oneof(
  { arbitrary: list, weight: 12 },
  { arbitrary: all, weight: 1 },
  { arbitrary: kept, weight: 1 },
  { arbitrary: history, weight: 2 },
  { arbitrary: exported, weight: 1 },
  { arbitrary: validate, weight: 2 },
);
