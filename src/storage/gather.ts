// Many who each want one row, served by few queries.

/** So many values fit into a statement of either engine. */
const mostKeys = 1000;

interface Batch<T> {
  keys: Set<string>;
  found: Promise<Map<string, T>>;
}

/**
 * One query at a time: who comes while it is under way shares the next one. So nobody gets a row from before they
 * asked, somebody alone waits for nobody, and under load a query is shared by as many as there are.
 */
export function gather<T>(
  find: (keys: readonly string[]) => Promise<Map<string, T>>,
): (key: string) => Promise<T | undefined> {
  let open: Batch<T> | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function begin(): Batch<T> {
    const keys = new Set<string>();
    const batch: Batch<T> = {
      keys,
      found: before.then(() => {
        if (open === batch) open = undefined;
        return find([...keys]);
      }),
    };
    before = batch.found.catch(() => 'told to those who asked');
    return batch;
  }

  return async (key) => {
    if (open === undefined || open.keys.size === mostKeys) open = begin();
    const { keys, found } = open;
    keys.add(key);
    return (await found).get(key);
  };
}
