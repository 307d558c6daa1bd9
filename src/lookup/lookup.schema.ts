import { z } from 'zod';
import { ProblemDocument } from '../http/problem.schema.ts';
import { isObject } from '../telemetry/guards.ts';

/** One item as forms get it: the interface's shape. */
export const LookupItem = z
  .strictObject({
    id: z.int().meta({ description: 'Internal identifier. Clients must not use it' }),
    label: z.string().meta({ description: 'Human-readable text for display', example: 'Accountant' }),
    value: z.string().meta({ description: 'Machine-readable value, for storing', example: 'ACCOUNTANT' }),
    sortOrder: z.int().meta({ description: 'Display order', example: 120, format: 'int64' }),
  })
  .meta({ id: 'LookupItem' });
export type LookupItem = z.infer<typeof LookupItem>;

export const LookupList = z.array(LookupItem).meta({ id: 'LookupList' });
export const AllLookups = z.record(z.string(), LookupList).meta({ id: 'AllLookups' });

/** Of something that is not there it is said so, and not what it should have been. */
const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') });

const ListName = text()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(64, 'must be 64 characters at most');

/** What stands in the place of `{list}` in addresses under /admin/lookups. */
const reservedNames = ['apply', 'plan'];
/** Of a list that is made, by itself or by a document. */
export const NewListName = ListName.refine(
  (name) => !reservedNames.includes(name),
  `must be another name: ${reservedNames.join(' and ')} are addresses of the service under /admin/lookups`,
);

export const ItemValue = text()
  .regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, 'must be UPPER_SNAKE_CASE')
  .max(64, 'must be 64 characters at most');

export const ListParams = z.object({ list: ListName.meta({ example: 'position' }) });
export const ItemParams = ListParams.extend({ value: ItemValue.meta({ example: 'ACCOUNTANT' }) });

/** Beside what Unicode calls ignorable: two signs that are drawn as nothing. */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Counted in characters of any script (code points), not in the runtime's units. */
const Label = text()
  .refine((label) => visible.test(label) && label.trim() === label, 'must be visible text, without blanks around it')
  .refine((label) => !/\p{Cc}/u.test(label) && label.isWellFormed(), 'must have no control characters')
  .refine((label) => !/[\p{Zl}\p{Zp}]/u.test(label), 'must have no line separators')
  .refine((label) => !/\p{Noncharacter_Code_Point}/u.test(label), 'must have no noncharacters')
  .refine(isBidiPaired, 'must have direction controls (Unicode bidirectional) in pairs only')
  .refine((label) => Array.from(label).length <= 200, 'must be 200 characters at most')
  .meta({ minLength: 1, maxLength: 200 });

// -0 is 0: it would differ from what the database gives back for ever.
const SortOrder = z
  .int('must be a whole number')
  .overwrite((order) => order || 0)
  .meta({ format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const CalendarDate = z.iso.date('must be a date like 2027-01-31');
export const Reason = z
  .string()
  .max(500, 'must be 500 characters at most')
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'must have no control characters')
  .optional();

export const LanguageTag = z.string().refine(isLanguageTag, 'must be a language tag like de or pt-BR');

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

const Labels = z.record(LanguageTag, Label);
/** Languages that are left out stay; null takes one away. */
const LabelChanges = z.record(LanguageTag, Label.nullable(), 'must be labels by language');

/** Unicode Standard Annex 9: what is opened and not closed would turn the text behind it, in other people's pages. */
function isBidiPaired(label: string): boolean {
  const open: string[] = [];
  for (const sign of label) {
    if (/[\u202a\u202b\u202d\u202e]/.test(sign)) open.push('\u202c');
    else if (/[\u2066-\u2068]/.test(sign)) open.push('\u2069');
    else if (/[\u202c\u2069]/.test(sign) && open.pop() !== sign) return false;
  }
  return open.length === 0;
}

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
  })
  .meta({ id: 'KeptItem' });
export type KeptItem = z.infer<typeof KeptItem>;

export const KeptList = z
  .strictObject({ list: ListName, title: z.string(), version: z.int(), items: z.array(KeptItem) })
  .meta({ id: 'KeptList' });
export type KeptList = z.infer<typeof KeptList>;

export const ListSummary = z
  .strictObject({
    list: ListName,
    title: z.string(),
    version: z.int(),
    active: z.int(),
    retired: z.int(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'ListSummary' });

/** Checked whatever else is wrong: every fault is told at once. */
function inDateOrder<S extends z.ZodObject>(schema: S): S {
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
const ItemDetails = z.strictObject(
  {
    label: Label,
    labels: Labels,
    sortOrder: SortOrder,
    validFrom: CalendarDate.nullable(),
    validTo: CalendarDate.nullable(),
  },
  'must be an item with its fields',
);

export const NewList = z.strictObject({ list: NewListName, title: Label, reason: Reason }).meta({ id: 'NewList' });
export const NewItem = inDateOrder(
  ItemDetails.partial().extend({ value: ItemValue, label: Label, reason: Reason }),
).meta({ id: 'NewItem' });
export type NewItem = z.infer<typeof NewItem>;
export const ItemChanges = inDateOrder(
  ItemDetails.partial().extend({ labels: LabelChanges.optional(), reason: Reason }),
).meta({ id: 'ItemChanges' });
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
const ListTitle = z.strictObject({ title: z.string() }).meta({ id: 'ListTitle' });
const BeforeOrAfter = z.union([ItemState, ListTitle, z.null()]);

const HistoryChange = z
  .strictObject({
    value: z.string().nullable().meta({ description: "The item; null for a change of the list's title" }),
    before: BeforeOrAfter,
    after: BeforeOrAfter,
  })
  .meta({ id: 'HistoryChange' });

/** One step of a list's history. A change without a value is one of the list's title. */
export const HistoryEntry = z
  .strictObject({
    version: z.int(),
    at: z.iso.datetime(),
    by: z.string(),
    reason: z.string().nullable(),
    changes: z.array(HistoryChange),
    restoredVersion: z.int().optional().meta({ description: 'Of an undo: the version whose state it brought back' }),
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
    version: z.int().meta({ description: 'The present version of the list' }),
    changes: z.array(HistoryEntry).meta({ description: 'What has changed since, newest first' }),
    versionsLeftOut: z.int().optional().meta({ description: 'How many older versions are not in `changes`' }),
  })
  .meta({ id: 'VersionConflict', description: 'The problem document of `version-conflict`' });

export const HistoryQuery = z.object({
  before: z.coerce.number<string>().int().positive().optional().meta({ description: 'Only versions before this one' }),
  limit: z.coerce.number<string>().int().min(1).max(500).default(50),
  changesFrom: z.coerce.number<string>().int().min(0).default(0).meta({
    description:
      'So many changes of the first version shown are passed over: with `before` one above a version, its changes are read 1,000 at a time',
  }),
});

export const DocumentItem = inDateOrder(
  ItemDetails.partial().extend({
    value: ItemValue,
    label: Label,
    labels: LabelChanges.optional(),
    retired: z.boolean('must be true or false').optional(),
    replacedBy: ItemValue.nullable().optional(),
  }),
).meta({ id: 'DocumentItem' });
export type DocumentItem = z.infer<typeof DocumentItem>;

const documentList = {
  title: Label.optional(),
  /** The version it was made from: with it, nobody's change since then is overwritten. */
  version: z.int('must be a version').optional(),
};

/** A file of lists: what `lookups/` holds, and what plan and apply take. */
export const LookupDocument = z
  .strictObject({
    lists: z.record(
      NewListName,
      z.strictObject({ ...documentList, items: z.array(DocumentItem).default([]) }).meta({ id: 'DocumentList' }),
    ),
  })
  .meta({ id: 'LookupDocument' });
export type LookupDocument = z.infer<typeof LookupDocument>;

/** The same without what is inside: to be looked at part by part. */
export const DocumentOutline = z.strictObject(
  { lists: z.record(z.string(), z.unknown(), 'must be lists by their names') },
  'must be a document with "lists"',
);
export const DocumentList = z.strictObject(
  { ...documentList, items: z.array(z.unknown(), 'must be a list of items').default([]) },
  'must be a list with its items',
);

const PlanChange = z
  .strictObject({
    list: ListName,
    kind: z.enum(['list', 'title', 'add', 'change', 'retire', 'restore']),
    ...HistoryChange.shape,
  })
  .meta({ id: 'PlanChange' });

export const Plan = z
  .strictObject({
    changes: z.array(PlanChange),
  })
  .meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;

/** That `POST /lookups/validate` judges at once. Said in its description, too. */
const mostValues = 1000;

/** Counted before each is looked at, well-formed or not. */
export const ValidateRequest = z.preprocess(
  (sent, context) => {
    const lists = isObject(sent) ? Object.values(sent) : [];
    const count = lists.reduce((sum: number, values) => sum + (Array.isArray(values) ? values.length : 1), 0);
    if (count > mostValues) context.addIssue(`must have ${mostValues} values at most, in all lists together`);
    return sent;
  },
  z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .meta({ id: 'ValidateRequest', example: { position: 'ACCOUNTANT', 'employee-level': ['LEAD', 'X'] } }),
);

const ValidateOutcome = z
  .strictObject({
    list: z.string(),
    value: z.string(),
    status: z.enum(['active', 'retired', 'scheduled', 'expired', 'unknown']),
    replacedBy: z.string().nullable(),
    retiredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ValidateOutcome' });

export const ValidateResult = z
  .strictObject({
    valid: z.boolean(),
    results: z.array(ValidateOutcome),
  })
  .meta({ id: 'ValidateResult' });
export type ValidateResult = z.infer<typeof ValidateResult>;
