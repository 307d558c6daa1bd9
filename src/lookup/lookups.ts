// The lists as this process serves them: in memory, with the stream of their changes.
import document from '../../lookups/default.yaml';
import { frontdesk } from '../audit/audit.ts';
import type { AuthenticationNeed } from '../config/config.ts';
import type { Authenticator, Principal } from '../http/access.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { describeError, type Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createListChanges, type ListChanges } from './changing/list-changes.ts';
import { LookupDocument } from './changing/lookup-document.schema.ts';
import { plannedHere } from './changing/plan-document.ts';
import type { NamesOf } from './history/author-names.ts';
import { readMark } from './history/event.queries.ts';
import { loadCatalog } from './reading/catalog.ts';
import { createChangeStream } from './reading/change-stream.ts';
import { readVersions, type StoredList } from './stored/list.queries.ts';
import { createListRights, type ListRoles } from './stored/list-rights.ts';

interface LookupsOptions {
  storage: Storage;
  roles: ListRoles;
  keepNeed: AuthenticationNeed;
  namesOf: NamesOf;
  /** Headers that every prepared answer has. */
  everyAnswer: Record<string, string>;
  /** Whether the session of an open stream has ended. */
  hasEnded: Authenticator['hasEnded'];
  log: Log;
  telemetry: Telemetry | undefined;
  clock: () => number;
}

export async function createLookups({
  storage,
  roles,
  keepNeed,
  namesOf,
  everyAnswer,
  hasEnded,
  log,
  telemetry,
  clock,
}: LookupsOptions) {
  const { db, reads } = storage;
  const now = () => new Date(clock());
  await addDefaultLists(createListChanges(storage), db, now());
  // Read before the lists are loaded, so that changes made while they are being loaded are announced as well.
  const since = await readMark(reads);
  const catalog = await loadCatalog(reads, now, everyAnswer);
  const changes = createListChanges(storage, namesOf, catalog);
  /** Changes in progress in this process. */
  const underWay = new Set<Promise<unknown>>();
  const listChanges: ListChanges = {
    ...changes,
    async change(...given) {
      const change = changes.change(...given);
      const ended = change.catch(() => undefined);
      underWay.add(ended);
      return change.finally(() => underWay.delete(ended));
    },
  };
  const rights = createListRights({ catalog, ...roles, keepNeed });
  const mayStay = ({ sessionId, expiresAt }: Principal) => !hasEnded(sessionId) && clock() < expiresAt * 1000;
  const isLoaded = (list: string, version: number) => (catalog.get(list)?.version ?? 0) >= version;
  const stream = await createChangeStream({ db: reads, since, mayStay, mayRead: rights.mayRead, isLoaded, ...catalog });

  async function serveChanged(written?: StoredList): Promise<void> {
    for (const { list, version, updatedAt } of await catalog.reload(written)) {
      log.info({ list, version }, 'list changed');
      telemetry?.listTakenUp((clock() - Date.parse(updatedAt)) / 1000);
    }
    await stream.publish();
  }

  return {
    catalog,
    rights,
    stream,
    listChanges,
    /**
     * Called after a notification. If this process is still finishing a change, waits for it first. The finished change
     * passes on the list that it wrote, so the list need not be read from the database.
     */
    async reload(): Promise<void> {
      if (underWay.size > 0) await Promise.race(underWay);
      await serveChanged();
    },
    /** Called after a change was committed. If this fails, the next poll finds the change. */
    publishChanges: (written?: StoredList) =>
      serveChanged(written).catch((error: unknown) =>
        log.warn(describeError(error), 'a changed list is not served yet'),
      ),
    startNewDay: async () => stream.publish(await catalog.rebuildForNewDay()),
  };
}

/** Adds the default lists (`lookups/`) that are missing. Existing lists do not change. */
export async function addDefaultLists(listChanges: ListChanges, db: Db, now: Date): Promise<void> {
  const existing = await readVersions(db);
  const missing = Object.entries<unknown>(document.lists).filter(([name]) => !existing.has(name));
  if (missing.length === 0) return;
  const defaults = LookupDocument.parse({ lists: Object.fromEntries(missing) });
  const author = { by: frontdesk, reason: 'default lists', at: now, mayKeepAll: true };
  await listChanges.apply(plannedHere(defaults), author);
}
