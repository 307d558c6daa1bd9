// Lists and items as their keepers see them.
import { z } from 'zod';
import type * as item from '../rules/item.ts';
import type * as list from '../rules/list.ts';
import {
  CalendarDate,
  Codes,
  Description,
  ItemValue,
  Label,
  Labels,
  ListName,
  Parents,
  SortOrder,
  Tags,
} from './fields.schema.ts';

/** One item as its keepers see it. Absent fields are null. */
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
  .meta({ id: 'KeptItem' }) satisfies z.ZodType<item.KeptItem>;

/** Everything about a list except its name, version and items. */
export const listSettings = {
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
export const ListSettings = z.strictObject(listSettings) satisfies z.ZodType<list.ListSettings>;

export const KeptList = z
  .strictObject({ list: ListName, ...listSettings, version: z.int(), items: z.array(KeptItem) })
  .meta({ id: 'KeptList' }) satisfies z.ZodType<list.KeptList>;
