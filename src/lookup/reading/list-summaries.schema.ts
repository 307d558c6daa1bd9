import { z } from 'zod';
import { LanguageTag, ListName } from '../stored/fields.schema.ts';
import { listSettings } from '../stored/kept-list.schema.ts';

export const ListSummary = z
  .strictObject({
    list: ListName,
    ...listSettings,
    version: z.int(),
    active: z.int().meta({ description: 'Items that are not retired, regardless of their dates' }),
    retired: z.int(),
    scheduled: z.int().meta({ description: 'Active items whose first day is in the future' }),
    translations: z
      .record(LanguageTag, z.int())
      .meta({ description: 'How many active items have a label in each language', example: { de: 12 } }),
    updatedAt: z.iso.datetime(),
    updatedBy: z.string().meta({ description: 'Who made this version, as in the history' }),
    updatedByName: z.string().nullable().meta({ description: 'The name of that person, if known' }),
    mayKeep: z.boolean().meta({ description: 'Whether you may change its items, title and description' }),
  })
  .meta({ id: 'ListSummary' });
export type ListSummary = z.infer<typeof ListSummary>;
