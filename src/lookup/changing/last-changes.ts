// The last change of each value of a list, as JSON, made in slices: a list may have fifty thousand.
import type { Db } from '../../storage/storage.ts';
import { type NamesOf, withNames } from '../author-names.ts';
import type { LastChanges } from '../list-history.schema.ts';
import { Pauses } from '../pauses.ts';
import { readLastChanges } from './changed-value.queries.ts';
import { readAuthors } from './history.queries.ts';

export async function lastChangesText(db: Db, list: string, namesOf: NamesOf): Promise<string> {
  const pauses = new Pauses();
  const changes = await readLastChanges(db, list);
  const numbers = [...new Set(changes.values())].sort((a, b) => b - a);
  const versions: LastChanges['versions'] = await withNames(db, namesOf, await readAuthors(db, list, numbers));
  const values = await pauses.map([...changes], ([value, version]) => `${JSON.stringify(value)}:${version}`);
  return `{"versions":${JSON.stringify(versions)},"values":{${values.join(',')}}}`;
}
