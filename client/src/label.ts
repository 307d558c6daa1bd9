// Labels of stored values, a list at a time.
import type { ListName, LookupItem, StoredValue } from './types.ts';

type Lookup = (
  list: ListName,
  options: { include?: readonly string[]; language?: string | undefined },
) => Promise<LookupItem[]>;

/** That a list takes as `include`. */
const mostValues = 100;
/** What is no value of any list is not asked for: it would be refused, with the others of the request. */
const isValue = (text: string) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text) && text.length <= 64;

export function createLabel(lookup: Lookup) {
  /** Values to ask for together, by list and language, until the request is sent. */
  const batches = new Map<string, { include: Set<string>; items: Promise<LookupItem[]> }>();

  function loadWith(value: string, list: ListName, language: string | undefined): Promise<LookupItem[]> {
    const key = JSON.stringify([list, language]);
    let batch = batches.get(key);
    if (batch === undefined || batch.include.size === mostValues) {
      const include = new Set<string>();
      // Later, when everybody who waited for the plain list has added a value.
      const items = Promise.resolve().then(() => {
        if (batches.get(key)?.include === include) batches.delete(key);
        return lookup(list, { include: [...include], language });
      });
      batch = { include, items };
      batches.set(key, batch);
    }
    batch.include.add(value);
    return batch.items;
  }

  return async <List extends ListName>(
    list: List,
    value: StoredValue<List>,
    { language }: { language?: string | undefined } = {},
  ): Promise<string> => {
    const labelIn = (items: readonly LookupItem[]) => items.find((item) => item.value === value)?.label;
    const label = labelIn(await lookup(list, { language }));
    if (label !== undefined || !isValue(value)) return label ?? value;
    return labelIn(await loadWith(value, list, language)) ?? value;
  };
}
