// Lists in the database of the service.

import { createListChanges, undoTo } from '../lookup/changing/list-changes.ts';
import type { Plan } from '../lookup/changing/lookup-document.schema.ts';
import { type PlannableDocument, plannedHere } from '../lookup/changing/plan-document.ts';
import { readHistory } from '../lookup/history/history.queries.ts';
import { ChangeRefused } from '../lookup/rules/change.ts';
import { findVersion, readLists } from '../lookup/stored/list.queries.ts';
import type { Storage } from '../storage/storage.ts';
import type { ShownPlan } from './describe-changes.ts';
import type { DocumentFile, KeptLists } from './lookups.ts';

export function storedLists(storage: Pick<Storage, 'db' | 'reads' | 'longWrites'>, by: string): KeptLists {
  const { db } = storage;
  const changes = createListChanges(storage);
  const authorWith = (reason: string | undefined) => ({ by, reason, at: new Date(), mayKeepAll: true });
  return {
    read: (names) => readLists(db, names),
    plan: (file) => withFilePositions(file, (document) => changes.plan(document, authorWith(undefined))),
    apply: (file, reason, onPlanned) =>
      withFilePositions(file, (document) => changes.apply(document, authorWith(reason), onPlanned)),
    findVersion: (list) => findVersion(db, list),
    history: (list, limit) => readHistory(db, list, limit),
    async undo(list, seen, to, reason) {
      const author = authorWith(reason);
      return (await changes.change(list, seen, author, undoTo(to, author.at))).version;
    },
  };
}

/** If comparing the file with the lists finds faults, adds their positions in the file. */
async function withFilePositions(
  file: DocumentFile,
  act: (document: PlannableDocument<Plan>) => Promise<Plan>,
): Promise<ShownPlan> {
  try {
    return await act(plannedHere(file.document));
  } catch (error) {
    throw error instanceof ChangeRefused ? file.locate(error.faults) : error;
  }
}
