// Names beside the employee IDs of those who changed lists. Who they are, this area does not know: it is told.
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';

/** The names of those among these who are known, from this database or this transaction. */
export type NamesOf = (db: Kysely<Tables>, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const noNames: NamesOf = async () => new Map();

/** Null: a program, the command line, somebody who is not known or was forgotten. */
export async function withNames<E extends { by: string }>(
  db: Kysely<Tables>,
  namesOf: NamesOf,
  entries: readonly E[],
): Promise<(E & { byName: string | null })[]> {
  const names = await namesOf(db, [...new Set(entries.map(({ by }) => by))]);
  return entries.map((entry) => ({ ...entry, byName: names.get(entry.by) ?? null }));
}
