// The schemas of the list changes that keepers send, and of the answers.
import { z } from 'zod';
import { isObject } from '../../base/guards.ts';
import { ProblemDocument } from '../../http/problem.ts';
import { HistoryEntry } from '../history/list-history.schema.ts';
import type * as rules from '../rules/list.ts';
import { isInOrder } from '../rules/list-on-day.ts';
import {
  CodeChanges,
  Description,
  ItemValue,
  itemShape,
  Label,
  LabelChanges,
  ListName,
  ListTextChanges,
  ListTexts,
  NewListName,
  ParentChanges,
  Reason,
  Roles,
} from '../stored/fields.schema.ts';
import { KeptList } from '../stored/kept-list.schema.ts';

export const ListAfterRetirement = z
  .strictObject({
    ...KeptList.shape,
    children: z
      .int()
      .meta({ description: 'The number of active items in other lists that have the retired item as a parent' }),
  })
  .meta({ id: 'ListAfterRetirement' });

/** Refuses an item that ends before it starts. Checked even if other fields are wrong, so that all faults are reported. */
export function inDateOrder<S extends z.ZodObject>(schema: S): S {
  return schema.refine((item) => isInOrder(item.validFrom, item.validTo), {
    path: ['validTo'],
    message: 'Must not be before the start date',
    when: ({ value }) => isObject(value),
  });
}

const { value: _, status: _1, replacedBy: _2, retiredAt: _3, ...details } = itemShape;
/** The fields of an item that keepers can set, except its value and its retirement. */
export const ItemDetails = z.strictObject(details, 'must be an object with the fields of an item');

/** For an existing item, these fields are merged by key. */
export const MergedDetails = {
  labels: LabelChanges.optional(),
  codes: CodeChanges.optional(),
  parents: ParentChanges.optional(),
};

export const GivenSettings = z
  .strictObject({
    title: Label,
    titles: ListTextChanges.titles,
    description: Description.nullable(),
    descriptions: ListTextChanges.descriptions,
    readers: Roles.nullable(),
    keepers: Roles.nullable(),
    archived: z.boolean('must be true or false'),
  })
  .partial() satisfies z.ZodType<rules.GivenSettings>;

export const NewList = GivenSettings.extend({
  list: NewListName,
  title: Label,
  titles: ListTexts.titles.optional(),
  descriptions: ListTexts.descriptions.optional(),
  reason: Reason,
}).meta({ id: 'NewList' });
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
  .strictObject({ version: z.int('must be a version').min(1, 'must be at least 1'), reason: Reason })
  .meta({ id: 'Undo' });

/** The answer to a change that is based on an outdated version. */
export const VersionConflict = z
  .object({
    ...ProblemDocument.shape,
    list: ListName,
    version: z.int().meta({ description: 'The current version of the list' }),
    changes: z.array(HistoryEntry).meta({ description: 'What has changed since your version, newest first' }),
    versionsLeftOut: z.int().optional().meta({ description: 'How many older versions are not in `changes`' }),
  })
  .meta({ id: 'VersionConflict', description: 'The problem document of `version-conflict`' });
