// Lists and items as their keepers see them.
import { z } from 'zod';
import type * as list from '../rules/list.ts';
import { itemShape, LanguageTag, ListName } from './fields.schema.ts';

/** One item as its keepers see it. */
export const KeptItem = z.strictObject({ id: z.int(), ...itemShape }).meta({ id: 'KeptItem' });

/** Everything about a list except its name, version and items. */
export const listSettings = {
  title: z.string(),
  titles: z
    .record(LanguageTag, z.string())
    .meta({ description: 'The title in other languages', example: { de: 'Position' } }),
  description: z.string().nullable(),
  descriptions: z.record(LanguageTag, z.string()).meta({ description: 'The description in other languages' }),
  readers: z.array(z.string()).nullable().meta({
    description: 'The roles that may read the list; null means LOOKUP_READ_ROLES. Its keepers can always read it',
  }),
  keepers: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The roles that may manage the list, in addition to LOOKUP_ADMIN_ROLES' }),
  archived: z.boolean().meta({ description: 'Whether the list is kept but no longer served' }),
};
export const ListSettings = z.strictObject(listSettings) satisfies z.ZodType<list.ListSettings>;

export const KeptList = z
  .strictObject({ list: ListName, ...listSettings, version: z.int(), items: z.array(KeptItem) })
  .meta({ id: 'KeptList' }) satisfies z.ZodType<list.KeptList>;
