// A document of lists, and what it would change.
import { z } from 'zod';
import { HistoryChange } from '../history/list-history.schema.ts';
import { ItemValue, Label, ListName, NewListName } from '../stored/fields.schema.ts';
import { GivenSettings, ItemDetails, inDateOrder, MergedDetails } from './list-changes.schema.ts';

export const DocumentItem = inDateOrder(
  ItemDetails.partial().extend({
    value: ItemValue,
    label: Label,
    ...MergedDetails,
    retired: z.boolean('must be true or false').optional(),
    replacedBy: ItemValue.nullable().optional(),
  }),
).meta({ id: 'DocumentItem' });
export type DocumentItem = z.infer<typeof DocumentItem>;

const documentList = {
  ...GivenSettings.shape,
  /** The version that the document is based on. If given, later changes are not overwritten. */
  version: z.int('must be a version').optional(),
};

const Mirror = z.boolean('must be true or false').optional().meta({
  description: 'If true, items missing from `items` are retired, and items without `retired` become active',
});

/** A file of lists, such as those in `lookups/`. Plan and apply accept it. */
export const LookupDocument = z
  .strictObject({
    mirror: Mirror,
    lists: z.record(
      NewListName,
      z.strictObject({ ...documentList, items: z.array(DocumentItem).optional() }).meta({ id: 'DocumentList' }),
    ),
  })
  .meta({ id: 'LookupDocument' });
export type LookupDocument = z.infer<typeof LookupDocument>;

/** The outer structure of a document. Its contents are checked part by part. */
export const DocumentOutline = z.strictObject(
  { mirror: Mirror, lists: z.record(z.string(), z.unknown(), 'must map list names to lists') },
  'must be a document with "lists"',
);
export const DocumentList = z.strictObject(
  { ...documentList, items: z.array(z.unknown(), 'must be a list of items').optional() },
  'must be a list with its items',
);

const PlanChange = z
  .strictObject({
    list: ListName,
    kind: z.enum(['list', 'title', 'settings', 'add', 'change', 'retire', 'restore']),
    ...HistoryChange.shape,
    children: z.int().optional().meta({
      description: 'For a retired item: how many active items in other lists have it as a parent. Absent if none do',
    }),
  })
  .meta({ id: 'PlanChange' });

export const Plan = z
  .strictObject({
    changes: z.array(PlanChange).meta({ description: 'The first 1,000 changes' }),
    counts: z.record(ListName, z.record(z.string(), z.int())).meta({
      description: 'The number of changes by list and kind, including those that are not in this answer',
      example: { position: { add: 2, retire: 1 } },
    }),
    changesLeftOut: z.int().optional().meta({ description: 'The number of changes that are not in this answer' }),
  })
  .meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;
