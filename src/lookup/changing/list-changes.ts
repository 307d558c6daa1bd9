// Changes lists. Each change is written in one transaction, with its history and audit rows. It is refused if the list has
// changed since the version that the writer saw.
import type { Kysely, Transaction } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import { Problem } from '../../http/problem.ts';
import { changeInTurn } from '../../storage/revisions.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { type NamesOf, noNames, withNames } from '../history/author-names.ts';
import { historyText, readHistoryPage, readPast, type StoredEntry } from '../history/history.queries.ts';
import type { Catalog } from '../reading/catalog.ts';
import { type Change, ChangeRefused, refuseFaults } from '../rules/change.ts';
import { type GivenSettings, noSettings } from '../rules/list.ts';
import { changesRights, planGivenSettings, settingsFaults } from '../rules/list-settings.ts';
import { type MayName, withReadableChanges } from '../rules/readable-parents.ts';
import { findList, readLists, readVersions, type StoredList } from '../stored/list.queries.ts';
import type { Plan } from './lookup-document.schema.ts';
import { findValues } from './parent.queries.ts';
import { countChildren } from './parents.ts';
import type { PlanBytes, PlannableDocument, PlannedDocument } from './plan-document.ts';
import { planUndo } from './planning.ts';
import { type Author, commitChanges, findNextId, writeVersions } from './version.queries.ts';
import type { VersionRows } from './version-rows.ts';

export interface ListChanges {
  create(list: string, settings: GivenSettings & { title: string }, author: Author): Promise<StoredList>;
  /** Refused if the list has changed since the version the writer saw. */
  change(list: string, seenVersion: number, author: Author, plan: ListPlan): Promise<StoredList>;
  /** Returns what applying this document would change. */
  plan<A extends Answer>(
    document: PlannableDocument<A>,
    author: Pick<Author, 'at' | 'mayKeepAll' | 'mayName'>,
  ): Promise<A>;
  /** Applies the whole document or nothing, and returns what changed. `onPlanned` is called before each attempt to write. */
  apply<A extends Answer>(document: PlannableDocument<A>, author: Author, onPlanned?: (answer: A) => void): Promise<A>;
  /** Counts the active items of other lists that have this value as a parent. */
  countChildren(list: string, value: string): Promise<number>;
}

type Answer = Plan | PlanBytes;

/** Plans the changes from the list as the transaction sees it. */
export type ListPlan = (list: StoredList, tx: Transaction<Tables>) => Change[] | Promise<Change[] | Undo>;

interface Undo {
  changes: Change[];
  restoredVersion: number;
}

/** Plans a return to an earlier version. */
export function undoTo(version: number, now: Date): ListPlan {
  return async (list, tx) => {
    if (version > list.version) {
      throw new ChangeRefused('invalid', [{ field: 'version', message: `must be at most ${list.version}` }]);
    }
    const changes = planUndo(list, await readPast(tx, list.list, version), now);
    return { changes, restoredVersion: version };
  };
}

/** Returns the history entry that an audit row refers to. The detail of the row names it. */
export function changeOf(detail: string): { list: string; version: number } {
  const [, list = '', version] = /^(\S+) version (\d+)/.exec(detail) ?? [];
  return { list, version: Number(version) };
}

/** Writes the audit row of a change, in the same transaction. */
function auditChange(
  tx: Transaction<Tables>,
  entry: StoredEntry,
  { by: actor, at, session, address, requestId }: Author,
): void {
  const { list, version, restored_version } = entry;
  const undo = restored_version === null ? '' : `, restoring version ${restored_version}`;
  const detail = `${list} version ${version}${undo}`;
  // On the command line, nobody is signed in.
  const person = session === undefined ? undefined : actor;
  const covers = historyText(entry);
  writeAudit(tx, { type: 'list-changed', person, actor, detail, session, address, requestId, covers }, at);
}

/**
 * Planning uses `reads`, which never waits for writers. Changes queue on `longWrites`, separately from other writes.
 */
export function createListChanges(
  { longWrites: db, reads }: Pick<Storage, 'longWrites' | 'reads'>,
  namesOf: NamesOf = noNames,
  catalog?: Pick<Catalog, 'get' | 'all'>,
): ListChanges {
  const allLists = async (source: Kysely<Tables>) => catalog?.all() ?? readLists(source);

  async function commit(
    tx: Transaction<Tables>,
    list: StoredList,
    changes: Change[],
    author: Author,
    restoredVersion?: number,
  ) {
    if (!author.mayKeepAll && (list.version === 0 || changesRights(changes))) throw new Problem('forbidden');
    const { after, entries } = await commitChanges(tx, list, changes, author, restoredVersion);
    for (const entry of entries) auditChange(tx, entry, author);
    return after;
  }

  async function planFrom<A extends Answer>(
    source: Kysely<Tables>,
    document: PlannableDocument<A>,
    { at, mayKeepAll, mayName }: Pick<Author, 'at' | 'mayKeepAll' | 'mayName'>,
  ): Promise<PlannedDocument<A>> {
    const stored = document.names.length === 0 ? [] : await readLists(source, document.names);
    const names = new Set(document.names);
    const others = (await allLists(source)).filter(({ list }) => !names.has(list));
    const planned = await document.plan(stored, {
      known: await findValues(source, document.parents, mayName),
      readable: mayName && new Set([...(await readVersions(source)).keys()].filter(mayName)),
      children: await countChildren(others, names),
      firstId: await findNextId(source),
      now: at,
    });
    const { outdated } = planned;
    if (planned.changesRights && !mayKeepAll) throw new Problem('forbidden');
    if (outdated !== undefined) throw await conflict(source, namesOf, outdated, outdated.seen, mayName);
    return planned;
  }

  /** Writes what was planned. Writes nothing and returns false if the plan is outdated. */
  async function write(tx: Transaction<Tables>, rows: VersionRows, author: Author): Promise<boolean> {
    const versions = await readVersions(tx);
    if (rows.from.some(({ list, version }) => (versions.get(list) ?? 0) !== version)) return false;
    if (rows.added.length > 0 && rows.firstId !== (await findNextId(tx))) return false;
    for (const entry of await writeVersions(tx, rows, author)) auditChange(tx, entry, author);
    return true;
  }

  return {
    create: (name, settings, author) =>
      changeInTurn(db, 'lists', async (tx) => {
        if ((await findList(tx, name)) !== undefined) {
          throw new ChangeRefused('exists', [{ field: 'list', message: 'Already exists' }]);
        }
        const { title } = settings;
        const updatedAt = author.at.toISOString();
        const list = { list: name, ...noSettings, title, version: 0, updatedAt, items: [] };
        refuseFaults(settingsFaults(list, settings));
        return commit(tx, list, planGivenSettings(list, settings), author);
      }),
    change: (name, seenVersion, author, plan) =>
      changeInTurn(db, 'lists', async (tx) => {
        const list = await findList(tx, name, catalog?.get(name));
        if (list === undefined) throw new ChangeRefused('not-found');
        if (list.version !== seenVersion) throw await conflict(tx, namesOf, list, seenVersion, author.mayName);
        const planned = await plan(list, tx);
        const { changes, restoredVersion } = Array.isArray(planned) ? { changes: planned } : planned;
        return changes.length === 0 ? list : commit(tx, list, changes, author, restoredVersion);
      }),
    plan: async (document, author) => (await planFrom(reads, document, author)).answer,
    async apply(document, author, onPlanned = () => undefined) {
      // Plans outside the transaction, without blocking writers, and plans again if a list has changed in the meantime.
      for (let tries = 0; tries < 3; tries++) {
        const { answer, rows } = await planFrom(reads, document, author);
        if (rows === undefined) return answer;
        onPlanned(answer);
        if (await changeInTurn(db, 'lists', (tx) => write(tx, rows, author))) return answer;
      }
      // As a last resort, plans inside the transaction while other writers wait.
      return changeInTurn(db, 'lists', async (tx) => {
        const { answer, rows } = await planFrom(tx, document, author);
        if (rows === undefined) return answer;
        onPlanned(answer);
        await write(tx, rows, author);
        return answer;
      });
    },
    countChildren: async (list, value) =>
      (await countChildren(await allLists(reads), new Set([list]))).get(list)?.get(value) ?? 0,
  };
}

/** Maximum number of versions that a conflict lists, newest first. The history contains the rest. */
const mostVersions = 50;

/** Builds the problem. It includes the changes since the version that the writer saw, so that the writer can decide again. */
async function conflict(
  tx: Kysely<Tables>,
  namesOf: NamesOf,
  { list, version }: Pick<StoredList, 'list' | 'version'>,
  seen: number,
  mayName: MayName = () => true,
): Promise<Problem> {
  const found = await readHistoryPage(tx, list, { after: seen, limit: mostVersions });
  const page = found.map(({ later: _, ...entry }) => entry);
  const changes = await withNames(tx, namesOf, withReadableChanges(page, mayName));
  const leftOut = version - seen - changes.length;
  const extension = { list, version, changes, ...(leftOut > 0 && { versionsLeftOut: leftOut }) };
  return new Problem('version-conflict', { extension });
}
