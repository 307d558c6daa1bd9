// What a list may be asked for.
import type { LoadOptions } from './load.ts';
import type { ItemFields, ListName, ListValue, LookupItem, StoredValue } from './types.ts';

export interface LookupOptions<Field extends keyof ItemFields = never> extends LoadOptions {
  /** Values to include although they are retired, or left out by what is below: those a form has stored. */
  include?: readonly string[] | undefined;
  /** The list of that day, like 2027-01-31. */
  asOf?: string | undefined;
  /** Only what is offered with these values of other lists: `{ country: 'DE' }`. What is undefined or empty does not count. */
  where?: { readonly [List in ListName]?: StoredValue<List> | readonly StoredValue<List>[] | undefined } | undefined;
  /** Only items with this tag, or with all of these. */
  tag?: string | readonly string[] | undefined;
  /** Only the item with this code of a system: `{ workday: 'JP-113' }`. */
  code?: Readonly<Record<string, string>> | undefined;
  /** Only items whose label has words that begin like these. */
  q?: string | undefined;
  /** So many at most, from 1 to 1000. */
  limit?: number | undefined;
  /** What else the items have. */
  fields?: readonly Field[] | undefined;
}

/** An item of a list, with what `fields` asked for. */
export type ListItem<List extends string, Field extends keyof ItemFields = never> = [Field] extends [never]
  ? LookupItem<ListValue<List>>
  : LookupItem<ListValue<List>> & Pick<ItemFields, Field>;

/** The lists whose changes may change the answer: `where` follows the replacements of parents. */
export const listsOf = (list: string, { where }: Pick<LookupOptions, 'where'>) => [list, ...Object.keys(where ?? {})];

/** What was loaded for one of these is not shown for another: its values would be wrong there, or without their fields. */
export const scopeOf = ({ where, tag, code, fields }: LookupOptions<keyof ItemFields>) => ({
  where,
  tag,
  code,
  fields,
});
