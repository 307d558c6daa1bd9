// The fields that lists and items are made of: names, values, labels, dates, and what each must be.
import { z } from 'zod';

/** A missing field is reported as missing, not as having the wrong type. */
const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') });

export const ListName = text()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(64, 'must be 64 characters at most');

/** Path segments that take the place of `{list}` under /admin/lookups. */
const reservedNames = ['apply', 'plan'];
/** The name of a new list, created alone or by a document. */
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
export const Label = text()
  .refine((label) => visible.test(label) && label.trim() === label, 'must be visible text, without blanks around it')
  .refine((label) => !/\p{Cc}/u.test(label) && label.isWellFormed(), 'must have no control characters')
  .refine((label) => !/[\p{Zl}\p{Zp}]/u.test(label), 'must have no line separators')
  .refine((label) => !/\p{Noncharacter_Code_Point}/u.test(label), 'must have no noncharacters')
  .refine(isBidiPaired, 'must have direction controls (Unicode bidirectional) in pairs only')
  .refine((label) => Array.from(label).length <= 200, 'must be 200 characters at most')
  .meta({ minLength: 1, maxLength: 200 });

// -0 becomes 0: it would never equal what the database returns.
export const SortOrder = z
  .int('must be a whole number')
  .overwrite((order) => order || 0)
  .meta({ format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const CalendarDate = z.iso.date('must be a date like 2027-01-31');
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

export const Labels = z.record(LanguageTag, Label);
/** Languages that are left out stay; null removes one. */
export const LabelChanges = z.record(LanguageTag, Label.nullable(), 'must be labels by language');

/** Unicode Standard Annex 9: an unclosed direction control would also affect the text after it, in other applications' pages. */
function isBidiPaired(label: string): boolean {
  const open: string[] = [];
  for (const sign of label) {
    if (/[\u202a\u202b\u202d\u202e]/.test(sign)) open.push('\u202c');
    else if (/[\u2066-\u2068]/.test(sign)) open.push('\u2069');
    else if (/[\u202c\u2069]/.test(sign) && open.pop() !== sign) return false;
  }
  return open.length === 0;
}
