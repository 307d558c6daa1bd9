// The fields that lists and items are made of: names, values, labels, dates, and what each must be.
import { z } from 'zod';
import { canonicalTag, namesLanguage } from './language-tag.ts';
import { exactLine, lineOfText, text } from './text.schema.ts';

export const ListName = text()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(64, 'must be 64 characters at most');

/** Path segments that take the place of `{list}` under /admin/lookups. */
const reservedNames = ['apply', 'plan'];
/** The name of a new list, created alone or by a document. */
export const NewListName = ListName.refine(
  (name) => !reservedNames.includes(name),
  `is a reserved name: ${reservedNames.join(' and ')} are addresses of the service under /admin/lookups`,
);

export const ItemValue = text()
  .regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, 'must be UPPER_SNAKE_CASE')
  .max(64, 'must be 64 characters at most');

export const ListParams = z.object({ list: ListName.meta({ example: 'position' }) });
export const ItemParams = ListParams.extend({ value: ItemValue.meta({ example: 'ACCOUNTANT' }) });

export const Label = lineOfText(200);

// -0 becomes 0: it would never equal what the database returns.
export const SortOrder = z
  .int('must be a whole number')
  .overwrite((order) => order || 0)
  .meta({ format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const CalendarDate = z.iso.date('must be a date like 2027-01-31');
/** Blanks around it are removed: pipelines take it from the beginning of a commit message. */
export const Reason = lineOfText(500, text().trim()).optional();

const notALanguage = 'must be a language tag like de or pt-BR';
const CanonicalTag = z
  .string()
  .max(64, 'must be 64 characters at most')
  .refine((tag) => canonicalTag(tag) === tag, notALanguage);
export const LanguageTag = CanonicalTag.refine(namesLanguage, notALanguage);

/** Keys that are left out stay; null removes one. `wrong` is said of what is no object. */
function changesByKey<V extends z.ZodType>(key: z.ZodString, value: V, wrong: string) {
  return z.record(key, value.nullable(), wrong);
}

export const Labels = z.record(LanguageTag, Label);
/** A label under a tag such as `german`, which earlier versions took, can still be removed. */
export const LabelChanges = changesByKey(CanonicalTag, Label, 'must be labels by language').superRefine(
  (labels, context) => {
    const wrong = Object.keys(labels).filter((tag) => labels[tag] !== null && !namesLanguage(tag));
    for (const tag of wrong) context.addIssue({ code: 'custom', path: [tag], message: notALanguage });
  },
);

/** A name that programs use. It begins with a letter or digit: `__proto__` is none. */
export const MachineName = text()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-", beginning with a letter or digit')
  .max(50, 'must be 50 characters at most');

/** How many of each an item has, after what is there has been merged with what was sent. */
export const mostOfItem = { codes: 20, parents: 10 } as const;

const Code = lineOfText(100);
const System = MachineName;
export const Codes = z.record(System, Code).meta({
  description: 'What the item is called in other systems',
  example: { workday: 'JP-113' },
  maxProperties: mostOfItem.codes,
});
export const CodeChanges = changesByKey(System, Code, 'must be codes by system');

/** Kept sorted: the same in another order are no change. `ifEmpty` is said where there must be one. */
function sortedSet<S extends z.ZodType<string>>(entry: S, most: number, what: string, ifEmpty?: string) {
  return z
    .array(entry, `must be an array of ${what}`)
    .min(ifEmpty === undefined ? 0 : 1, ifEmpty)
    .max(most, `must be ${most} ${what} at most`)
    .refine((entries) => new Set(entries).size === entries.length, `must have no duplicate ${what}`)
    .overwrite((entries) => entries.toSorted())
    .meta({ uniqueItems: true });
}

export const Tags = sortedSet(MachineName, 50, 'tags');
export const Description = lineOfText(500);

/**
 * As the identity provider names them. An empty array could mean everybody or nobody: null says that a list has no roles
 * of its own.
 */
export const Roles = sortedSet(exactLine(255), 50, 'roles', 'must have a role, or be null');

const ParentValues = sortedSet(ItemValue, 200, 'values', 'must have a value, or be null to remove the list');
export const Parents = z.record(ListName, ParentValues).meta({
  description: 'Values of other lists: the item is offered only with one of them',
  example: { country: ['AT', 'DE'] },
  maxProperties: mostOfItem.parents,
});
export const ParentChanges = changesByKey(ListName, ParentValues, 'must be values by list');
