// What the keepers of lists read and send: items with everything about them, changes, history.
import { z } from 'zod';
import { isObject } from '../base/guards.ts';
import { ProblemDocument } from '../http/problem.schema.ts';
import { numberParameter } from '../http/route.ts';
import {
  CalendarDate,
  CodeChanges,
  Codes,
  Description,
  ItemValue,
  Label,
  LabelChanges,
  Labels,
  LanguageTag,
  ListName,
  NewListName,
  ParentChanges,
  Parents,
  Reason,
  Roles,
  SortOrder,
  Tags,
} from './fields.schema.ts';

/** One item as its keepers see it. Absent things are null. */
export const KeptItem = z
  .strictObject({
    id: z.int(),
    value: ItemValue,
    label: Label,
    labels: Labels,
    sortOrder: SortOrder,
    status: z.enum(['active', 'retired']),
    validFrom: CalendarDate.nullable(),
    validTo: CalendarDate.nullable(),
    replacedBy: ItemValue.nullable(),
    retiredAt: z.iso.datetime().nullable(),
    codes: Codes,
    tags: Tags,
    description: Description.nullable(),
    parents: Parents,
  })
  .meta({ id: 'KeptItem' });
export type KeptItem = z.infer<typeof KeptItem>;

/** What a list has beside its items. */
const listSettings = {
  title: z.string(),
  description: z.string().nullable(),
  readers: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The roles that may read it; null: those of LOOKUP_READ_ROLES. Its keepers always may' }),
  keepers: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The roles that may keep it, beside those of LOOKUP_ADMIN_ROLES' }),
  archived: z.boolean().meta({ description: 'Whether it is kept but no longer served' }),
};
const ListSettings = z.strictObject(listSettings);
export type ListSettings = z.infer<typeof ListSettings>;
/** Of a new list, beside its title. */
export const noSettings = { description: null, readers: null, keepers: null, archived: false } as const;

export const KeptList = z
  .strictObject({ list: ListName, ...listSettings, version: z.int(), items: z.array(KeptItem) })
  .meta({ id: 'KeptList' });
export type KeptList = z.infer<typeof KeptList>;

export const ListAfterRetirement = z
  .strictObject({
    ...KeptList.shape,
    children: z.int().meta({ description: 'How many active items of other lists name the retired one as a parent' }),
  })
  .meta({ id: 'ListAfterRetirement' });

export const ListSummary = z
  .strictObject({
    list: ListName,
    ...listSettings,
    version: z.int(),
    active: z.int().meta({ description: 'Items that are not retired, whatever their dates' }),
    retired: z.int(),
    scheduled: z.int().meta({ description: 'Of the active items, those whose first day is still to come' }),
    translations: z
      .record(LanguageTag, z.int())
      .meta({ description: 'By language, how many of the active items have a label in it', example: { de: 12 } }),
    updatedAt: z.iso.datetime(),
    updatedBy: z.string().meta({ description: 'Who made this version, as in the history' }),
    updatedByName: z.string().nullable().meta({ description: 'The name of that person, where it is known' }),
    mayKeep: z.boolean().meta({ description: 'Whether you may change its items, title and description' }),
  })
  .meta({ id: 'ListSummary' });
export type ListSummary = z.infer<typeof ListSummary>;

/** Checked whatever else is wrong, so that every fault is reported at once. */
export function inDateOrder<S extends z.ZodObject>(schema: S): S {
  return schema.refine((item) => isInOrder(item.validFrom, item.validTo), {
    path: ['validTo'],
    message: 'Must not be before the start date',
    when: ({ value }) => isObject(value),
  });
}

function isInOrder(from: unknown, to: unknown): boolean {
  return typeof from !== 'string' || typeof to !== 'string' || from <= to;
}

/** What may change in an item. */
export const ItemDetails = z.strictObject(
  {
    label: Label,
    labels: Labels,
    sortOrder: SortOrder,
    validFrom: CalendarDate.nullable(),
    validTo: CalendarDate.nullable(),
    codes: Codes,
    tags: Tags,
    description: Description.nullable(),
    parents: Parents,
  },
  'must be an item with its fields',
);

/** Where an item that is there is changed, these are merged with what it has. */
export const MergedDetails = {
  labels: LabelChanges.optional(),
  codes: CodeChanges.optional(),
  parents: ParentChanges.optional(),
};

/** What may be given of a list. */
export const GivenSettings = z
  .strictObject({
    title: Label,
    description: Description.nullable(),
    readers: Roles.nullable(),
    keepers: Roles.nullable(),
    archived: z.boolean('must be true or false'),
  })
  .partial();
export type GivenSettings = z.infer<typeof GivenSettings>;

export const NewList = GivenSettings.extend({ list: NewListName, title: Label, reason: Reason }).meta({
  id: 'NewList',
});
export const SettingsChanges = GivenSettings.extend({ reason: Reason }).meta({ id: 'SettingsChanges' });
export const NewItem = inDateOrder(
  ItemDetails.partial().extend({ value: ItemValue, label: Label, reason: Reason }),
).meta({ id: 'NewItem' });
export type NewItem = z.infer<typeof NewItem>;
export const ItemChanges = inDateOrder(ItemDetails.partial().extend({ ...MergedDetails, reason: Reason })).meta({
  id: 'ItemChanges',
});
export type ItemChanges = z.infer<typeof ItemChanges>;
export const Retirement = z
  .strictObject({ replacedBy: ItemValue.optional(), reason: Reason })
  .meta({ id: 'Retirement' });
export const Restoration = z.strictObject({ reason: Reason }).meta({ id: 'Restoration' });
export const NewOrder = z.strictObject({ values: z.array(ItemValue), reason: Reason }).meta({ id: 'NewOrder' });
export const Undo = z
  .strictObject({ version: z.int('must be a version').min(1, 'must be 1 at least'), reason: Reason })
  .meta({ id: 'Undo' });

const ItemState = KeptItem.omit({ id: true }).meta({ id: 'ItemState', description: 'An item without its id' });
const SomeSettings = ListSettings.partial().meta({
  id: 'SomeSettings',
  description: 'What changed of the list itself, and nothing else of it',
});
const BeforeOrAfter = z.union([ItemState, SomeSettings, z.null()]);

export const HistoryChange = z
  .strictObject({
    value: z.string().nullable().meta({ description: "The item; null for a change of the list's settings" }),
    before: BeforeOrAfter,
    after: BeforeOrAfter,
  })
  .meta({ id: 'HistoryChange' });

/** One step of a list's history. A change without a value is one of the list's settings. */
export const HistoryEntry = z
  .strictObject({
    version: z.int(),
    at: z.iso.datetime(),
    by: z.string().meta({ description: 'An employee ID, a program (`caller:NAME`), or who used the command line' }),
    byName: z.string().nullable().meta({ description: 'The name of that person, where it is known' }),
    reason: z.string().nullable(),
    changes: z.array(HistoryChange),
    restoredVersion: z.int().optional().meta({ description: 'Of an undo: the version it restored' }),
    changesLeftOut: z
      .int()
      .optional()
      .meta({ description: 'How many changes follow that are not in this answer: see `changesFrom`' }),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Why a change was refused that was made from an older version. */
export const VersionConflict = z
  .object({
    ...ProblemDocument.shape,
    list: ListName,
    version: z.int().meta({ description: 'The current version of the list' }),
    changes: z.array(HistoryEntry).meta({ description: 'What has changed since, newest first' }),
    versionsLeftOut: z.int().optional().meta({ description: 'How many older versions are not in `changes`' }),
  })
  .meta({ id: 'VersionConflict', description: 'The problem document of `version-conflict`' });

export const HistoryQuery = z.object({
  before: numberParameter(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only versions before this one' }),
  limit: numberParameter(1, 500).default(50),
  changesFrom: numberParameter(0, Number.MAX_SAFE_INTEGER).default(0).meta({
    description:
      'So many changes of the first version shown are passed over: with `before` one above a version, its changes are read 1,000 at a time',
  }),
});
