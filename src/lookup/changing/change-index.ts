// Fills the table of changed values with versions that were written without it: before it existed, or by an older replica.
import type { Storage } from '../../storage/storage.ts';
import { createTurns } from '../in-turn.ts';
import { Pauses } from '../pauses.ts';
import { readChangeTexts, readVersionSizes } from '../reading/past.queries.ts';
import { addChangedValues, findNotIndexed, setIndexed } from './changed-value.queries.ts';
import { changeTexts, parseChanges } from './stored-changes.ts';
import { changedValues } from './version-rows.ts';

/**
 * Resolves once nothing is left to do. Several replicas may do it at the same time: rows that are there stay. What is done is
 * noted, so that the next start goes on from there.
 */
export function createChangeIndex({
  longWrites: db,
  reads,
}: Pick<Storage, 'longWrites' | 'reads'>): () => Promise<void> {
  async function fill(list: string, indexed: number, upTo: number): Promise<void> {
    const pauses = new Pauses();
    for (let done = indexed; done < upTo; ) {
      const page = await readVersionSizes(reads, list, done, upTo);
      for (const { version } of page) {
        const [entry] = await readChangeTexts(reads, list, version, version);
        const changes = await parseChanges(changeTexts(entry?.changes ?? '[]'), pauses);
        await addChangedValues(db, [await changedValues(list, version, changes, pauses)]);
      }
      done = page.at(-1)?.version ?? upTo;
      await setIndexed(db, list, done);
    }
  }

  const inTurn = createTurns();
  return () =>
    inTurn(async () => {
      for (const { name, indexed, version } of await findNotIndexed(reads)) await fill(name, indexed, version);
    });
}
