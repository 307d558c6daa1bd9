// Random operations. Most of them succeed; each kind of refusal occurs, too.
import fc from 'fast-check';
import {
  details,
  few,
  kind,
  label,
  listRole,
  mostly,
  person,
  reason,
  settings,
  value,
  values,
  weighted,
} from './alphabet.ts';
import type { DocumentFormat, GivenDocumentItem, GivenDocumentList, Operation } from './operations.ts';

const ofList = {
  by: person,
  list: listRole,
  seen: mostly(fc.constant('current' as const), fc.constantFrom('outdated' as const, 'unsaid' as const), 8),
  reason,
};
const fewDetails = few(fc.record(details));
const item = fc.tuple(label, fewDetails).map(([plain, some]) => ({ label: plain, ...some }));

const add = fc.record({ ...kind('add'), ...ofList, value, details: item });
const patch = fc.record({ ...kind('patch'), ...ofList, value, details: fewDetails });
const replacedBy = fc.option(value, { nil: undefined });
const retire = fc.record({ ...kind('retire'), ...ofList, value, replacedBy });
const restore = fc.record({ ...kind('restore'), ...ofList, value });
const order = fc.record({
  ...kind('order'),
  ...ofList,
  values: fc.shuffledSubarray(values, { minLength: values.length }),
  fault: mostly(fc.constant(undefined), fc.constantFrom('incomplete' as const, 'twice' as const)),
});
// With -1, `stepsBack` names a version that does not exist yet.
const undo = fc.record({ ...kind('undo'), ...ofList, stepsBack: mostly(fc.nat(6), fc.constantFrom(-1, 100)) });

const retirement = fc.oneof(
  weighted(4, fc.constant({})),
  weighted(1, fc.record({ retired: fc.constant(true), replacedBy: mostly(value, fc.constant(null), 2) })),
  weighted(1, fc.record({ retired: fc.boolean() })),
  weighted(1, fc.record({ replacedBy: mostly(value, fc.constant(null), 2) })),
);
const documentItems = fc
  .array(fc.tuple(value, item, retirement), { maxLength: 3 })
  .map((all) => all.map(([own, fields, retired]): GivenDocumentItem => ({ value: own, ...fields, ...retired })))
  .map((all) => [...new Map(all.map((each) => [each.value, each])).values()]);
const documentList: fc.Arbitrary<GivenDocumentList> = fc.record({
  items: mostly(documentItems, fc.constant(undefined), 8),
  settings: mostly(fc.constant(undefined), few(fc.record(settings), 2), 2),
  seen: fc.constantFrom(undefined, undefined, undefined, 'current' as const, 'outdated' as const),
});
const lists = fc.oneof(
  fc.record({ city: documentList }),
  fc.record({ country: documentList }),
  fc.record({ city: documentList, country: documentList }),
);
const format = fc.constantFrom<DocumentFormat[]>('json', 'yaml', 'csv');
const mirror = fc.constantFrom(undefined, undefined, undefined, 'document' as const, 'query' as const);
const document = fc.record({ ...kind('document'), by: person, format, lists, mirror, reason });

const create = fc.record({
  ...kind('create'),
  by: person,
  list: listRole,
  title: label,
  settings: mostly(fc.constant({}), few(fc.record(settings)), 1),
});
const changeSettings = fc.record({ ...kind('settings'), ...ofList, settings: few(fc.record(settings), 2) });
// A restart is rare, because it takes a while.
const nextDay = mostly(fc.record(kind('next-day')), fc.record(kind('restart')), 20);

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  weighted(4, add),
  weighted(9, patch),
  weighted(3, retire),
  weighted(3, restore),
  weighted(2, order),
  weighted(3, undo),
  weighted(6, document),
  weighted(3, changeSettings),
  weighted(1, create),
  weighted(3, nextDay),
);

/** Items with equal sortOrder, a different order in each language, codes that other items may use as well, and a replacement. */
const firstItems: GivenDocumentItem[] = [
  { value: 'B', label: 'Zug Alpha', sortOrder: 10, labels: { sv: 'ähre', de: 'ähre' }, codes: { workday: '1' } },
  { value: 'C', label: 'alpha', sortOrder: 10, labels: { sv: 'Zug Alpha', de: 'Zug Alpha' }, codes: { workday: '2' } },
  { value: 'D', label: 'ähre', sortOrder: 10, labels: { 'zh-Hant': '名前' }, tags: ['core'] },
  { value: 'E', label: 'Öl', retired: true, replacedBy: 'B' },
];

/** Usually creates both lists with items, sometimes one or none. */
export const beginning: fc.Arbitrary<Operation[]> = mostly(fc.constant(2), fc.nat(1)).map((count) =>
  (['country', 'city'] as const).slice(0, count).flatMap((list): Operation[] => [
    { kind: 'create', by: 'admin', list, title: 'Plain', settings: list === 'city' ? { keepers: ['KEEPER'] } : {} },
    { kind: 'document', by: 'admin', format: 'json', lists: { [list]: { items: firstItems } } },
  ]),
);
