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
  /** The version it was made from. If given, changes made since then are not overwritten. */
  version: z.int('must be a version').optional(),
};

const Mirror = z.boolean('must be true or false').optional().meta({
  description: 'Items that a list with `items` leaves out are retired, and items without `retired` are active',
});

/** A file of lists, as in `lookups/`, and as plan and apply accept it. */
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

/** The outer structure of a document: its contents are checked part by part. */
export const DocumentOutline = z.strictObject(
  { mirror: Mirror, lists: z.record(z.string(), z.unknown(), 'must be lists by their names') },
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
      description: 'Of an item that is retired: how many active items of other lists name it as a parent, if any do',
    }),
  })
  .meta({ id: 'PlanChange' });

export const Plan = z
  .strictObject({
    changes: z.array(PlanChange).meta({ description: 'The first 1,000' }),
    counts: z.record(ListName, z.record(z.string(), z.int())).meta({
      description: 'How many there are in all, by list and kind',
      example: { position: { add: 2, retire: 1 } },
    }),
    changesLeftOut: z.int().optional().meta({ description: 'How many changes follow that are not in this answer' }),
  })
  .meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;
