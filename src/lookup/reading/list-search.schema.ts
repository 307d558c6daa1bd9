// The search over all lists.
import { z } from 'zod';
import { numberParameter } from '../../http/route.ts';
import { searchTerms } from '../rules/search.ts';
import { ItemValue, ListName } from '../stored/fields.schema.ts';

export const SearchQuery = z.object({
  q: z
    .string('must be given once, with the words to search for')
    .max(100, 'must be at most 100 characters')
    .refine((words) => searchTerms(words).length > 0, 'must have a word to search for')
    .meta({
      description:
        'The words to search for. Each must be the start of a word in the text found, ignoring case and accents. In scripts without spaces, a word may be anywhere in the text',
      minLength: 1,
      example: 'acc',
    }),
  limit: numberParameter(1, 100)
    .default(30)
    .meta({ description: 'Maximum number of lists, and maximum number of items' }),
});

const title = z.string();

export const SearchResult = z
  .strictObject({
    lists: z
      .array(
        z
          .strictObject({
            list: ListName,
            title,
            match: z.string().meta({ description: 'The text that matched: title, name or translation of the title' }),
          })
          .meta({ id: 'FoundList' }),
      )
      .meta({ description: 'Lists whose title, in any language, or name matches' }),
    items: z.array(
      z
        .strictObject({
          list: ListName,
          title: title.meta({ description: 'The title of the list' }),
          value: ItemValue,
          label: z.string(),
          match: z.string().meta({ description: 'The text that matched: label, value, translation or code' }),
          status: z.enum(['active', 'retired']),
        })
        .meta({ id: 'FoundItem' }),
    ),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof SearchResult>;
