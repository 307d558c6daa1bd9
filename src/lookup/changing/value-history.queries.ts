// The history of one value. Of each version only the text of its change is read: a version can have changed fifty thousand.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, positionIn } from '../../storage/storage.ts';
import { Change } from './change.ts';
import { inGroups, type PageEntry, readSizes } from './history.queries.ts';
import { firstChangeText, startOfChange } from './stored-changes.ts';

/** Of the text of a change, at the first reading. Most have some hundreds. */
const charactersRead = 16_384;

/** These versions, newest first, each with the change of this value alone. */
export async function readValueHistory(
  db: Db,
  list: string,
  value: string,
  versions: readonly number[],
): Promise<PageEntry[]> {
  const entries: PageEntry[] = [];
  if (versions.length === 0) return entries;
  for (const group of inGroups(await readSizes(db, list, (sizes) => sizes.where('version', 'in', versions)))) {
    entries.push(...(await readGroup(db, list, value, group, charactersRead)));
    // SQLite works in this thread, and looks through megabytes.
    await nextTurn();
  }
  return entries;
}

async function readGroup(
  db: Db,
  list: string,
  value: string,
  versions: readonly number[],
  characters: number,
): Promise<PageEntry[]> {
  const start = startOfChange(value);
  const rows = await db
    .selectFrom('lookup_history')
    .select(['version', 'at', 'by', 'reason', 'restored_version'])
    .select(sql<string>`substr(changes, ${positionIn(db, 'changes', start)}, ${sql.lit(characters)})`.as('text'))
    .where('list', '=', list)
    .where('version', 'in', versions)
    .orderBy('version', 'desc')
    .execute();
  const entries: PageEntry[] = [];
  for (const { version, at, by, reason, restored_version, text } of rows) {
    if (!text.startsWith(start)) throw new Error(`version ${version} of ${list} has no change of ${value}`);
    const change = firstChangeText(text, characters);
    if (change === undefined) {
      entries.push(...(await readGroup(db, list, value, [version], characters * 16)));
      continue;
    }
    const restored = restored_version !== null && { restoredVersion: restored_version };
    entries.push({ version, at, by, reason, ...restored, changes: [Change.parse(JSON.parse(change))] });
  }
  return entries;
}
