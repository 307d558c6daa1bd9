// The history of a list: what each version changed, and who made it.
import { z } from 'zod';
import { TimeParameter } from '../../audit/audit.schema.ts';
import { numberParameter } from '../../http/route.ts';
import { ItemValue, ListParams } from '../stored/fields.schema.ts';
import { KeptItem, ListSettings } from '../stored/kept-list.schema.ts';

const ItemState = KeptItem.omit({ id: true }).meta({ id: 'ItemState', description: 'An item without its id' });
const SomeSettings = ListSettings.partial().meta({
  id: 'SomeSettings',
  description: 'Only those settings of the list that changed',
});
const BeforeOrAfter = z.union([ItemState, SomeSettings, z.null()]);

export const HistoryChange = z
  .strictObject({
    value: z.string().nullable().meta({ description: "The item; null for a change of the list's settings" }),
    before: BeforeOrAfter,
    after: BeforeOrAfter,
  })
  .meta({ id: 'HistoryChange' });

const version = z.int();
const NamedVersion = z
  .strictObject({ version, at: z.iso.datetime(), by: z.string(), byName: z.string().nullable() })
  .meta({ id: 'NamedVersion', description: 'A version, with its time and author as in the history' });

const LaterChange = z
  .strictObject({ ...NamedVersion.shape, change: HistoryChange })
  .meta({ id: 'LaterChange', description: 'A later version, and what it changed' });

/** One version in a list's history. */
export const HistoryEntry = z
  .strictObject({
    version: z.int(),
    at: z.iso.datetime(),
    by: z.string().meta({ description: 'An employee ID, a program (`caller:NAME`), or `command line (ACCOUNT)`' }),
    byName: z.string().nullable().meta({ description: 'The name of that person, if known' }),
    reason: z.string().nullable(),
    changes: z.array(HistoryChange),
    restoredVersion: z
      .int()
      .optional()
      .meta({ description: 'The version that was restored, if this version is an undo' }),
    changesLeftOut: z
      .int()
      .optional()
      .meta({ description: 'How many changes at the end of this version are left out: see `changesFrom`' }),
    laterChange: LaterChange.optional().meta({
      description:
        'The newest later change to anything in `changes`. Because of it, this version cannot be undone on its own. Absent if there is none. There are two kinds of changes: those that only move an item, and all others. Only later changes of the same kind count. Of changes to settings, only those that change the same setting (title, description, translations) count',
    }),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const HistoryQuery = z.strictObject({
  before: numberParameter(1, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only versions before this one' }),
  limit: numberParameter(1, 500).default(50),
  changesFrom: numberParameter(0, Number.MAX_SAFE_INTEGER).default(0).meta({
    description:
      'How many changes to skip at the beginning of the first version in the answer. To read all changes of one version, 1,000 at a time, set `before` to that version plus 1',
  }),
});

export const ValueHistoryQuery = HistoryQuery.extend({
  value: ItemValue.optional().meta({
    description:
      'Only versions that changed this value, each with only that change. Versions that only moved the value are left out',
  }),
  by: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine((given) => !/\p{Cc}/u.test(given), 'must contain no control characters')
    .optional()
    .meta({
      description:
        'Only versions by these authors: either one exact author ID, or words of a current name. Each word must be the start of a word in the name, and at most 20 people may match',
      example: 'Ada Park',
    }),
  since: TimeParameter.optional().meta({
    description: 'Only versions since this date or time',
    minLength: 1,
    example: '2027-01-31',
  }),
  until: TimeParameter.optional().meta({
    description: 'Only versions up to the end of this date, or before this time',
    minLength: 1,
    example: '2027-02-01T08:00:00Z',
  }),
});
export type ValueHistoryQuery = z.output<typeof ValueHistoryQuery>;

export const LastChanges = z
  .strictObject({
    versions: z.array(NamedVersion).meta({ description: 'The versions that `values` refers to, newest first' }),
    values: z
      .record(ItemValue, version)
      .meta({ description: 'For each item, the last version that changed it', example: { ACCOUNTANT: 7 } }),
  })
  .meta({ id: 'LastChanges' });
export type LastChanges = z.infer<typeof LastChanges>;

/** A number that cannot be a version gets 404, just like a version that does not exist. */
export const VersionParams = ListParams.extend({ version: numberParameter(1, 999_999_999).meta({ example: 1 }) });
