// Combines requests for single rows that come at the same time into few queries.

/** As many values as fit into a statement of either engine. */
const mostKeys = 1024;

interface Batch<T> {
  keys: Set<string>;
  found: Promise<Map<string, T>>;
}

/**
 * One query at a time: requests that come while it runs share the next one. So no request gets a row that was read
 * before it came, a single request does not wait, and under load one query answers many. After a failed query, requests
 * are not queued until one succeeds: while the database is away, each fails at once.
 */
export function batchByKey<T>(
  find: (keys: readonly string[]) => Promise<Map<string, T>>,
): (key: string) => Promise<T | undefined> {
  let open: Batch<T> | undefined;
  let before: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function ask(keys: readonly string[]): Promise<Map<string, T>> {
    try {
      const found = await find(keys);
      isFailing = false;
      return found;
    } catch (error) {
      isFailing = true;
      throw error;
    }
  }

  function begin(): Batch<T> {
    const keys = new Set<string>();
    const batch: Batch<T> = {
      keys,
      found: before.then(() => {
        if (open === batch) open = undefined;
        return ask([...keys]);
      }),
    };
    const settled = () => {};
    before = batch.found.then(settled, settled);
    return batch;
  }

  return async (key) => {
    if (isFailing) return (await ask([key])).get(key);
    if (open === undefined || open.keys.size === mostKeys) open = begin();
    const { keys, found } = open;
    keys.add(key);
    return (await found).get(key);
  };
}
