// What is read of a list's past, beside the entries of its history.
import { z } from 'zod';
import { numberParameter } from '../http/route.ts';
import { ItemValue, ListParams } from './fields.schema.ts';
import { HistoryQuery } from './lookup-admin.schema.ts';

export const ValueHistoryQuery = HistoryQuery.extend({
  value: ItemValue.optional().meta({
    description: 'Only the versions that changed this value in more than its order, each with that change alone',
  }),
});

const version = z.int();
const NamedVersion = z
  .strictObject({ version, at: z.iso.datetime(), by: z.string(), byName: z.string().nullable() })
  .meta({ id: 'NamedVersion', description: 'A version, when and by whom, as in the history' });

export const LastChanges = z
  .strictObject({
    versions: z.array(NamedVersion).meta({ description: 'Those that `values` names, newest first' }),
    values: z
      .record(ItemValue, version)
      .meta({ description: 'Of each item, the last version that changed it', example: { ACCOUNTANT: 7 } }),
  })
  .meta({ id: 'LastChanges' });
export type LastChanges = z.infer<typeof LastChanges>;

/** A version that cannot be is one that does not exist. */
export const VersionParams = ListParams.extend({ version: numberParameter(1, 999_999_999).meta({ example: 1 }) });
