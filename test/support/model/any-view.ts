// Random questions (`views`) to ask the service.
import fc from 'fast-check';
import { few, kind, listRole, mostly, person, value, weighted, wishes } from './alphabet.ts';
import type { DocumentFormat, ListRole } from './operations.ts';
import type { Person } from './people.ts';
import type { Field } from './shown.ts';
import type { View } from './views.ts';

const anybody = fc.constantFrom<Person[]>('guest', 'reader', 'keeper', 'admin');
const parent = fc.tuple(
  mostly(fc.constant<ListRole>('country'), fc.constantFrom('city' as const, 'nowhere' as const)),
  value,
);
const selection = few(
  fc.record({
    include: fc.uniqueArray(value, { minLength: 1, maxLength: 2 }),
    where: fc.array(parent, { minLength: 1, maxLength: 2 }),
    tags: fc.uniqueArray(fc.constantFrom('core', 'old'), { minLength: 1, maxLength: 2 }),
    code: fc.tuple(fc.constantFrom('workday', 'sap'), fc.constantFrom('1', '2')),
    q: fc.constantFrom('a', 'AL', 'ahre', 'zug al', 'ug', 'ecl', '前', 'Öl', ' Zug '),
    limit: fc.integer({ min: 1, max: 3 }),
    fields: fc.uniqueArray(fc.constantFrom<Field[]>('codes', 'tags', 'description', 'parents'), { minLength: 1 }),
  }),
);
const asOf = fc.option(fc.integer({ min: -4, max: 3 }), { nil: undefined, freq: 2 });
const list = fc
  .tuple(
    fc.record({ ...kind('list'), by: anybody, list: listRole, asOf, wishes }),
    mostly(selection, fc.constant({}), 2),
  )
  .map(([plain, selected]) => ({ ...plain, ...selected }));
const all = fc.record({ ...kind('all'), by: anybody, wishes });
const summaries = fc.record({ ...kind('summaries'), by: person });
const kept = fc.record({ ...kind('kept'), by: person, list: listRole });
const history = fc.record({ ...kind('history'), by: person, list: listRole });
const format = fc.constantFrom<DocumentFormat[]>('yaml', 'csv');
const exported = fc.record({ ...kind('export'), by: person, list: listRole, format });
const some = fc.uniqueArray(value);
const stored = fc.record({ country: some, city: some }, { requiredKeys: [] });
const validate = fc.record({ ...kind('validate'), by: anybody, values: stored, wishes });

export const view: fc.Arbitrary<View> = fc.oneof(
  weighted(14, list),
  weighted(1, all),
  weighted(1, summaries),
  weighted(1, kept),
  weighted(2, history),
  weighted(1, exported),
  weighted(2, validate),
);
