// Keeping the lists: each change is one transaction that plans from what is there, checks the version the writer saw,
// and writes items, history and audit together.
import type { Kysely, Transaction } from 'kysely';
import { Problem } from '../http/problem.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { type Change, ChangeRefused, planDocument, planUndo } from './changes.ts';
import {
  type Author,
  boundHistory,
  changeLists,
  commitChanges,
  insertList,
  readHistory,
  readLists,
  type StoredList,
} from './lookup.queries.ts';
import type { LookupDocument, Plan } from './lookup.schema.ts';

export interface Keeper {
  /** Makes a list. */
  create(list: string, title: string, author: Author): Promise<StoredList>;
  /** Changes a list from the version the writer saw. */
  change(list: string, seenVersion: number, author: Author, plan: ListPlan): Promise<StoredList>;
  /** What applying this document would change. */
  plan(document: LookupDocument, now: Date): Promise<Plan>;
  /** Applies all of it or nothing. */
  apply(document: LookupDocument, author: Author): Promise<Plan>;
}

/** Plans from the list as it is inside the transaction. */
export type ListPlan = (list: StoredList, tx: Transaction<Tables>) => Change[] | Promise<Change[] | Undo>;

interface Undo {
  changes: Change[];
  restoredVersion: number;
}

/** The list as it was at a version. */
export function undoTo(version: number, now: Date): ListPlan {
  return async (list, tx) => {
    if (version > list.version) {
      throw new ChangeRefused('invalid', [{ field: 'version', message: `must be ${list.version} at most` }]);
    }
    const changes = planUndo(list, await readHistory(tx, list.list, { after: version }), now);
    return { changes, restoredVersion: version };
  };
}

export interface KeeperOptions {
  db: Db;
  /** For planning, which must not wait for anybody. */
  reads: Db;
  /** Writes the audit's row of a change, in its transaction. */
  audit: (tx: Transaction<Tables>, change: AuditedChange) => Promise<void>;
}

interface AuditedChange {
  list: string;
  version: number;
  /** Of an undo. */
  restoredVersion: number | undefined;
  author: Author;
}

export function createKeeper({ db, reads, audit }: KeeperOptions): Keeper {
  async function commit(
    tx: Transaction<Tables>,
    list: StoredList,
    changes: Change[],
    author: Author,
    restoredVersion?: number,
  ) {
    const after = await commitChanges(tx, list, changes, author, restoredVersion);
    await audit(tx, { list: after.list, version: after.version, restoredVersion, author });
    return after;
  }

  async function planLists(tx: Kysely<Tables>, document: LookupDocument, now: Date) {
    const names = Object.keys(document.lists);
    const stored = new Map((names.length === 0 ? [] : await readLists(tx, names)).map((list) => [list.list, list]));
    const faults: ChangeRefused['faults'] = [];
    const planned = Object.entries(document.lists).map(([name, wanted]) => {
      const existing = stored.get(name);
      const title = wanted.title ?? name;
      const list = existing ?? { list: name, title, version: 0, updatedAt: now.toISOString(), items: [] };
      if (existing === undefined && wanted.version !== undefined) {
        faults.push({ field: `lists.${name}.version`, message: 'There is no such list: leave the version out' });
      }
      let changes: Change[] = [];
      try {
        changes = planDocument(list, wanted, now);
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error;
        for (const { field, message } of error.faults) faults.push({ field: `lists.${name}.items.${field}`, message });
      }
      return { list, isNew: existing === undefined, changes };
    });
    if (faults.length > 0) throw new ChangeRefused('invalid', faults);
    for (const { list, changes } of planned) {
      const seen = document.lists[list.list]?.version;
      if (seen !== undefined && seen !== list.version && changes.length > 0) throw await conflict(tx, list, seen);
    }
    return planned;
  }

  return {
    create: (name, title, author) =>
      changeLists(db, async (tx) => {
        const [existing] = await readLists(tx, [name]);
        if (existing !== undefined) {
          throw new ChangeRefused('exists', [{ field: 'list', message: 'is the name of a list already' }]);
        }
        await insertList(tx, name, title, author.at);
        const list = { list: name, title, version: 0, updatedAt: author.at.toISOString(), items: [] };
        return commit(tx, list, [], author);
      }),
    change: (name, seenVersion, author, plan) =>
      changeLists(db, async (tx) => {
        const list = await expectList(tx, name);
        if (list.version !== seenVersion) throw await conflict(tx, list, seenVersion);
        const planned = await plan(list, tx);
        const { changes, restoredVersion } = Array.isArray(planned) ? { changes: planned } : planned;
        return changes.length === 0 ? list : commit(tx, list, changes, author, restoredVersion);
      }),
    plan: async (document, now) => describe(await planLists(reads, document, now)),
    apply: (document, author) =>
      changeLists(db, async (tx) => {
        const planned = await planLists(tx, document, author.at);
        for (const { list, isNew, changes } of planned) {
          if (isNew) await insertList(tx, list.list, list.title, author.at);
          if (isNew || changes.length > 0) await commit(tx, list, changes, author);
        }
        return describe(planned);
      }),
  };
}

/** In a conflict: the newest. The history has the others. */
const mostVersions = 50;

/** With what has happened since, for whoever has to decide again. */
async function conflict(tx: Kysely<Tables>, { list, version }: StoredList, seen: number): Promise<Problem> {
  const changes = boundHistory(await readHistory(tx, list, { after: seen, limit: mostVersions }));
  const leftOut = version - seen - changes.length;
  const extension = { list, version, changes, ...(leftOut > 0 && { versionsLeftOut: leftOut }) };
  return new Problem('version-conflict', { extension });
}

async function expectList(tx: Transaction<Tables>, name: string): Promise<StoredList> {
  const [list] = await readLists(tx, [name]);
  if (list === undefined) throw new Problem('not-found');
  return list;
}

function describe(planned: { list: StoredList; isNew: boolean; changes: Change[] }[]): Plan {
  const changes = planned.flatMap(({ list: { list, title }, isNew, changes }): Plan['changes'] => [
    ...(isNew ? [{ list, value: null, kind: 'list' as const, before: null, after: { title } }] : []),
    ...changes.map((change) => ({
      list,
      value: change.value,
      kind: kindOf(change),
      before: change.before,
      after: change.after,
    })),
  ]);
  return { changes };
}

function kindOf({ value, before, after }: Change): Plan['changes'][number]['kind'] {
  if (value === null) return 'title';
  if (before === null) return 'add';
  if (before.status === after.status) return 'change';
  return after.status === 'retired' ? 'retire' : 'restore';
}
