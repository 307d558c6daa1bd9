// Adds the names of authors to their employee IDs. The function that finds names is passed in.
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';

/** Returns a name for each ID of a known person. Reads the names with the given connection or transaction. */
export type NamesOf = (db: Kysely<Tables>, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const noNames: NamesOf = async () => new Map();

/** The name is null for programs, the command line, and people who are unknown or were forgotten. */
export async function withNames<E extends { by: string }>(
  db: Kysely<Tables>,
  namesOf: NamesOf,
  entries: readonly E[],
): Promise<(E & { byName: string | null })[]> {
  const names = await namesOf(db, [...new Set(entries.map(({ by }) => by))]);
  return entries.map((entry) => ({ ...entry, byName: names.get(entry.by) ?? null }));
}
