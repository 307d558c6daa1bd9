// The query parameters of a list.
import { z } from 'zod';
import { numberParameter } from '../../http/route.ts';
import { extraFields } from '../rules/item.ts';
import { listNamePattern, valuePattern } from '../rules/names.ts';
import { searchTerms } from '../rules/search.ts';
import type { Selection } from '../rules/selection.ts';
import { ItemValue, MachineName } from '../stored/fields.schema.ts';

/** A parameter that may be repeated. */
function several<S extends z.ZodType>(entry: S, most: number, split: (text: string) => string[] = (text) => [text]) {
  const entries = (given: unknown) =>
    [given].flat().flatMap((each) => (typeof each === 'string' ? split(each) : [each]));
  return z.preprocess(
    (given) => (given === undefined ? undefined : entries(given)),
    z.array(entry).max(most, `must have at most ${most} values`).optional(),
  );
}

const once = (what: string) => z.string(`must be given once, with ${what}`);
const isNameAndText = (text: string) => {
  const [system = '', ...rest] = text.split(':');
  return MachineName.safeParse(system).success && rest.join(':') !== '';
};

const parameters = z.looseObject({
  include: several(ItemValue, 100).meta({
    description:
      'A value to show even if it is retired, not valid on that day, filtered out or beyond the limit. May be repeated',
  }),
  asOf: z.iso
    .date('must be one date like 2027-01-31')
    .optional()
    .meta({ description: 'The list on that day (UTC). For a past day, as it was at the end of that day' }),
  fields: several(z.enum(extraFields), 20, (text) => text.split(',')).meta({
    description:
      'Additional fields, always present if requested. `parents` contains only lists that you may read. May be repeated, or separated by commas',
  }),
  where: several(
    z
      .string()
      .regex(new RegExp(`^${listNamePattern}:${valuePattern}$`), 'must be a list and a value, like country:DE')
      .max(129, 'must be at most 129 characters'),
    100,
  ).meta({
    description:
      'A value that was chosen from another list: leaves out items that are offered only with other values of that list. You must be allowed to read that list. A replaced value counts as its replacement, both here and in the items. May be repeated: an item must fit one of the chosen values of each list',
  }),
  tag: several(MachineName, 20).meta({
    description: 'Only items with this tag; if repeated, only items with all of these tags',
  }),
  code: once('a system and its code, like workday:JP-113')
    .max(151, 'must be at most 151 characters')
    .refine(isNameAndText, 'must be a system and its code, like workday:JP-113')
    .optional()
    // The example is in the description, because the API page would send an `example` as the value.
    .meta({ description: 'Only the item that has this code in that system, like workday:JP-113' }),
  q: once('the words to search for').max(100, 'must be at most 100 characters').optional().meta({
    description:
      'Only items whose label has a word starting with each of these words, ignoring case and accents. In scripts without spaces, a word may be anywhere in the label',
  }),
  limit: numberParameter(1, 1000).optional().meta({ description: 'Maximum number of items' }),
});

const plainly = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Unknown parameters are ignored, but a misspelled one, such as `as_of`, is refused. */
export const SelectionQuery = Object.keys(parameters.shape).reduce((schema, name) => {
  const findMisspelled = (query: unknown) =>
    Object.keys(Object(query)).find((given) => given !== name && plainly(given) === plainly(name));
  return schema.refine((query) => findMisspelled(query) === undefined, {
    path: [name],
    error: ({ input }) => `must be written ${name}, not ${findMisspelled(input)}`,
    when: () => true,
  });
}, parameters);

const sorted = <T extends string>(entries: readonly T[] = []) => [...new Set(entries)].sort();

/** Returns undefined if none of these parameters is given, which means that the plain list is requested. */
export function selectionFrom(query: z.infer<typeof SelectionQuery> | undefined): Selection | undefined {
  if (query === undefined) return undefined;
  const { include, asOf, fields, where, tag, code, q, limit } = query;
  const terms = searchTerms(q ?? '');
  const asked = [include, asOf, fields, where, tag, code, limit, terms.length > 0 || undefined];
  if (asked.every((part) => part === undefined)) return undefined;
  return {
    asOf,
    include: sorted(include),
    fields: extraFields.filter((field) => fields?.includes(field)),
    where: sorted(where),
    tags: sorted(tag),
    // Codes are stored in this normal form.
    code: code?.normalize('NFC'),
    terms,
    limit,
  };
}
