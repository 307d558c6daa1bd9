// The lists of a new installation.
import document from '../../../lookups/default.yaml';
import { frontdesk } from '../../audit/audit.ts';
import type { Db } from '../../storage/storage.ts';
import { readVersions } from '../stored/list.queries.ts';
import type { ListChanges } from './list-changes.ts';
import { LookupDocument } from './lookup-document.schema.ts';
import { plannedHere } from './plan-document.ts';

/** Adds the lists of `lookups/` that are missing. Existing lists stay as they are. */
export async function addDefaultLists(listChanges: ListChanges, db: Db, now: Date): Promise<void> {
  const existing = await readVersions(db);
  const missing = Object.entries<unknown>(document.lists).filter(([name]) => !existing.has(name));
  if (missing.length === 0) return;
  const defaults = LookupDocument.parse({ lists: Object.fromEntries(missing) });
  const author = { by: frontdesk, reason: 'default lists', at: now, mayKeepAll: true };
  await listChanges.apply(plannedHere(defaults), author);
}
