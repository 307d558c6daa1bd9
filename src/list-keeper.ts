// Where lists and audit meet: every change of a list is written down with who made it.
import { writeAudit } from './auth/audit.ts';
import { defaultListsBut } from './lookup/default-lists.ts';
import { plannedHere } from './lookup/documents/plan-document.ts';
import { createKeeper, type Keeper } from './lookup/keeper.ts';
import { readVersions } from './lookup/lookup.queries.ts';
import type { Db, Storage } from './storage/storage.ts';

export function createListKeeper({ db, reads }: Pick<Storage, 'db' | 'reads'>): Keeper {
  return createKeeper({
    db,
    reads,
    audit: (tx, { list, version, restoredVersion, author: { by: person, at, session, address, requestId } }) => {
      const undo = restoredVersion === undefined ? '' : `, restoring version ${restoredVersion}`;
      const detail = `${list} version ${version}${undo}`;
      return writeAudit(tx, { type: 'list-changed', person, detail, session, address, requestId }, at);
    },
  });
}

/** On a new database the lists of `lookups/`; one that is there is left as it is. */
export async function addDefaultLists(keeper: Keeper, db: Db, now: Date): Promise<void> {
  const missing = defaultListsBut(new Set((await readVersions(db)).keys()));
  if (missing === undefined) return;
  await keeper.apply(plannedHere(missing), { by: 'Frontdesk', reason: 'default lists', at: now });
}
