// Options of a request for a list.
import type { LoadOptions } from './load.ts';
import type { ItemFields, ListName, ListValue, LookupItem, StoredValue } from './types.ts';

export interface LookupOptions<Field extends keyof ItemFields = never> extends LoadOptions {
  /** Values to include even if they are retired or excluded by the options below, such as those that a form has stored. */
  include?: readonly string[] | undefined;
  /** The list on this day, such as 2027-01-31. */
  asOf?: string | undefined;
  /** Only items offered with these values of other lists: `{ country: 'DE' }`. Undefined or empty values do not count. */
  where?: { readonly [List in ListName]?: StoredValue<List> | readonly StoredValue<List>[] | undefined } | undefined;
  /** Only items with this tag, or with all of these tags. */
  tag?: string | readonly string[] | undefined;
  /** Only the item with this code in another system: `{ workday: 'JP-113' }`. */
  code?: Readonly<Record<string, string>> | undefined;
  /** Only items where each word of this text is the beginning of a word in the label. */
  q?: string | undefined;
  /** Maximum number of items, from 1 to 1000. */
  limit?: number | undefined;
  /** Additional fields of the items. */
  fields?: readonly Field[] | undefined;
}

/** An item of a list, with the requested `fields`. */
export type ListItem<List extends string, Field extends keyof ItemFields = never> = [Field] extends [never]
  ? LookupItem<ListValue<List>>
  : LookupItem<ListValue<List>> & Pick<ItemFields, Field>;

/**
 * The lists whose changes may affect the answer. They include the lists in `where`, because a replaced value counts as
 * its replacement.
 */
export const listsOf = (list: string, { where }: Pick<LookupOptions, 'where'>) => [list, ...Object.keys(where ?? {})];

/** Data loaded for one scope is not shown for another scope, where values would be wrong or fields missing. */
export const scopeOf = ({ where, tag, code, fields }: LookupOptions<keyof ItemFields>) => ({
  where,
  tag,
  code,
  fields,
});
