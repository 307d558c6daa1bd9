// Many who each want one row, served by few queries.

/** So many values fit into a statement of either engine. */
const mostKeys = 1024;

interface Batch<T> {
  keys: Set<string>;
  found: Promise<Map<string, T>>;
}

/**
 * One query at a time: who comes while it is under way shares the next one. So nobody gets a row from before they
 * asked, somebody alone waits for nobody, and under load a query is shared by as many as there are. Once a query has
 * failed, nobody waits for another's any more, until one goes well: whoever knows that the database is away says so at once.
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
