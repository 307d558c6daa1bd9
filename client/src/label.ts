// Finds labels of stored values. Simultaneous calls share requests.
import type { ListName, LookupItem, StoredValue } from './types.ts';

type Lookup = (
  list: ListName,
  options: { include?: readonly string[]; language?: string | undefined },
) => Promise<LookupItem[]>;

/** Maximum number of values in `include`. */
const maxValues = 100;
/** Text that cannot be a value is not requested, because the whole request would fail. */
const isValue = (text: string) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text) && text.length <= 64;

export function createLabel(lookup: Lookup) {
  /** Values to request together, by list and language, until the request is sent. */
  const batches = new Map<string, { include: Set<string>; items: Promise<LookupItem[]> }>();

  function loadWith(value: string, list: ListName, language: string | undefined): Promise<LookupItem[]> {
    const key = JSON.stringify([list, language]);
    let batch = batches.get(key);
    if (batch === undefined || batch.include.size === maxValues) {
      const include = new Set<string>();
      // Sent later, when all callers that waited for the plain list have added their values.
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
