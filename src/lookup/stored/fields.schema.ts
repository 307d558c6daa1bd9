// The schemas of the fields of lists and items: names, values, labels, dates.
import { z } from 'zod';
import { type FieldName, type ItemState, itemFields } from '../rules/item.ts';
import { canonicalTag, namesLanguage } from '../rules/label-language.ts';
import { mostLanguages, mostOfItem } from '../rules/list.ts';
import { listNamePattern, longestName, machineNamePattern, valuePattern } from '../rules/names.ts';
import { hasAtMost, hasLongRunOfMarks, type LineRule, lineRules } from '../rules/text.ts';

/** A missing field is reported as missing, not as having the wrong type. */
const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') });

/**
 * A line of text, stored in Unicode's normal form NFC, so that texts that look the same are equal. The limit counts code
 * points, not UTF-16 code units.
 */
function lineOfText(mostCharacters: number, base = text()) {
  const normalised = base
    .refine((line) => !hasLongRunOfMarks(line), {
      message: 'must have at most 30 combining marks in a row',
      abort: true,
    })
    .overwrite((line) => line.normalize('NFC'));
  return boundLine(normalised, mostCharacters);
}

/** A line of text that is not normalized, because it is compared with names from other systems. */
const exactLine = (mostCharacters: number) => boundLine(text(), mostCharacters);

const lineFaults: Record<LineRule, string> = {
  visible: 'must be visible text, without leading or trailing spaces',
  control: 'must contain no control characters',
  separator: 'must contain no line separators',
  noncharacter: 'must contain no Unicode noncharacters',
  direction: 'must have Unicode direction controls only in pairs',
};

function boundLine(line: z.ZodString, mostCharacters: number) {
  return (Object.keys(lineRules) as LineRule[])
    .reduce((checked, rule) => checked.refine(lineRules[rule], lineFaults[rule]), line)
    .refine((line) => hasAtMost(mostCharacters, line), `must be at most ${mostCharacters} characters`)
    .meta({ minLength: 1, maxLength: mostCharacters });
}

export const ListName = text()
  .regex(new RegExp(`^${listNamePattern}$`), 'must be lower-case words joined by hyphens')
  .max(longestName.list, 'must be at most 64 characters');

/** Path segments under /admin/lookups, so lists cannot have these names. */
const reservedNames = ['apply', 'plan'];
/** The name of a new list, whether it is created on its own or by a document. */
export const NewListName = ListName.refine(
  (name) => !reservedNames.includes(name),
  `is a reserved name: ${reservedNames.join(' and ')} are addresses of the service under /admin/lookups`,
);

export const ItemValue = text()
  .regex(new RegExp(`^${valuePattern}$`), 'must be UPPER_SNAKE_CASE')
  .max(longestName.value, 'must be at most 64 characters');

export const ListParams = z.object({ list: ListName.meta({ example: 'position' }) });
export const ItemParams = ListParams.extend({ value: ItemValue.meta({ example: 'ACCOUNTANT' }) });

export const Label = lineOfText(itemFields.label.most);

// -0 becomes 0, because -0 would never equal the value that the database returns.
const SortOrder = z
  .int('must be a whole number')
  .overwrite((order) => order || 0)
  .meta({ format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const CalendarDate = z.iso.date('must be a date like 2027-01-31');
/** Trimmed, because pipelines take the reason from the start of a commit message. */
export const Reason = lineOfText(500, text().trim()).optional();

const notALanguage = 'must be a language tag like de or pt-BR';
export const LanguageTag = z
  .string()
  .max(64, 'must be at most 64 characters')
  .refine((tag) => canonicalTag(tag) === tag, notALanguage)
  .refine(namesLanguage, notALanguage);

/** Keys that are left out do not change; null removes a key. `wrong` is the message if the value is not an object. */
function changesByKey<V extends z.ZodType>(key: z.ZodString, value: V, wrong: string) {
  return z.record(key, value.nullable(), wrong);
}

const Labels = z.record(LanguageTag, Label).meta({ maxProperties: mostLanguages });
export const LabelChanges = changesByKey(LanguageTag, Label, 'must map language tags to labels');

/** A tag, or the name of another system. */
export const MachineName = text()
  .regex(
    new RegExp(`^${machineNamePattern}$`),
    'must be letters, digits, ".", "_" and "-", beginning with a letter or digit',
  )
  .max(longestName.machine, 'must be at most 50 characters');

const Code = lineOfText(itemFields.codes.most);
const System = MachineName;
const Codes = z.record(System, Code).meta({
  description: 'What the item is called in other systems',
  example: { workday: 'JP-113' },
  maxProperties: mostOfItem.codes,
});
export const CodeChanges = changesByKey(System, Code, 'must map systems to codes');

/**
 * Stored sorted, so that sending the same entries in a different order is not a change. `ifEmpty` is the message if the
 * set is empty. Without it, an empty set is allowed.
 */
function sortedSet<S extends z.ZodType<string>>(entry: S, most: number, what: string, ifEmpty?: string) {
  return z
    .array(entry, `must be an array of ${what}`)
    .min(ifEmpty === undefined ? 0 : 1, ifEmpty)
    .max(most, `must have at most ${most} ${what}`)
    .refine((entries) => new Set(entries).size === entries.length, `must have no duplicate ${what}`)
    .overwrite((entries) => entries.toSorted())
    .meta({ uniqueItems: true });
}

const Tags = sortedSet(MachineName, 50, 'tags');
export const Description = lineOfText(itemFields.description.most);

/** The translations of a new list, and changes to the translations of an existing list. */
export const ListTexts = {
  titles: Labels,
  descriptions: z.record(LanguageTag, Description).meta({ maxProperties: mostLanguages }),
};
export const ListTextChanges = {
  titles: changesByKey(LanguageTag, Label, 'must map language tags to titles'),
  descriptions: changesByKey(LanguageTag, Description, 'must map language tags to descriptions'),
};

/**
 * Roles as the identity provider names them. An empty array could mean everybody or nobody, so it is refused. Null
 * means that the list has no roles of its own.
 */
export const Roles = sortedSet(exactLine(255), 50, 'roles', 'must have a role, or be null');

const ParentValues = sortedSet(
  ItemValue,
  200,
  'values',
  'must have a value, or be null to remove this list from the parents',
);
const Parents = z.record(ListName, ParentValues).meta({
  description:
    'Values of other lists, by list. Once a value of such a list is chosen, the item is offered only if that value is listed here',
  example: { country: ['AT', 'DE'] },
  maxProperties: mostOfItem.parents,
});
export const ParentChanges = changesByKey(ListName, ParentValues, 'must map lists to values');

/** The schema of each field of an item. Everything else about the fields is in rules/item.ts. */
export const itemShape = {
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
} satisfies { [F in FieldName]: z.ZodType<ItemState[F]> };
