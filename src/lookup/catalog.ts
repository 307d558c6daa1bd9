// The lists in memory, each prepared once: a request finds its bytes by name and never waits for the database.
import { type PreparedDocument, prepareDocument } from '../http/document.ts';
import type { Db } from '../storage/storage.ts';
import { readLists } from './lookup.queries.ts';

export interface Catalog {
  find(list: string): PreparedDocument | undefined;
}

export async function loadCatalog(db: Db): Promise<Catalog> {
  const prepared = new Map<string, PreparedDocument>();
  for (const [name, items] of await readLists(db)) {
    prepared.set(
      name,
      prepareDocument(JSON.stringify(items), {
        'Content-Type': 'application/json',
        // Each person's browser may keep it, and asks each time whether it is still right.
        'Cache-Control': 'private, no-cache',
        Vary: 'Accept-Encoding, Accept-Language',
      }),
    );
  }
  return { find: (list) => prepared.get(list) };
}
